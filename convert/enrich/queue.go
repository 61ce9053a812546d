package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// queue holds the threads that wait on one object, in the order of their monWait. Those without a mark are the wait
// set. However many they are, a thread comes and goes in constant time.
type queue struct {
	threads  []*thread // each at the place that its wait knows; nil where one has left
	size     int
	unmarked int // no thread before this place is without a mark
	notified int // threads that a notify has marked
}

func (q *queue) add(t *thread) {
	t.wait.place = len(q.threads)
	q.threads = append(q.threads, t)
	q.size++
}

// leave takes a thread out, which must be in the queue.
func (q *queue) leave(t *thread) {
	q.threads[t.wait.place] = nil
	q.size--
	if t.mark.Type == trace.Notify && t.mark.known() {
		q.notified--
	}
	if gaps := len(q.threads) - q.size; gaps > q.size {
		q.arrange(slices.DeleteFunc(q.threads, func(t *thread) bool { return t == nil }))
	}
}

// arrange makes the threads those in the queue.
func (q *queue) arrange(threads []*thread) {
	*q = queue{threads: threads, size: len(threads)}
	for place, t := range threads {
		t.wait.place = place
		if t.mark.Type == trace.Notify && t.mark.known() {
			q.notified++
		}
	}
}

// merge puts the threads of another queue among those of this one.
func (q *queue) merge(other *queue) {
	threads := slices.DeleteFunc(append(q.threads, other.threads...), func(t *thread) bool { return t == nil })
	slices.SortFunc(threads, func(a, b *thread) int { return cmp.Compare(a.wait.order, b.wait.order) })
	q.arrange(threads)
}

// mark marks the longest-waiting thread of the wait set with a notify, or all with a notifyAll, and says how many.
func (q *queue) mark(c cause) (marked int) {
	for ; q.unmarked < len(q.threads); q.unmarked++ {
		t := q.threads[q.unmarked]
		if t == nil || t.mark.known() {
			continue
		}
		t.mark = c
		marked++
		if c.Type == trace.Notify {
			q.notified++
			break
		}
	}
	return marked
}

// take takes the mark of the longest-waiting thread but t that a notify has marked and for which suits is true. That
// thread is in the wait set again, at its place.
func (q *queue) take(t *thread, suits func(cause) bool) (cause, bool) {
	if q.notified == 0 {
		return cause{}, false
	}
	for place, other := range q.threads {
		if other == nil || other == t || other.mark.Type != trace.Notify || !other.mark.known() || !suits(other.mark) {
			continue
		}
		c := other.mark
		other.mark = cause{}
		q.notified--
		q.unmarked = min(q.unmarked, place)
		return c, true
	}
	return cause{}, false
}
