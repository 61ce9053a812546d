package enrich

import "github.com/trcx/trcx/trace"

// The owner map is object.owner: the thread that holds each monitor, as far as events imply it. Only the owner of a
// monitor may wait on it or notify its waiters (Object.wait and Object.notify throw otherwise), and a thread that has
// entered it, or returned from a wait on it, owns it. Exits that nobody waits for post no event.

// updateOwner sets the owner of the object from the monContendedEnter of a thread, which finds the monitor taken. It
// reports whether the owner is known from the owner map alone.
func (e *Enricher) updateOwner(event *trace.Event, t *thread, o *object) (inferred bool) {
	if event.Has(trace.AttrThreadOwner) {
		o.owner = nil
		if id := event.ID(trace.AttrThreadOwner); id.Known() {
			if owner := e.scope.threads.get(id); owner != t {
				o.owner = owner
			}
		}
		return false
	}
	if owner := o.owner; owner != nil && (owner == t || owner.dead || owner.waitsOn(o)) {
		o.owner = nil
	}
	return o.owner != nil
}

// waitsOn reports whether the thread waits on the object: Object.wait has released the monitor then.
func (t *thread) waitsOn(o *object) bool {
	return t.activity != nil && t.wait.open && t.wait.object == o
}
