package enrich

import "github.com/trcx/trcx/trace"

const nanosPerMilli = 1_000_000

// monWait is JVMTI's MonitorWait: a thread waits for a notification, for the end of another thread, or for time to
// pass. Object.wait releases the monitor, which the thread owned until then.
func (e *Enricher) monWait(event *trace.Event, t *thread) {
	sleep := event.Object(trace.AttrObjIDRef).IsSleep()
	o := e.objectOf(event)
	e.closeWait(t, false)
	e.scope.order++
	t.wait = wait{open: true, sleep: sleep, object: o, at: event.Time, timeout: event.Timeout(), order: e.scope.order}
	t.interruptInWait = cause{}
	waiting := e.append(t, waitState(t, sleep, o), event.Time)
	waiting.Timeout = t.wait.timeout
	if o == nil {
		return
	}
	e.setObject(waiting, o)
	if waiting.Type == trace.WaitingForJoin && o.thread != nil {
		waiting.Other = o.thread.ref
	}
	o.owner = t
	o.waiting.add(t)
}

// waitState returns the state of a wait. Thread.join waits on the java.lang.Thread object of the thread that is to end.
func waitState(t *thread, sleep bool, o *object) trace.ModelType {
	switch {
	case sleep:
		return trace.Sleeping
	case o != nil && o.isThread && o.thread != t:
		return trace.WaitingForJoin
	}
	return trace.WaitingForObject
}

// monWaited is JVMTI's MonitorWaited: a wait is over, because its timeout has passed or because of a cause, which is to
// be found.
func (e *Enricher) monWaited(event *trace.Event, t *thread) {
	id := event.Object(trace.AttrObjIDRef)
	o := e.objectOf(event)
	timedOut, inferred := timedOut(event, t)
	if timedOut && !id.IsSleep() {
		exceeded := e.append(t, trace.WaitTimeoutExceed, event.Time)
		exceeded.Inferred = inferred
		e.setObject(exceeded, o)
	}
	run := e.append(t, trace.Running, event.Time)
	t.running(run.ID).waited = true
	run.Inferred = timedOut && inferred
	ended := t.wait
	same := !ended.open || ended.object == o && ended.sleep == id.IsSleep()
	claimed := false
	if !timedOut && same && (o != nil || id.IsSleep()) {
		claimed = e.bindWaitEnd(event, t, o, run)
	}
	e.closeWait(t, claimed)
}

// timedOut reports whether a wait ended by its timeout: the event says so, or it says nothing and the time has passed.
func timedOut(event *trace.Event, t *thread) (timedOut, inferred bool) {
	if value, set := event.Flag(trace.AttrIsTimedOut); set {
		return value, false
	}
	w := &t.wait
	passed := w.open && w.timeout > 0 && w.timeout <= int64(event.Time-w.at)/nanosPerMilli
	return passed, passed
}

// bindWaitEnd binds the Running event of a wait's end to the first cause that applies: an interrupt before the
// notification, the end of the joined thread, the notification that removed the thread from the wait set, an earlier
// interrupt, or a notification that has woken no other thread. The object is nil after a sleep. It reports whether the
// cause is the thread's notifiedBy.
func (e *Enricher) bindWaitEnd(event *trace.Event, t *thread, o *object, run *trace.ModelEvent) (claimed bool) {
	switch c := t.interruptInWait; {
	case t.wait.open && c.known() && (!t.notifiedBy.known() || t.notifiedBy.ID > c.ID) && !e.namesOther(event, c):
		e.bind(c, t, refOf(run))
		t.interruptInWait, t.pendingInterrupt = cause{}, cause{}
		return false
	case o != nil && o.thread != nil && o.thread != t && o.thread.dead:
		e.bindJoin(event, o.thread, t, run)
		return false
	case o != nil && t.wait.open && t.notifiedBy.known() && !e.namesOther(event, t.notifiedBy):
		e.bindNotify(t.notifiedBy, t, o, run)
		return true
	}
	if c := t.pendingInterrupt; c.known() && !e.namesOther(event, c) {
		e.bind(c, t, refOf(run))
		t.pendingInterrupt = cause{}
		return false
	}
	if o == nil {
		return false
	}
	if c, found := e.findUnclaimedNotify(event, t, o); found {
		e.bindNotify(c, t, o, run)
		return false
	}
	e.deferBinding(event, t, o, run)
	return false
}

// closeWait ends the thread's open wait. A notification that did not wake the thread is free for another one; an
// interrupt that did not stays pending, for Thread.interrupt sets a status that the next wait finds.
func (e *Enricher) closeWait(t *thread, claimed bool) {
	if !t.wait.open {
		return
	}
	if o := t.wait.object; o != nil {
		o.waiting.remove(t)
		if !claimed && t.notifiedBy.known() {
			t.notifiedBy.unclaim()
		}
		e.endedWaits = append(e.endedWaits, o)
	}
	if t.interruptInWait.known() {
		t.pendingInterrupt = t.interruptInWait
	}
	t.wait, t.notifiedBy, t.interruptInWait = wait{}, cause{}, cause{}
}
