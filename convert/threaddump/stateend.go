package threaddump

import "github.com/trcx/trcx/trace"

func (s *series) endThread(k *traceThread) {
	s.out.Element(trace.ThreadEnd, s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).Put()
}

// endThreads ends the threads that are gone: another thread has their id, or a complete dump of the same form lacks
// them. The printed form has only those virtual threads that run.
func (s *series) endThreads(d *dump) {
	if d.emitted > 0 {
		return // there was none before
	}
	kept := s.order[:0]
	here := make(map[string]bool, len(d.threads))
	for _, t := range d.threads {
		here[t.id] = true
	}
	for _, k := range s.order {
		gone := d.complete && k.form == d.form
		if gone && k.virtual && d.form == printed && !here[k.id] {
			gone = false
			s.unmount(k)
		}
		if k.current != nil || !gone && !here[k.id] {
			kept = append(kept, k)
			continue
		}
		delete(s.threads, k.id)
		s.endThread(k)
	}
	clear(s.order[len(kept):])
	s.order = kept
}

// endStates ends the states that have changed. Of those who have wanted an object the one comes last that has it now.
func (s *series) endStates() {
	var owners []*traceThread
	for _, k := range s.order {
		if k.current == nil || !s.hasChanged(k) {
			continue
		}
		k.changed = true
		if owner := s.owners[k.previous.name]; owner == k.current && k.previous.name != "" {
			owners = append(owners, k)
			continue
		}
		s.endState(k)
	}
	for _, k := range owners {
		s.endState(k)
	}
}

// hasChanged reports whether a thread does something else than in the dump before. A thread that does nothing has
// the same calls. That it parks at a lock whose owner was not known, and now is, makes a block of a wait.
func (s *series) hasChanged(k *traceThread) bool {
	a := k.current.state
	if a.kind != k.state || k.state == running {
		return a.kind != k.state
	}
	if *k.stack != *k.current.stack && !k.current.cut {
		return true
	}
	now := s.objects.byName[a.object.name]
	return now == nil && k.previous.object != "" || now != nil && now.id != k.previous.object
}

// endState ends the state of a thread.
func (s *series) endState(k *traceThread) {
	if k.state == running {
		return
	}
	t := k.current
	var stack []byte
	if t.state.kind == running {
		stack = s.stackOf(t)
	}
	if object := s.objects.byID[k.previous.object]; object != nil && k.state == blocked {
		object.owner = k.id
	}
	s.event(endOf(k.state), k.id, t).Text(trace.AttrObjIDRef, wantedID(k)).Stack(stack).Inferred().Put()
}

// endOf is the kind of the element that ends what a thread does.
func endOf(d stateKind) trace.Kind {
	if d == blocked {
		return trace.MonContendedEntered
	}
	return trace.MonWaited
}

// unmount ends the state of a virtual thread that no carrier has any more. What it does then is not in a printed dump;
// that it is blocked for ever must not be said.
func (s *series) unmount(k *traceThread) {
	id := wantedID(k)
	ended := k.state
	if k.state = running; ended == running {
		return
	}
	k.previous.object = ""
	s.out.Element(endOf(ended), s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).
		Text(trace.AttrObjIDRef, id).Inferred().Put()
}

// handOffs emits the hand-offs of objects that have another owner while a thread is blocked at them that has been so
// before: the new owner has got them in between.
func (s *series) handOffs() {
	for _, k := range s.order {
		if k.current == nil || k.changed || k.state != blocked || k.previous.object == "" {
			continue
		}
		a := k.current.state
		object := s.objects.byName[a.object.name]
		if a.owner == nil || object.owner == a.owner.id {
			continue
		}
		if owner := s.threads[a.owner.id]; owner.changed || a.owner.state.kind == running {
			s.handOff(a.owner, object)
			continue
		}
		k.changed = true // the owner has not changed, and was unknown: the block is emitted again
		s.endState(k)
	}
}

// handOff emits the hand-off of an object from its last owner to the thread.
func (s *series) handOff(t *thread, object *traceObject) {
	s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, object.id).Text(trace.AttrThreadOwner,
		ownerID(object.owner, t)).Inferred().Put()
	object.owner = t.id
	s.event(trace.MonContendedEntered, t.id, t).Text(trace.AttrObjIDRef, object.id).Inferred().Put()
}
