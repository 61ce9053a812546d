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
	size     int32
	waiting  int32 // no thread before this place is in the JVM's wait set
	notified int32 // threads that a notify has removed from it
}

// len returns the number of threads; the set may be nil.
func (q *waitSet) len() int {
	if q == nil {
		return 0
	}
	return int(q.size)
}

func (q *waitSet) add(t *thread) {
	t.waitPlace = int32(len(q.threads))
	q.threads = append(q.threads, t)
	q.size++
}

// remove removes a thread, which must be one of the set.
func (q *waitSet) remove(t *thread) {
	q.threads[t.waitPlace] = nil
	q.size--
	if t.marked().notifiedBy.isNotify() {
		q.notified--
	}
	if gaps := len(q.threads) - q.len(); gaps > q.len() {
		q.arrange(slices.DeleteFunc(q.threads, func(t *thread) bool { return t == nil }))
	}
}

// arrange makes the set one of the threads.
func (q *waitSet) arrange(threads []*thread) {
	*q = waitSet{threads: threads, size: int32(len(threads))}
	for place, t := range threads {
		t.waitPlace = int32(place)
		if t.marked().notifiedBy.isNotify() {
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

// notify removes the longest-waiting thread other than the notifier from the object's wait set in the JVM if the cause
// is a notify, all others if it is a notifyAll, and returns how many.
func (e *Enricher) notify(o *object, c cause, notifier *thread) (removed int) {
	q := o.waiting
	if q == nil {
		return 0
	}
	passed := true // no thread before the place is in the JVM's wait set
	for place := int(q.waiting); place < len(q.threads); place++ {
		if passed {
			q.waiting = int32(place)
		}
		t := q.threads[place]
		if t == nil || t.marked().notifiedBy.known() {
			continue
		}
		if t == notifier {
			passed = false
			continue
		}
		e.mark(t).notifiedBy = c
		removed++
		if c.Type == trace.Notify {
			q.notified++
			break
		}
	}
	return removed
}

// mark makes the cause the notification that has removed the thread with these marks from the JVM's wait set.
func (q *waitSet) mark(m *marks, c cause) {
	if m.notifiedBy.isNotify() {
		q.notified--
	}
	m.notifiedBy = c
	if c.isNotify() {
		q.notified++
	}
}

// reassign returns the notify of the longest-waiting thread other than t whose notify suits. That thread is in the
// JVM's wait set again, at its place.
func (q *waitSet) reassign(t *thread, suits func(cause) bool) (cause, bool) {
	if q == nil || q.notified == 0 {
		return cause{}, false
	}
	for place, other := range q.threads {
		if other == nil || other == t {
			continue
		}
		c := other.marked().notifiedBy
		if !c.isNotify() || !suits(c) {
			continue
		}
		other.marks.notifiedBy = cause{}
		q.notified--
		q.waiting = min(q.waiting, int32(place))
		return c, true
	}
	return cause{}, false
}
