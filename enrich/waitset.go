package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// waitSet holds the threads that wait on one object, in the order of their monWait: those in the JVM's wait set, with a
// zero notifiedBy, and those that have been notified and wait for the monitor. Their waits link them.
type waitSet struct {
	first, last *thread
	waiting     *thread // no thread before it is in the JVM's wait set
	notified    int     // threads that a notify has removed from it
}

func (q *waitSet) isEmpty() bool { return q.first == nil }

// add adds a thread, whose wait begins.
func (q *waitSet) add(t *thread) {
	if t.wait.previous = q.last; q.last != nil {
		q.last.wait.next = t
	} else {
		q.first = t
	}
	if q.last = t; q.waiting == nil {
		q.waiting = t
	}
	if t.notifiedBy.isNotify() {
		q.notified++
	}
}

// remove removes a thread, which must be one of the set.
func (q *waitSet) remove(t *thread) {
	previous, next := t.wait.previous, t.wait.next
	if previous != nil {
		previous.wait.next = next
	} else {
		q.first = next
	}
	if next != nil {
		next.wait.previous = previous
	} else {
		q.last = previous
	}
	if q.waiting == t {
		q.waiting = next
	}
	if t.notifiedBy.isNotify() {
		q.notified--
	}
}

// all yields the threads. The loop may remove the current one.
func (q *waitSet) all(yield func(*thread) bool) {
	for t := q.first; t != nil; {
		next := t.wait.next
		if !yield(t) {
			return
		}
		t = next
	}
}

// merge adds the threads of another set.
func (q *waitSet) merge(other *waitSet) {
	threads := slices.AppendSeq(slices.Collect(q.all), other.all)
	slices.SortFunc(threads, func(a, b *thread) int { return cmp.Compare(a.wait.order, b.wait.order) })
	*q = waitSet{}
	for _, t := range threads {
		t.wait.next = nil
		q.add(t)
	}
}

// notify removes threads from the JVM's wait set: the longest-waiting one but the notifier if the cause is a notify,
// all but the notifier if it is a notifyAll. It returns their number.
func (q *waitSet) notify(c cause, notifier *thread) (removed int) {
	passed := true // no thread before t is in the JVM's wait set
	for t := q.waiting; t != nil; t = t.wait.next {
		if passed {
			q.waiting = t
		}
		if t == notifier {
			passed = passed && t.notifiedBy.known()
			continue
		}
		if t.notifiedBy.known() {
			continue
		}
		q.mark(t, c)
		if removed++; c.Type == trace.Notify {
			break
		}
	}
	return removed
}

// mark notes that the cause has removed the thread from the JVM's wait set; the zero cause puts it back at its place.
func (q *waitSet) mark(t *thread, c cause) {
	if t.notifiedBy.isNotify() {
		q.notified--
	}
	t.notifiedBy = c
	switch {
	case c.isNotify():
		q.notified++
	case !c.known() && (q.waiting == nil || t.wait.order < q.waiting.wait.order):
		q.waiting = t
	}
}

// reassign takes back a suitable notify from the longest-waiting thread other than t that has one, and returns it. That
// thread is in the JVM's wait set again.
func (q *waitSet) reassign(t *thread, suits func(*cause) bool) (c cause, found bool) {
	if q.notified == 0 {
		return cause{}, false
	}
	for other := range q.all {
		if other != t && other.notifiedBy.isNotify() && suits(&other.notifiedBy) {
			c = other.notifiedBy
			q.mark(other, cause{})
			return c, true
		}
	}
	return cause{}, false
}
