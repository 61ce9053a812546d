package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// deadlocks reports the loops of threads that wait for each other's monitors. A deadlocked thread never moves again, so
// only what stands at the end is a deadlock: releases are silent, and a loop that was seen in between may have been
// none.
func (e *Enricher) deadlocks() {
	var loops [][]*thread
	seen := map[*thread]uint64{}
	for i, start := range e.scope.active {
		walk := uint64(i) + 1
		t := start
		for t != nil && seen[t] == 0 {
			seen[t] = walk
			t = t.waitsFor()
		}
		if t != nil && seen[t] == walk {
			loops = append(loops, loopOf(t))
		}
	}
	slices.SortFunc(loops, func(a, b []*thread) int { return byEnter(a[0], b[0]) })
	for _, loop := range loops {
		e.deadlock(loop)
	}
}

// waitsFor is the thread that owns what the thread is blocked on, if that keeps it from moving.
func (t *thread) waitsFor() *thread {
	if t.activity == nil || t.blocked == nil || t.blocked.owner == t {
		return nil
	}
	return t.blocked.owner
}

// loopOf lists the loop that the thread is in, from the thread whose enter closed it.
func loopOf(member *thread) []*thread {
	loop := []*thread{member}
	for t := member.waitsFor(); t != member; t = t.waitsFor() {
		loop = append(loop, t)
	}
	latest := slices.MaxFunc(loop, byEnter)
	at := slices.Index(loop, latest)
	return append(loop[at:], loop[:at]...)
}

func byEnter(a, b *thread) int {
	return cmp.Or(cmp.Compare(a.blockedAt, b.blockedAt), cmp.Compare(a.blockedOrder, b.blockedOrder))
}

func (e *Enricher) deadlock(loop []*thread) {
	report := trace.DeadlockLoop{Time: loop[0].blockedAt}
	for _, t := range loop {
		locked, owner := t.blocked, t.blocked.owner
		event := e.append(t, trace.DeadLock, report.Time)
		event.Other = owner.ref
		e.name(event, locked)
		report.Threads = append(report.Threads, t.ref)
	}
	e.settle()
	e.put(&report)
}
