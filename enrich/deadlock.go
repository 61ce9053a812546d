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
	seen := map[*thread]int{} // the searches that have come to the threads, from 1 on
	search := 0
	for t := range e.scope.live {
		search++
		for t != nil && seen[t] == 0 {
			seen[t] = search
			t = t.waitsFor()
		}
		if t != nil && seen[t] == search {
			cycles = append(cycles, cycleOf(t))
		}
	}
	slices.SortFunc(cycles, func(a, b []*thread) int { return byEnter(a[0], b[0]) })
	for _, cycle := range cycles {
		e.deadlock(cycle)
	}
}

// waitsFor returns the owner of the monitor that the thread is blocked on; nil if none is known, or it is dead.
func (t *thread) waitsFor() *thread {
	if o := t.blocked; o != nil && o.owner != nil && o.owner != t.incarnation {
		return o.owner.live
	}
	return nil
}

// cycleOf returns the cycle that the thread is in, from the thread whose enter closed it.
func cycleOf(member *thread) []*thread {
	cycle := []*thread{member}
	for t := member.waitsFor(); t != member; t = t.waitsFor() {
		cycle = append(cycle, t)
	}
	latest := slices.MaxFunc(cycle, byEnter)
	at := slices.Index(cycle, latest)
	return append(cycle[at:], cycle[:at]...)
}

func byEnter(a, b *thread) int {
	return cmp.Or(cmp.Compare(a.blockedAt, b.blockedAt), cmp.Compare(a.blockedOrder, b.blockedOrder))
}

func (e *Enricher) deadlock(cycle []*thread) {
	report := trace.DeadlockLoop{Time: cycle[0].blockedAt}
	for _, t := range cycle {
		event := e.append(t.incarnation, trace.DeadLock, report.Time)
		event.Other = t.blocked.owner.ref()
		e.setObject(event, t.blocked)
		report.Threads = append(report.Threads, t.ref)
	}
	e.flush()
	e.put(&report)
}
