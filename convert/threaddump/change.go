package threaddump

import (
	"errors"

	"github.com/trcx/trcx/trace"
)

func (s *series) end(k *known) error {
	return s.out.Element(trace.ThreadEnd, s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).Put()
}

// ends ends the threads that are gone: another thread has their id, or a whole dump of the form that had them has them
// no more. Of virtual threads the printed form has those only that run.
func (s *series) ends(d *dump) error {
	if d.told > 0 {
		return nil // there was none before
	}
	kept := s.order[:0]
	here := make(map[string]bool, len(d.threads))
	for _, t := range d.threads {
		here[t.id] = true
	}
	for _, k := range s.order {
		gone := d.whole && k.form == d.form
		if gone && k.virtual && d.form == printed && !here[k.id] {
			gone = false
			if err := s.unmount(k); err != nil {
				return err
			}
		}
		if k.thread != nil || !gone && !here[k.id] {
			kept = append(kept, k)
			continue
		}
		delete(s.known, k.id)
		if err := s.end(k); err != nil {
			return err
		}
	}
	clear(s.order[len(kept):])
	s.order = kept
	return nil
}

// leaves ends the states that have changed. Of those who have wanted an object the one comes last that has it now.
func (s *series) leaves(*dump) error {
	var owners []*known
	for _, k := range s.order {
		if k.thread == nil || !s.hasChanged(k) {
			continue
		}
		k.changed = true
		if owner := s.owners[k.was().name]; owner == k.thread && k.was().name != "" {
			owners = append(owners, k)
			continue
		}
		if err := s.leave(k); err != nil {
			return err
		}
	}
	for _, k := range owners {
		if err := s.leave(k); err != nil {
			return err
		}
	}
	return nil
}

// hasChanged reports whether a thread does something else than in the dump before. A thread that does nothing has
// the same calls. That it parks at a lock whose owner was not known, and now is, makes a block of a wait.
func (s *series) hasChanged(k *known) bool {
	a := k.thread.now
	if a.doing != k.doing || k.doing == running {
		return a.doing != k.doing
	}
	if *k.stack != *k.thread.stack && !k.thread.cut {
		return true
	}
	now := s.objects.now[a.object.name]
	return now == nil && k.was().object != "" || now != nil && now.id != k.was().object
}

// leave ends the state of a thread.
func (s *series) leave(k *known) error {
	if k.doing == running {
		return nil
	}
	t := k.thread
	var stack []byte
	if t.now.doing == running {
		stack = s.stackOf(t)
	}
	if object := s.objects.byID[k.was().object]; object != nil && k.doing == locking {
		object.owner = k.id
	}
	return s.event(endOf(k.doing), k.id, t).Text(trace.AttrObjIDRef, wantedID(k)).Stack(stack).Inferred().Put()
}

// endOf is the kind of the element that ends what a thread does.
func endOf(d doing) trace.Kind {
	if d == locking {
		return trace.MonContendedEntered
	}
	return trace.MonWaited
}

// unmount ends the state of a virtual thread that no carrier has any more. What it does then is not in a printed dump;
// that it is blocked for ever must not be said.
func (s *series) unmount(k *known) error {
	id := wantedID(k)
	ended := k.doing
	if k.doing = running; ended == running {
		return nil
	}
	now := *k.was()
	now.object = ""
	k.isNow(now, nil)
	return s.out.Element(endOf(ended), s.at.Offset).Text(trace.AttrThreadIDRef, k.id).At(s.last).
		Text(trace.AttrObjIDRef, id).Inferred().Put()
}

// handOffs tells of objects that have another owner, while somebody is blocked at them who has been so before: that
// owner has got it in between.
func (s *series) handOffs(*dump) error {
	for _, k := range s.order {
		if k.thread == nil || k.changed || k.doing != locking || k.was().object == "" {
			continue
		}
		a := k.thread.now
		object := s.objects.now[a.object.name]
		if a.owner == nil || object.owner == a.owner.id {
			continue
		}
		if owner := s.known[a.owner.id]; owner.changed || a.owner.now.doing == running {
			if err := s.getsIt(a.owner, object); err != nil {
				return err
			}
			continue
		}
		k.changed = true // the owner stood still, and was not known: the thread is told to be blocked once more
		if err := s.leave(k); err != nil {
			return err
		}
	}
	return nil
}

// getsIt tells that a thread has got an object from its last owner.
func (s *series) getsIt(t *thread, object *identity) error {
	err := s.event(trace.MonContendedEnter, t.id, t).Text(trace.AttrObjIDRef, object.id).Text(trace.AttrThreadOwner,
		ownerID(object.owner, t)).Inferred().Put()
	object.owner = t.id
	return errors.Join(err, s.event(trace.MonContendedEntered, t.id, t).Text(trace.AttrObjIDRef, object.id).Inferred().
		Put())
}
