package enrich

import "github.com/trcx/trcx/trace"

// monContendedEnter: a thread is blocked. The agent may know by whom; else the map does, as far as it can be true.
func (e *Enricher) monContendedEnter(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	inferred := o != nil && e.learnOwner(event, t, o)
	e.scope.order++
	e.scope.activate(t)
	t.blockOn(o)
	t.blockedInferred, t.blockedAt, t.blockedOrder = inferred, event.Time, e.scope.order
	blocked := e.append(t, trace.WaitingForLock, event.Time)
	e.name(blocked, o)
	if o != nil && o.owner != nil {
		blocked.Other, blocked.Inferred = o.owner.ref, inferred
		blocked.OtherCaller = e.whereabouts(o.owner)
	}
}

// learnOwner takes the owner of the object from what the thread that finds it taken says. It returns whether the owner
// is known from the map alone.
func (e *Enricher) learnOwner(event *trace.Event, t *thread, o *object) (inferred bool) {
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

// waitsOn says whether the thread waits on the object, which it has let go then.
func (t *thread) waitsOn(o *object) bool {
	return t.activity != nil && t.wait.open && t.wait.object == o
}

// monContendedEntered: the monitor's release was silent; it shows here, as a hand-off from the last owner.
func (e *Enricher) monContendedEntered(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	inferred := t.blocked != nil && t.blockedInferred
	t.blockOn(nil)
	run := e.run(t, event.Time)
	if o == nil {
		return
	}
	if event.By().Known() {
		if giver := e.scope.threads.get(event.By().ID); giver != nil {
			o.owner, inferred = giver, false
		}
	}
	if giver := o.owner; giver != nil && giver != t {
		handOff := e.append(giver, trace.HandoffLock, event.Time)
		handOff.Other, handOff.Running, handOff.Inferred = t.ref, run.id, inferred
		e.name(handOff, o)
		e.bind(causeOf(handOff, nil), t, run)
	}
	o.owner = t
}
