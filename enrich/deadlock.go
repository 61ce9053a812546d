package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// deadlocks finds each deadlock, a cycle of threads that wait for each other's monitors, and puts its DeadLock events
// and DeadlockLoop; analyze/deadlock reports them. A deadlocked thread never runs again, so only a cycle at the end of
// the recording is a deadlock: releases post no event, so an earlier cycle may have been resolved. A wait for the
// initialisation of a class by another thread is like a lock here, but its cycle has no DeadLock events.
func (e *Enricher) deadlocks(ending trace.Ending) {
	var cycles [][]*thread
	seen := map[*thread]int{} // by which search, from 1 on, a thread was reached
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
	cutOff := ending.Truncated || e.counts.ends() == e.endsBefore
	for _, cycle := range cycles {
		e.deadlock(cycle, cutOff)
	}
}

// initialiser returns the thread that initialises the class for which t waits; nil if t does not wait for a class or
// the thread is not known.
func (t *thread) initialiser() *incarnation {
	if t.state != trace.WaitingForObject || t.wait.initialiser == t.incarnation {
		return nil
	}
	return t.wait.initialiser
}

// waitsFor returns the live thread that owns the monitor on which t is blocked, or that initialises the class for which
// t waits; nil if it is unknown or dead.
func (t *thread) waitsFor() *thread {
	if by := t.initialiser(); by != nil {
		return by.live
	}
	if o := t.blocked; o != nil && o.owner != nil && o.owner != t.incarnation {
		return o.owner.live
	}
	return nil
}

// cycleOf returns the cycle that the thread is in. The first member's enter closed it.
func cycleOf(member *thread) []*thread {
	cycle := []*thread{member}
	for t := member.waitsFor(); t != member; t = t.waitsFor() {
		cycle = append(cycle, t)
	}
	latest := slices.MaxFunc(cycle, byEnter)
	at := slices.Index(cycle, latest)
	return append(cycle[at:], cycle[:at]...)
}

// stuckSince returns when the thread began to wait for what waitsFor finds, and the number of the wait or enter.
func (t *thread) stuckSince() (at trace.Time, order uint64) {
	if t.initialiser() != nil {
		return t.wait.at, t.wait.order
	}
	return t.blockedAt, t.blockedOrder
}

func byEnter(a, b *thread) int {
	first, firstOrder := a.stuckSince()
	second, secondOrder := b.stuckSince()
	return cmp.Or(cmp.Compare(first, second), cmp.Compare(firstOrder, secondOrder))
}

// leastDeadlocked is how long, in nanoseconds, threads must have waited for each other in a JVM that goes on. A release
// posts no event, so a shorter loop can be the moment in which a released monitor has not been entered yet.
const leastDeadlocked = 100_000_000

// leastAtEnd is the same in a JVM that has ended.
const leastAtEnd = 10_000_000

// sampled describes an agent that sees all threads at one moment, as thread dumps do.
var sampled = trace.NamedValue{Name: "agentParameters", Value: "sampled"}

// jvmEnded reports whether the recording has the end of its JVM.
func (e *Enricher) jvmEnded() bool {
	return e.counts.known[trace.RuntimeShutdown] > e.shutdownsBefore ||
		e.scope.destroyer != nil && e.scope.destroyer.isDead()
}

func (e *Enricher) deadlock(cycle []*thread, cutOff bool) {
	at, _ := cycle[0].stuckSince()
	seenAtOnce := slices.Contains(e.session.Agent, sampled) || !slices.ContainsFunc(cycle, func(t *thread) bool {
		since, _ := t.stuckSince()
		return since != at
	}) || !slices.ContainsFunc(cycle, func(t *thread) bool { return !t.blockedOlder && t.initialiser() == nil })
	least := trace.Time(leastDeadlocked)
	if e.jvmEnded() {
		least = leastAtEnd
	}
	report := trace.DeadlockLoop{Time: at, End: e.last, CutOff: cutOff, Brief: !seenAtOnce && e.last-at < least,
		Init: slices.ContainsFunc(cycle, func(t *thread) bool { return t.initialiser() != nil })}
	for _, t := range cycle {
		report.Threads = append(report.Threads, t.ref())
		if t.initialiser() == nil {
			report.Inferred, report.Timed = report.Inferred || t.blockedInferred, report.Timed || t.blockedTimed
		}
		if report.Init {
			continue
		}
		event := e.append(t.incarnation, trace.DeadLock, report.Time)
		event.Other = t.blocked.owner.ref()
		e.setObject(event, t.blocked)
	}
	e.flush()
	e.put(&report)
}
