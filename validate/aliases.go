package validate

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// aliases has the objects of blocked, waiting and returned threads, by their current ids. It is kept from the first
// objMove on, which few agents post; until then it is nil.
type aliases map[threadstate.Key]*movedObject

// movedObject is an object that can move. The threads at it share it, so that a move costs the same for any number of
// threads. Objects that move to one id are joined, as in a union-find.
type movedObject struct {
	object  threadstate.Key // the current id
	threads int
	into    *movedObject // the object that this one was joined to, or nil
}

// find returns the object that this one was joined to in the end.
func (o *movedObject) find() *movedObject {
	for o.into != nil {
		if o.into.into != nil {
			o.into = o.into.into
		}
		o = o.into
	}
	return o
}

// add adds the thread's object.
func (all aliases) add(t *thread) {
	if !t.Object.Names() {
		return
	}
	o := all[t.Object]
	if o == nil {
		o = &movedObject{object: t.Object}
		all[t.Object] = o
	}
	o.threads++
	t.moved = o
}

// remove removes the thread from its object, and the object with the last thread.
func (all aliases) remove(t *thread) {
	o := t.moved.find()
	t.moved = nil
	if o.threads--; o.threads == 0 {
		delete(all, o.object)
	}
}

// move replaces the id of an object.
func (all aliases) move(from, to threadstate.Key) {
	o := all[from]
	if o == nil || from == to {
		return
	}
	delete(all, from)
	if other := all[to]; other != nil {
		o.into = other
		other.threads += o.threads
		return
	}
	o.object = to
	all[to] = o
}

// objMove lets the threads at an object follow it to its new id.
func (c *Checker) objMove(e *trace.Event, _ *thread) {
	from, to := c.ids[objectSpace], threadstate.KeyOf(e.Value(trace.AttrNewObjID))
	if !from.Names() || !to.Names() {
		return
	}
	if c.aliases == nil {
		c.aliases = aliases{}
		for t := range c.threads.live.All() {
			if t.State != threadstate.Runnable {
				c.aliases.add(t)
			}
		}
	}
	c.aliases.move(from, to)
}
