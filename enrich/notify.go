package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// callNotify is a call of Object.notify or notifyAll. It removes one or all threads from the wait set; they run when
// they have the monitor again. A thread whose return from its wait was recorded before the call is bound to it now.
func (e *Enricher) callNotify(event *trace.Event, t *thread) {
	all := event.Flag(trace.AttrIsNotifyAll)
	typ := trace.Notify
	if all {
		typ = trace.NotifyAll
	}
	o := e.objectOf(event)
	c := e.act(t, typ, event, o)
	known := event.Known()
	switch {
	case o == nil:
		return
	case known.Wakes != nil && known.Park:
		e.wakeParked(event, c, o)
		return
	}
	e.setOwner(o, t.incarnation, event.Time)
	switch {
	case known.Wakes != nil:
		e.wakeWaiters(event, c, o)
	case o.waiting.notify(c, t) == 0 || all:
		e.bindReturns(event, c, o, all)
	}
}

// act appends an event by which a thread acts on another one, and returns it as a cause.
func (e *Enricher) act(t *thread, typ trace.ModelType, event *trace.Event, o *object) cause {
	done := e.append(t.incarnation, typ, event.Time)
	e.setObject(done, o)
	return causeOf(done, o)
}

// bindNotify binds the Running event to a notification. The thread owns the monitor again; if another one held it in
// between, that thread had to release it first.
func (e *Enricher) bindNotify(c cause, t *thread, o *object, run *trace.ModelEvent) {
	e.bind(c, t.incarnation, refOf(run))
	if holder := o.owner; holder != nil && holder != t.incarnation && !holder.waitsOn(o) {
		run.ReacquiredFrom = holder.key
	}
	e.setOwner(o, t.incarnation, run.Time)
}

// findUnclaimed returns a notification that can have ended the wait although it did not remove the thread from the wait
// set: its thread returned for another reason, or it is assigned to another waiter, since not every JVM notifies in the
// order of the waits.
func (e *Enricher) findUnclaimed(event *trace.Event, t *thread, o *object) (c cause, found bool) {
	suits := func(c *cause) bool {
		return (!t.wait.open || c.Time >= t.wait.at) && !e.namesOther(event, c)
	}
	unclaimed := e.scope.unclaimed[o]
	if i := slices.IndexFunc(unclaimed, func(c cause) bool { return suits(&c) }); i >= 0 {
		c = unclaimed[i]
		keep(e.scope.unclaimed, o, removeAt(unclaimed, i))
		return c, true
	}
	return o.waiting.reassign(t, suits)
}

// unclaim makes a notify that did not wake its thread available to other threads.
func (e *Enricher) unclaim(c cause) {
	if !c.isNotify() {
		return
	}
	unclaimed := e.scope.unclaimed[c.object]
	if len(unclaimed) >= maxUnbound {
		unclaimed = unclaimed[1:]
	}
	e.scope.unclaimed[c.object] = append(unclaimed, c)
}

// dropUnclaimed drops the notifies of the object that woke no thread, if none waits any more.
func (s *scope) dropUnclaimed(o *object) {
	if o.waiting.isEmpty() {
		delete(s.unclaimed, o)
	}
}

// maxUnbound limits the returns without a cause, and the unclaimed notifies, of an object. Only hostile traces have
// more than a few; the oldest are dropped then.
const maxUnbound = 1024
