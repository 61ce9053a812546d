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

// waiters returns how many threads wait on the object. Most objects have at most one, and need no waitSet.
func (o *object) waiters() int {
	switch {
	case o.waiter != nil:
		return 1
	case o.interactions == nil || o.waiting == nil:
		return 0
	}
	return o.waiting.len()
}

// waitSet returns the waitSet of the object, a new one if it has none.
func (e *Enricher) waitSet(o *object) *waitSet {
	found := e.interact(o)
	if found.waiting == nil {
		found.waiting = e.reused.waitSets.get()
		if o.waiter != nil {
			found.waiting.add(o.waiter)
			o.waiter = nil
		}
	}
	return found.waiting
}

// addWaiter adds a thread that waits on the object.
func (e *Enricher) addWaiter(o *object, t *thread) {
	if o.waiter == nil && (o.interactions == nil || o.waiting == nil) {
		o.waiter = t
	} else {
		e.waitSet(o).add(t)
	}
}

// removeWaiter removes a thread that waits on the object.
func (o *object) removeWaiter(t *thread) {
	if o.waiter == t {
		o.waiter = nil
	} else {
		o.waiting.remove(t)
	}
}

// len returns the number of threads.
func (q *waitSet) len() int { return int(q.size) }

// add adds a thread.
func (q *waitSet) add(t *thread) {
	if t.marked().notifiedBy.isNotify() {
		q.notified++
	}
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
	if t := o.waiter; t != nil && t != notifier && !t.marked().notifiedBy.known() {
		e.mark(t).notifiedBy = c
		return 1
	}
	if o.interactions == nil || o.waiting == nil {
		return 0
	}
	q := o.waiting
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

// mark makes the cause the notification that has removed the thread with these marks, which waits on the object, from
// the JVM's wait set.
func (o *object) mark(m *marks, c cause) {
	if o.waiter != nil {
		m.notifiedBy = c
		return
	}
	q := o.waiting
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
func (o *object) reassign(t *thread, suits func(cause) bool) (cause, bool) {
	if only := o.waiter; only != nil {
		c := only.marked().notifiedBy
		if only == t || !c.isNotify() || !suits(c) {
			return cause{}, false
		}
		only.marks.notifiedBy = cause{}
		return c, true
	}
	if o.interactions == nil || o.waiting == nil || o.waiting.notified == 0 {
		return cause{}, false
	}
	q := o.waiting
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
