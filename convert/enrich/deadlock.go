package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// deadlocks finds each deadlock cycle, of threads that wait for each other's monitors, and puts its DeadLock events and
// DeadlockLoop; analyze/deadlock reports them. A deadlocked thread never runs again, so
// only a cycle at the end of the recording is a deadlock: releases post no event, and an earlier cycle may have been
// none.
func (e *Enricher) deadlocks() {
	var cycles [][]*thread
	seen := make([]int32, len(e.scope.active)) // the searches that have come to the threads, from 1 on
	for i, start := range e.scope.active {
		search := int32(i) + 1
		t := start
		for t != nil && t.place >= 0 && seen[t.place] == 0 {
			seen[t.place] = search
			t = t.waitsFor()
		}
		if t != nil && t.place >= 0 && seen[t.place] == search {
			cycles = append(cycles, e.cycleOf(t))
		}
	}
	slices.SortFunc(cycles, func(a, b []*thread) int { return e.byEnter(a[0], b[0]) })
	for _, cycle := range cycles {
		e.deadlock(cycle)
	}
}

// waitsFor returns the owner of the monitor that the thread is blocked on; nil if none is known.
func (t *thread) waitsFor() *thread {
	if o := t.blockedOn(); o != nil && o.owner != t {
		return o.owner
	}
	return nil
}

// cycleOf returns the cycle that the thread is in, from the thread whose enter closed it.
func (e *Enricher) cycleOf(member *thread) []*thread {
	cycle := []*thread{member}
	for t := member.waitsFor(); t != member; t = t.waitsFor() {
		cycle = append(cycle, t)
	}
	latest := slices.MaxFunc(cycle, e.byEnter)
	at := slices.Index(cycle, latest)
	return append(cycle[at:], cycle[:at]...)
}

func (e *Enricher) byEnter(a, b *thread) int {
	first, order := e.blockedSince(a)
	second, next := e.blockedSince(b)
	return cmp.Or(cmp.Compare(first, second), cmp.Compare(order, next))
}

// blockedSince returns when a thread that is blocked began to be, and its blockedOrder.
func (e *Enricher) blockedSince(t *thread) (trace.Time, uint64) {
	a, _ := e.peek(t, e.scope.dead.names)
	return a.blockedAt, a.blockedOrder
}

func (e *Enricher) deadlock(cycle []*thread) {
	at, _ := e.blockedSince(cycle[0])
	report := trace.DeadlockLoop{Time: at}
	for _, t := range cycle {
		locked := t.blockedOn()
		event := e.append(t, trace.DeadLock, report.Time)
		event.Other = locked.owner.ref
		e.setObject(event, locked)
		report.Threads = append(report.Threads, t.ref)
	}
	e.flush()
	e.put(&report)
}
