package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// waitSet holds the threads that wait on one object, in the order of their monWait: those in the JVM's wait set, whose
// notifiedBy is none, and those that have been notified and wait for the monitor. Adding and removing a thread takes
// constant time.
type waitSet struct {
	threads  []*thread // each at its wait's place; nil where one has been removed
	size     int
	waiting  int // no thread before this place is in the JVM's wait set
	notified int // threads that a notify has removed from it
}

func (q *waitSet) add(t *thread) {
	t.wait.place = len(q.threads)
	q.threads = append(q.threads, t)
	q.size++
}

// remove removes a thread, which must be one of the set.
func (q *waitSet) remove(t *thread) {
	q.threads[t.wait.place] = nil
	q.size--
	if t.notifiedBy.isNotify() {
		q.notified--
	}
	if gaps := len(q.threads) - q.size; gaps > q.size {
		q.arrange(slices.DeleteFunc(q.threads, func(t *thread) bool { return t == nil }))
	}
}

// arrange makes the set one of the threads.
func (q *waitSet) arrange(threads []*thread) {
	*q = waitSet{threads: threads, size: len(threads)}
	for place, t := range threads {
		t.wait.place = place
		if t.notifiedBy.isNotify() {
			q.notified++
		}
	}
}

// merge adds the threads of another set.
func (q *waitSet) merge(other *waitSet) {
	threads := slices.DeleteFunc(append(q.threads, other.threads...), func(t *thread) bool { return t == nil })
	slices.SortFunc(threads, func(a, b *thread) int { return cmp.Compare(a.wait.order, b.wait.order) })
	q.arrange(threads)
}

// notify removes the longest-waiting thread other than the notifier from the JVM's wait set if the cause is a notify,
// all others if it is a notifyAll, and returns how many.
func (q *waitSet) notify(c cause, notifier *thread) (removed int) {
	passed := true // no thread before the place is in the JVM's wait set
	for place := q.waiting; place < len(q.threads); place++ {
		if passed {
			q.waiting = place
		}
		t := q.threads[place]
		if t == nil || t.notifiedBy.known() {
			continue
		}
		if t == notifier {
			passed = false
			continue
		}
		t.notifiedBy = c
		removed++
		if c.Type == trace.Notify {
			q.notified++
			break
		}
	}
	return removed
}

// mark makes the cause the notification that has removed the thread from the JVM's wait set.
func (q *waitSet) mark(t *thread, c cause) {
	if t.notifiedBy.isNotify() {
		q.notified--
	}
	t.notifiedBy = c
	if c.isNotify() {
		q.notified++
	}
}

// reassign returns the notify of the longest-waiting thread other than t whose notify suits. That thread is in the
// JVM's wait set again, at its place.
func (q *waitSet) reassign(t *thread, suits func(cause) bool) (cause, bool) {
	if q.notified == 0 {
		return cause{}, false
	}
	for place, other := range q.threads {
		if other == nil || other == t || !other.notifiedBy.isNotify() || !suits(other.notifiedBy) {
			continue
		}
		c := other.notifiedBy
		other.notifiedBy = cause{}
		q.notified--
		q.waiting = min(q.waiting, place)
		return c, true
	}
	return cause{}, false
}
