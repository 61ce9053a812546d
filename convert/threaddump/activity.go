package threaddump

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/trace"
)

// doing is what a thread does, in the terms of a trace.
type doing uint8

const (
	running doing = iota
	locking       // it wants a monitor or a lock
	idling        // it waits for a notification, or for whoever unparks it
	sleeping
)

// activity is what a dump says that a thread does.
type activity struct {
	doing    doing
	object   object  // that it wants; unknown if the dump does not name one
	owner    *thread // has that object; nil if it is not known
	parked   bool    // by java.util.concurrent, not at a monitor
	forever  bool    // the wait has no timeout
	inferred bool    // the dump does not say so: it was concluded
}

// holders are the threads that have the objects of a dump.
type holders map[string]*thread

// resolve finds out what each thread of a dump does.
func (s *series) resolve(d *dump) {
	for _, t := range d.threads {
		t.now = t.activity()
	}
	s.owners = s.findOwners(d)
	for _, t := range d.threads {
		a := t.now
		if owner := s.owners[a.object.name]; a.object.known() && owner != nil && owner != t {
			a.owner = owner
		}
		if a.parked && a.doing == idling && (a.owner != nil || isLock(a.object.class)) {
			a.doing = locking
		}
		if a.doing != locking {
			a.owner = nil
		}
		t.now = a
	}
	s.checkEdges(d)
}

// activity is what the thread does, as far as it can be said without the others.
func (t *thread) activity() activity {
	a := activity{object: t.wanted, forever: t.state == waiting}
	how := t.way
	if how == anyWay {
		how = t.calls
	}
	switch {
	case t.want == toLock || t.state == blocked:
		a.doing = locking
	case t.starts != "":
		a.doing, a.object = idling, object{}
	case t.state == unknown && t.want == nothing:
		a.doing, a.inferred = map[way]doing{bySleeping: sleeping, byParking: idling, byWaiting: idling}[how], true
		a.parked = how == byParking
	case t.state == runnable && t.want != toBeNotified || t.state == runnable && t.way != byWaiting:
		return activity{}
	case how == bySleeping && t.want == nothing:
		a.doing = sleeping
	default:
		a.doing = idling
		a.parked = t.want == toBeUnparked || how == byParking && t.want == nothing
	}
	if !a.object.known() && how == byWaiting && len(t.owned) > 0 && t.starts == "" && a.doing != sleeping &&
		a.doing != running {
		a.object, a.inferred = t.owned[0], true // it has to have locked what it waits on
	}
	return a
}

// lockClasses are those of java.util.concurrent that threads park at because they want a lock.
var lockClasses = []string{"java.util.concurrent.locks.ReentrantLock$",
	"java.util.concurrent.locks.ReentrantReadWriteLock$", "java.util.concurrent.locks.StampedLock"}

func isLock(class string) bool {
	for _, prefix := range lockClasses {
		if strings.HasPrefix(class, prefix) {
			return true
		}
	}
	return false
}

// findOwners finds out who has what. A thread that waits on an object, or for it again, is printed as one that has
// locked it, and has let it go.
func (s *series) findOwners(d *dump) holders {
	owners := holders{}
	for _, t := range d.threads {
		for _, list := range [][]object{t.owned, t.synced} {
			for _, o := range list {
				s.hold(owners, d, t, o)
			}
		}
	}
	s.findNamedOwners(d, owners)
	return owners
}

// findNamedOwners adds those that the dump names with who waits for them.
func (s *series) findNamedOwners(d *dump, owners holders) {
	ids := make(map[string]*thread, len(d.threads))
	for _, t := range d.threads {
		ids[t.id] = t
	}
	for _, t := range d.threads {
		owner := ids[t.lockedBy]
		if owner == nil && d.told > 0 && s.known[t.lockedBy] != nil {
			owner = &thread{id: t.lockedBy} // it has been told
		}
		if owner != nil && owners[t.wanted.name] == nil {
			owners[t.wanted.name] = owner
		}
	}
	waiters := make(map[edge]*thread, len(d.edges))
	for _, e := range d.edges {
		waiters[e.wait()] = nil
	}
	for _, t := range d.threads {
		e := edge{waiter: t.title, object: t.wanted.name}
		if _, asked := waiters[e]; asked {
			waiters[e] = t
		}
	}
	for i, e := range d.edges {
		if owners[e.object] == nil {
			if owner := waiters[d.nextEdge(i).wait()]; owner != nil && owner.title == e.owner {
				owners[e.object] = owner
			}
		}
	}
}

// wait is the part of an edge that says who waits for what.
func (e edge) wait() edge { return edge{waiter: e.waiter, object: e.object} }

// nextEdge is the edge that comes next in the loop of the i-th one: the JVM lists each thread before the one that has
// what it waits for, and the last one has what the first one waits for.
func (d *dump) nextEdge(i int) edge {
	loop := d.edges[i].loop
	if i+1 < len(d.edges) && d.edges[i+1].loop == loop {
		return d.edges[i+1]
	}
	first := i
	for first > 0 && d.edges[first-1].loop == loop {
		first--
	}
	return d.edges[first]
}

func (s *series) hold(owners holders, d *dump, t *thread, o object) {
	a := t.now
	if a.doing != running && a.object.name == o.name {
		return
	}
	other := owners[o.name]
	switch {
	case other == nil:
		owners[o.name] = t
	case other != t:
		s.report(ruleOwners, trace.Warning, t.place,
			fmt.Sprintf(
				"thread %s has %s, and so has thread %s; one of them is not of this moment: the first one is taken "+
					"for the owner",
				t.label(), o.name, other.label()), nil)
	}
}

// checkEdges reports deadlocks that the JVM has found and that do not follow from what its threads have and want.
func (s *series) checkEdges(d *dump) {
	if len(d.edges) == 0 {
		return
	}
	there := map[edge]bool{}
	for _, t := range d.threads {
		if a := t.now; a.doing == locking && a.owner != nil {
			there[edge{waiter: t.title, owner: a.owner.title, object: a.object.name}] = true
		}
	}
	for _, e := range d.edges {
		place := e.place
		e.place, e.loop = trace.Place{}, 0
		if !there[e] {
			s.report(ruleDeadlock, trace.Warning, place,
				fmt.Sprintf("the JVM has found a deadlock in which %s; the threads of the dump do not say so", e), nil)
		}
	}
}
