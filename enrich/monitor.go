package enrich

import "github.com/trcx/trcx/trace"

// monContendedEnter is JVMTI's MonitorContendedEnter: a thread is blocked on a monitor that another one holds. The
// event may name the owner; else the owner map does, as far as it can be true.
func (e *Enricher) monContendedEnter(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	if event.IsAgain() {
		if o != nil && t.blocked == o && event.Time >= t.blockedAt {
			e.sampleOwner(event, o)
		}
		return
	}
	inferred := o != nil && e.updateOwner(event, t, o)
	e.scope.order++
	t.blockOn(o)
	t.blockedInferred, t.blockedAt, t.blockedOrder = inferred, event.Time, e.scope.order
	t.blockedTimed, t.blockedOlder = isTimed(event), isOlder(event)
	blocked := e.appendState(t, trace.WaitingForLock, event.Time)
	blocked.Park, blocked.Timed, blocked.Older = event.Park(), t.blockedTimed, t.blockedOlder
	if o == nil {
		return
	}
	e.setObject(blocked, o)
	e.contend(t, o, blocked)
	if o.owner != nil {
		blocked.Other, blocked.Inferred = o.owner.ref(), inferred
		blocked.OtherCaller = e.whereabouts(o.owner)
	}
}

// monContendedEntered is JVMTI's MonitorContendedEntered: the thread has the monitor. The release posted no event; it
// is inferred here, as a hand-off from the last owner.
func (e *Enricher) monContendedEntered(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	if reason := event.Known().GaveUp; reason != 0 {
		e.giveUp(event, t, o, reason)
		return
	}
	inferred, named := o != nil && t.blocked == o && t.blockedInferred, false
	t.blockOn(nil)
	run := e.appendState(t, trace.Running, event.Time)
	if o == nil {
		return
	}
	if event.By().Known() {
		if holder := e.scope.incarnation(event.By()); holder != nil && holder != t.incarnation {
			o.unlinkHolder()
			o.owner, o.heldBy, inferred, named = holder, holder, false, true
		}
	}
	run.Named = named
	if holder := o.owner; holder != nil && holder != t.incarnation {
		handOff := e.append(holder, trace.HandoffLock, event.Time)
		handOff.Other, handOff.Running, handOff.Inferred = t.ref(), run.ID, inferred
		e.setObject(handOff, o)
		e.bind(causeOf(handOff, nil), t.incarnation, refOf(run))
	}
	e.setOwner(o, t.incarnation, event.Time)
}
