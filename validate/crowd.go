package validate

import "github.com/trcx/trcx/trace"

// crowds has, by the id of the object that it has now, each monitor that threads are at. It is kept only once the trace
// has moved an object, which few agents tell; until then it is nil.
type crowds map[id]*crowd

// crowd is a monitor that threads are at. They share it, so that moving it costs the same for any number of them.
type crowd struct {
	object id
	size   int    // threads
	into   *crowd // the crowd that this one has become a part of, or nil
}

// root is the crowd that this one has become.
func (w *crowd) root() *crowd {
	for w.into != nil {
		if w.into.into != nil {
			w.into = w.into.into
		}
		w = w.into
	}
	return w
}

func (all crowds) join(t *thread) {
	if !t.object.names() {
		return
	}
	w := all[t.object]
	if w == nil {
		w = &crowd{object: t.object}
		all[t.object] = w
	}
	w.size++
	t.crowd = w
}

func (all crowds) leave(t *thread) {
	w := t.crowd.root()
	t.crowd = nil
	if w.size--; w.size == 0 {
		delete(all, w.object)
	}
}

// move gives the crowd at an object another id.
func (all crowds) move(from, to id) {
	w := all[from]
	if w == nil || from == to {
		return
	}
	delete(all, from)
	if other := all[to]; other != nil {
		w.into = other
		other.size += w.size
		return
	}
	w.object = to
	all[to] = w
}

// objMove lets the threads that are at an object follow it to its new id.
func (c *Checker) objMove(e *trace.Event, _ *thread) {
	from, to := c.ids[objectSpace], idOf(e.Value(trace.AttrNewObjID))
	if !from.names() || !to.names() {
		return
	}
	if c.crowds == nil {
		c.crowds = crowds{}
		for _, t := range c.threads.live {
			if t.stands != runs {
				c.crowds.join(t)
			}
		}
	}
	c.crowds.move(from, to)
}
