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
	seen := map[*thread]uint64{}
	for i, start := range e.scope.active {
		search := uint64(i) + 1
		t := start
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

// waitsFor returns the owner of the monitor that the thread is blocked on; nil if none is known.
func (t *thread) waitsFor() *thread {
	if t.activity == nil || t.blocked == nil || t.blocked.owner == t {
		return nil
	}
	return t.blocked.owner
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
		locked, owner := t.blocked, t.blocked.owner
		event := e.append(t, trace.DeadLock, report.Time)
		event.Other = owner.ref
		e.setObject(event, locked)
		report.Threads = append(report.Threads, t.ref)
	}
	e.flush()
	e.put(&report)
}
