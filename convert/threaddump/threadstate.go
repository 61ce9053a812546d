package threaddump

import (
	"strconv"
	"strings"

	"github.com/trcx/trcx/trace/javaname"
)

// stateKind is the state of a thread in a trace.
type stateKind uint8

const (
	running stateKind = iota
	blocked           // it wants a monitor or a lock
	waiting           // for a notification, to be unparked, or for a class
	sleeping
)

// threadState is a thread's state at the time of a dump, in the terms of a trace.
type threadState struct {
	kind     stateKind
	object   object  // that it wants; unknown if the dump does not name it
	owner    *thread // of that object, or the thread that initializes the class; nil if unknown
	parked   bool    // by java.util.concurrent, not at a monitor
	forever  bool    // the wait has no timeout
	timed    bool    // the wait has a timeout
	inferred bool    // the dump does not show it
}

// resolve sets the state of each thread of a dump.
func (s *series) resolve(d *dump) {
	d.inferInitialization()
	for _, t := range d.threads {
		t.state = t.ownState()
		if d.form.ofOneMoment() && d.hasLocks && t.parksWithoutBlocker() {
			t.state.object = s.permitOf(t)
		}
	}
	s.owners = s.findOwners(d)
	initializers := d.initializers()
	for _, t := range d.threads {
		a := t.state
		if owner := s.owners[a.object.name]; a.object.known() && owner != nil && owner != t {
			a.owner = owner
		}
		if a.parked && a.kind == waiting && (a.owner != nil || javaname.IsOwnedLock(a.object.class)) {
			a.kind = blocked
		}
		if a.kind != blocked {
			a.owner = nil
		}
		if t.initializes != "" && a.kind == waiting {
			a.object, a.owner = s.classObject(t.initializes), initializers[t.initializes]
		}
		t.state = a
	}
	s.checkEdges(d)
}

// separateCarriers leaves to a virtual thread of the dump the calls and objects that its carrier is printed with, too:
// both are one execution. The carrier keeps the calls that run the virtual thread.
func (d *dump) separateCarriers() {
	carriers := map[string]*thread{} // by the ids of the virtual threads
	for _, t := range d.threads {
		if t.carries != "" && t.mounted > 0 {
			carriers[t.carries] = t
		}
	}
	for _, t := range d.threads {
		c := carriers[t.id]
		if c == nil || c == t {
			continue
		}
		if len(t.owned) == 0 {
			t.owned = c.owned
		}
		stack := (*c.stack)[c.mounted:]
		c.stack, c.stackWaitCall, c.owned, c.wait = &stack, noWaitCall, nil, wait{javaState: javaRunnable}
	}
}

// ownState returns the thread's state as far as it does not depend on other threads.
func (t *thread) ownState() threadState {
	a := threadState{object: t.wanted, forever: t.javaState == javaWaiting, timed: t.javaState == javaTimedWaiting}
	how := t.waitCall
	if how == noWaitCall {
		how = t.stackWaitCall
	}
	switch {
	case t.want == toLock || t.javaState == javaBlocked:
		a.kind = blocked
	case t.initializes != "":
		a.kind, a.object = waiting, object{}
	case t.javaState == javaUnknown && t.want == nothing:
		a.kind = map[waitCall]stateKind{bySleeping: sleeping, byParking: waiting, byWaiting: waiting}[how]
		a.inferred, a.parked = true, how == byParking
	case t.javaState == javaRunnable && (t.want != toBeNotified || t.waitCall != byWaiting):
		return threadState{}
	case how == bySleeping && t.want == nothing:
		a.kind = sleeping
	default:
		a.kind = waiting
		a.parked = t.want == toBeUnparked || how == byParking && t.want != toLockAgain
	}
	if !a.object.known() && how == byWaiting && len(t.owned) > 0 && t.initializes == "" && a.kind != sleeping &&
		a.kind != running {
		a.object, a.inferred = t.owned[0], true // it must have locked the object that it waits on
	}
	return a
}

// waitsForSomeClass reports whether the thread waits for the initialization of a class that the dump does not name.
// HotSpot, up to updates of JDK 17, prints such a thread as RUNNABLE in Object.wait() without a call of that method.
func (t *thread) waitsForSomeClass() bool {
	return t.waitCall == byWaiting && t.javaState == javaRunnable && t.want == nothing && t.initializes == "" &&
		t.depth > 0 && t.innermost[0] == noWaitCall
}

// inferInitialization finds the classes for whose initialization threads wait if the dump does not name them: only one
// other thread initializes a class.
func (d *dump) inferInitialization() {
	var initializing []*thread
	for _, t := range d.threads {
		if len(t.initializing) > 0 {
			initializing = append(initializing, t)
		}
	}
	for _, t := range d.threads {
		if !t.waitsForSomeClass() {
			continue
		}
		var other *thread
		others := 0
		for _, i := range initializing {
			if i != t {
				other = i
				others++
			}
		}
		if others == 1 {
			t.initializes = other.initializing[0]
		}
	}
}

// initializers returns the threads that run static initializers, by class. Only the thread that initializes a class
// runs its initializer. Classes of several class loaders can share a name; then it is unknown which thread has which.
func (d *dump) initializers() map[string]*thread {
	found := map[string]*thread{}
	for _, t := range d.threads {
		for _, class := range t.initializing {
			if other, known := found[class]; known && other != t {
				found[class] = nil
				continue
			}
			found[class] = t
		}
	}
	return found
}

// classObject returns the object of the class, whose address the dump does not have.
func (s *series) classObject(class string) object {
	if s.classes[class] == 0 {
		s.classes[class] = len(s.classes) + 1
	}
	return object{name: class + "@class-" + strconv.Itoa(s.classes[class]), class: javaname.ClassObject(javaClass, class)}
}

// javaClass is the class of class objects, as dumps print it.
const javaClass = "java.lang.Class"

// parksWithoutBlocker reports whether the thread is parked and its dump, which has locks, names no object.
func (t *thread) parksWithoutBlocker() bool {
	a := &t.state
	return a.parked && !a.inferred && a.kind == waiting && !a.object.known()
}

// permitOf returns what the thread waits for if it is parked without a blocker: its own permit.
func (s *series) permitOf(t *thread) object {
	return object{name: "permit-" + strings.TrimSuffix(t.id, s.suffix), class: javaname.Class(javaname.PermitClass)}
}
