package threaddump

import (
	"bytes"
	"fmt"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// ownerMap maps the objects of a dump to the threads that own them.
type ownerMap map[string]*thread

// findOwners returns the owners of the dump's objects. A thread that waits on an object, or to lock it again after
// that, is printed as if it had locked it, but has released it.
func (s *series) findOwners(d *dump) ownerMap {
	owners := ownerMap{}
	for _, t := range d.threads {
		for _, list := range [][]object{t.owned, t.synced} {
			for _, o := range list {
				s.addOwner(owners, d, t, o)
			}
		}
	}
	s.findNamedOwners(d, owners)
	return owners
}

// findNamedOwners adds the owners that the dump names next to the waiting thread.
func (s *series) findNamedOwners(d *dump, owners ownerMap) {
	ids := make(map[string]*thread, len(d.threads))
	for _, t := range d.threads {
		ids[t.id] = t
	}
	names := d.uniqueNames()
	for _, t := range d.threads {
		owner := ids[t.ownerID]
		if owner == nil && t.ownerName != "" {
			owner = names[t.ownerName]
		}
		if owner == nil && d.emitted > 0 && s.threads[t.ownerID] != nil {
			owner = &thread{threadHeader: threadHeader{id: t.ownerID}} // it was emitted at once
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
		e := edge{waiter: t.name, object: t.wanted.name}
		if _, asked := waiters[e]; asked {
			waiters[e] = t
		}
	}
	for i, e := range d.edges {
		if owners[e.object] == nil {
			if owner := waiters[d.nextEdge(i).wait()]; owner != nil && owner.name == e.owner {
				owners[e.object] = owner
			}
		}
	}
}

// uniqueNames returns the threads whose name no other thread of the dump has.
func (d *dump) uniqueNames() map[string]*thread {
	names := make(map[string]*thread, len(d.threads))
	for _, t := range d.threads {
		if _, twice := names[t.name]; twice {
			names[t.name] = nil
			continue
		}
		names[t.name] = t
	}
	return names
}

// wait returns the part of an edge that says who waits for what.
func (e edge) wait() edge { return edge{waiter: e.waiter, object: e.object} }

// nextEdge returns the edge after the i-th one in its loop: the JVM lists each thread before the owner of what it
// wants, and the last thread wants what the first one owns.
func (d *dump) nextEdge(i int) edge {
	loop := d.edges[i].deadlock
	if i+1 < len(d.edges) && d.edges[i+1].deadlock == loop {
		return d.edges[i+1]
	}
	first := i
	for first > 0 && d.edges[first-1].deadlock == loop {
		first--
	}
	return d.edges[first]
}

func (s *series) addOwner(owners ownerMap, d *dump, t *thread, o object) {
	a := t.state
	if a.kind != running && a.object.name == o.name {
		return
	}
	other := owners[o.name]
	switch {
	case other == nil:
		owners[o.name] = t
	case other != t:
		s.report(ruleOwners, trace.Warning, t.place,
			fmt.Sprintf(
				"thread %s owns %s, and so does thread %s; one of them is out of date: the first one is read as the "+
					"owner",
				t.label(), o.name, other.label()), nil)
	}
}

// checkEdges reports deadlocks found by the JVM that do not follow from what the threads own and want.
func (s *series) checkEdges(d *dump) {
	if len(d.edges) == 0 {
		return
	}
	there := map[edge]bool{}
	for _, t := range d.threads {
		if a := t.state; a.kind == blocked && a.owner != nil {
			there[edge{waiter: t.name, owner: a.owner.name, object: a.object.name}] = true
		}
	}
	for _, e := range d.edges {
		place := e.place
		e.place, e.deadlock = trace.Place{}, 0
		if !there[e] {
			s.report(ruleDeadlock, trace.Warning, place,
				fmt.Sprintf("the JVM reports a deadlock in which %s; this does not follow from the threads of the "+
					"dump", e), nil)
		}
	}
}

// deadlockLine reads a line of the deadlocks found by the JVM: a waiting thread, the object, or its owner.
func (t *textReader) deadlockLine(content []byte, read line) {
	switch {
	case t.openOwner != nil:
		t.longOwner(content)
	case beginsDeadlock(content, read):
		t.section = inDeadlock
		t.dump.deadlocks++
	case hasFold(content, foundAll) && (bytes.HasSuffix(bytes.ToLower(content), []byte("deadlock.")) ||
		bytes.HasSuffix(bytes.ToLower(content), []byte("deadlocks."))):
		t.section, t.thread = inThreads, nil
	case hasFold(content, stackPart), hasFold(content, oldStackPart):
		t.section = inDeadlockStacks
	case t.section == inDeadlockStacks:
	case content[0] == '"' && content[len(content)-1] == ':' && len(content) > 2:
		t.waiter, t.wanted = string(bytes.TrimSuffix(content[1:len(content)-1], []byte{'"'})), object{}
	case bytes.HasPrefix(content, heldBy):
		t.held(trim(content[len(heldBy):]), read.place)
	case bytes.HasPrefix(content, lockedBy):
		t.held(trim(content[len(lockedBy):]), read.place)
	default:
		if name, ok := wantedName(content); ok {
			t.wanted = name
		}
	}
}

// hasFold reports whether a line has a beginning, in upper or lower case: up to JDK 1.4, the list is in capitals.
func hasFold(content, beginning []byte) bool {
	return len(content) >= len(beginning) && bytes.EqualFold(content[:len(beginning)], beginning)
}

// The words of JDK 1.4.
var (
	lockedBy     = []byte("which is locked by ")
	oldStackPart = []byte("Java stack information for threads listed above")
)

// wantedName reads what a thread of a deadlock waits for: waiting to lock monitor 0x… (object 0x…, a class), or waiting
// for ownable synchronizer 0x…, (a class).
func wantedName(content []byte) (object, bool) {
	for _, words := range []string{"(object ", "(Object@", "ownable synchronizer Object@", "ownable synchronizer "} {
		if _, rest, ok := bytes.Cut(content, []byte(words)); ok {
			name, class, ok := bytes.Cut(rest, []byte{','})
			_, class, _ = bytes.Cut(class, []byte("a "))
			class, _, _ = bytes.Cut(class, []byte{')'})
			class = bytes.ReplaceAll(class, []byte{'/'}, []byte{'.'}) // jstack -F writes slashes
			return object{string(name), string(class)}, ok && bytes.HasPrefix(name, []byte("0x"))
		}
	}
	return object{}, false
}

// maxEdges limits the lines of deadlocks that are kept.
const maxEdges = 1 << 16

func (t *textReader) held(owner []byte, place trace.Place) {
	if len(owner) > 1 && owner[0] == '"' && owner[len(owner)-1] != '"' { // the name has a line end
		t.openOwner, t.named, t.lead = append([]byte(nil), owner...), place, 1
		return
	}
	if len(owner) < 2 || owner[0] != '"' || t.waiter == "" || !t.wanted.known() || len(t.dump.edges) >= maxEdges {
		return
	}
	t.dump.edges = append(t.dump.edges, edge{waiter: t.waiter, owner: string(bytes.TrimSuffix(owner[1:], []byte{'"'})),
		object: t.wanted.name, deadlock: t.dump.deadlocks, place: place})
	t.dump.size += 64 + len(t.waiter) + len(owner) + len(t.wanted.name)
	if t.dump.edgeClasses == nil {
		t.dump.edgeClasses = map[string]string{}
	}
	t.dump.edgeClasses[t.wanted.name] = t.wanted.class
	t.waiter = ""
}

// longOwner reads a line of an owner's name that has line ends.
func (t *textReader) longOwner(content []byte) {
	t.openOwner = append(append(t.openOwner, '\n'), content...)
	t.lead++
	if complete := len(content) > 0 && content[len(content)-1] == '"'; complete || t.lead > maxNameLines ||
		len(t.openOwner) > maxLine {
		holder := t.openOwner
		if t.openOwner = nil; complete {
			t.held(holder, t.named)
		}
	}
}

func (e edge) String() string {
	return fmt.Sprintf("%q waits for %s, which %q has", sanitize.Clip(e.waiter, maxQuoted), e.object,
		sanitize.Clip(e.owner, maxQuoted))
}
