package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// callNotify is a call of Object.notify or notifyAll. It removes one or all threads from the wait set; they run when
// they have the monitor again. A thread whose return from its wait was recorded before the call is bound to it now.
func (e *Enricher) callNotify(event *trace.Event, t *thread) {
	all, _ := event.Flag(trace.AttrIsNotifyAll)
	typ := trace.Notify
	if all {
		typ = trace.NotifyAll
	}
	o := e.objectOf(event)
	c := e.act(t, typ, event, o)
	known := event.Known()
	if o != nil {
		o.notified = true
	}
	switch {
	case o == nil:
		return
	case known.Wakes != nil && known.Park:
		e.wakeParked(event, c, o)
		return
	}
	e.setOwner(o, t, event.Time)
	if known.Wakes != nil {
		e.wakeWaiters(event, c, o)
		return
	}
	if e.notify(o, c, t) > 0 && !all || o.interactions == nil {
		return
	}
	e.bindReturns(event, c, o, all)
}

// bindReturns binds returns from waits on the object, which were recorded before the notification that ended them: one,
// or all.
func (e *Enricher) bindReturns(event *trace.Event, c cause, o *object, all bool) {
	o.expireReturns(e.last)
	for i := 0; i < len(o.unboundReturns); {
		r := o.unboundReturns[i]
		if r.at < event.Time || r.dated && r.began > event.Time {
			i++
			continue
		}
		o.removeReturnAt(i)
		e.bind(c, r.thread, r.runningRef)
		if !all {
			break
		}
	}
	e.dropInteractions(o)
}

// act appends an event by which a thread acts on another one, and returns it as a cause.
func (e *Enricher) act(t *thread, typ trace.ModelType, event *trace.Event, o *object) cause {
	done := e.append(t, typ, event.Time)
	e.setObject(done, o)
	return causeOf(done, o)
}

// bindNotify binds the Running event to a notification. The thread owns the monitor again; if another one held it in
// between, that one had to release it first.
func (e *Enricher) bindNotify(c cause, t *thread, o *object, run *trace.ModelEvent) {
	e.bind(c, t, refOf(run))
	if holder := o.owner; holder != nil && holder != t && !holder.waitsOn(o) {
		run.ReacquiredFrom = holder.ref.Key
	}
	e.setOwner(o, t, run.Time)
}

// findUnclaimedNotify returns a notification that can have ended the wait although it did not remove the thread from
// the wait set: one whose thread returned for another reason, or one that is assigned to another waiter, for not every
// JVM notifies in the order of the waits.
func (e *Enricher) findUnclaimedNotify(event *trace.Event, t *thread, o *object) (cause, bool) {
	recent := func(c cause) bool {
		return (!t.wait.open || c.Time >= t.wait.at) && !e.namesOther(event, c)
	}
	if o.interactions != nil {
		if i := slices.IndexFunc(o.unclaimedNotifies, recent); i >= 0 {
			c := o.unclaimedNotifies[i]
			o.unclaimedNotifies = removeAt(o.unclaimedNotifies, i)
			return c, true
		}
	}
	return o.reassign(t, recent)
}

// unclaim makes a notify that did not wake its thread free for another one.
func (e *Enricher) unclaim(c cause) {
	if !c.isNotify() {
		return
	}
	found := e.interact(c.object)
	if len(found.unclaimedNotifies) >= maxUnbound {
		found.unclaimedNotifies = found.unclaimedNotifies[1:]
	}
	found.unclaimedNotifies = append(found.unclaimedNotifies, c)
}

// unboundReturn is a return from a wait that has no cause yet.
type unboundReturn struct {
	runningRef
	thread *thread
	at     trace.Time // of the Running event
	began  trace.Time // the wait, if dated
	dated  bool
}

// maxUnbound is the limit for unboundReturns and for unclaimedNotifies of an object. More than a few occur in hostile
// traces only; the oldest are dropped then.
const maxUnbound = 1024

// disorder is how far the times of real traces go back, in nanoseconds.
const disorder = 2_000_000

// deferBinding keeps the Running event for a notification that is recorded late.
func (e *Enricher) deferBinding(event *trace.Event, t *thread, o *object, run *trace.ModelEvent) {
	found := e.interact(o)
	for len(found.unboundReturns) > 0 &&
		(found.unboundReturns[0].at < e.last-disorder || len(found.unboundReturns) >= maxUnbound) {
		o.removeReturnAt(0)
	}
	found.unboundReturns = append(found.unboundReturns,
		unboundReturn{runningRef: refOf(run), thread: t, at: event.Time, began: t.wait.at, dated: t.wait.open})
	t.running(run.ID).unbound = o
}

// expireReturns drops the returns that are too old to be bound.
func (o *object) expireReturns(latest trace.Time) {
	if len(o.unboundReturns) == 0 {
		return
	}
	o.unboundReturns = slices.DeleteFunc(o.unboundReturns, func(r unboundReturn) bool {
		old := r.at < latest-disorder
		if old {
			r.unlink()
		}
		return old
	})
}

// removeReturn removes the return of the Running event.
func (o *object) removeReturn(id trace.EventID) {
	if i := slices.IndexFunc(o.unboundReturns, func(r unboundReturn) bool { return r.id == id }); i >= 0 {
		o.removeReturnAt(i)
	}
}

// removeReturnAt removes the return at the index.
func (o *object) removeReturnAt(i int) {
	o.unboundReturns[i].unlink()
	o.unboundReturns = removeAt(o.unboundReturns, i)
}

// unlink notes in the thread that the Running event is not among the unboundReturns of an object any more.
func (r *unboundReturn) unlink() {
	if run := r.thread.running(r.id); run != nil {
		run.unbound = nil
	}
}

// removeAt removes an element. The first one of several is removed without moving the others.
func removeAt[E any](list []E, i int) []E {
	if i == 0 && len(list) > 1 {
		return list[1:]
	}
	return slices.Delete(list, i, i+1)
}
