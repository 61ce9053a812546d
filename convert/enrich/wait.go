package enrich

import "github.com/trcx/trcx/trace"

const nanosPerMilli = 1_000_000

// monWait: a thread waits for a notification, for the end of another thread, or for time to pass. Only the owner of a
// monitor may wait on it.
func (e *Enricher) monWait(event *trace.Event, t *thread) {
	sleep := event.Object(trace.AttrObjIDRef).IsSleep()
	o := e.objectOf(event)
	e.closeWait(t, false)
	e.scope.order++
	t.wait = wait{open: true, sleep: sleep, object: o, at: event.Time, timeout: event.Timeout(), order: e.scope.order}
	t.during = cause{}
	waiting := e.append(t, waitState(t, sleep, o), event.Time)
	waiting.Timeout = t.wait.timeout
	if o == nil {
		return
	}
	e.name(waiting, o)
	if waiting.Type == trace.WaitingForJoin && o.thread != nil {
		waiting.Other = o.thread.ref
	}
	o.owner = t
	o.waiting.add(t)
}

func waitState(t *thread, sleep bool, o *object) trace.ModelType {
	switch {
	case sleep:
		return trace.Sleeping
	case o != nil && o.isThread && o.thread != t:
		return trace.WaitingForJoin
	}
	return trace.WaitingForObject
}

// monWaited: a wait is over, because its time is, or because of somebody who is to be found.
func (e *Enricher) monWaited(event *trace.Event, t *thread) {
	id := event.Object(trace.AttrObjIDRef)
	o := e.objectOf(event)
	timedOut, inferred := timedOut(event, t)
	if timedOut && !id.IsSleep() {
		exceeded := e.append(t, trace.WaitTimeoutExceed, event.Time)
		exceeded.Inferred = inferred
		e.name(exceeded, o)
	}
	run := e.append(t, trace.Running, event.Time)
	t.last.waited = true
	if t.first.id == t.last.id {
		t.first.waited = true
	}
	run.Inferred = timedOut && inferred
	ended := t.wait
	same := !ended.open || ended.object == o && ended.sleep == id.IsSleep()
	marked := false
	if !timedOut && same && (o != nil || id.IsSleep()) {
		marked = e.explain(event, t, o, appended{run.ID, run.Segment})
	}
	e.closeWait(t, marked)
}

// timedOut says whether a wait ended by its timeout: the agent says so, or it says nothing and the time has passed.
func timedOut(event *trace.Event, t *thread) (timedOut, inferred bool) {
	if value, set := event.Flag(trace.AttrIsTimedOut); set {
		return value, false
	}
	w := &t.wait
	passed := w.open && w.timeout > 0 && w.timeout <= int64(event.Time-w.at)/nanosPerMilli
	return passed, passed
}

// explain binds the Running event of a wait's end to the first cause that applies. The object is nil after a sleep. It
// says whether the cause is the thread's mark.
func (e *Enricher) explain(event *trace.Event, t *thread, o *object, run appended) (marked bool) {
	switch c := t.during; {
	case t.wait.open && c.known() && (!t.mark.known() || t.mark.ID > c.ID) && !e.knownOther(event, c):
		e.bind(c, t, run)
		t.during, t.before = cause{}, cause{}
		return false
	case o != nil && o.thread != nil && o.thread != t && o.thread.dead:
		e.joined(event, o.thread, t, run)
		return false
	case o != nil && t.wait.open && t.mark.known() && !e.knownOther(event, t.mark):
		e.notified(t.mark, t, o, run)
		return true
	}
	if c := t.before; c.known() && !e.knownOther(event, c) {
		e.bind(c, t, run)
		t.before = cause{}
		return false
	}
	if o == nil {
		return false
	}
	if c, found := e.spareNotify(event, t, o); found {
		e.notified(c, t, o, run)
		return false
	}
	e.leaveUnexplained(event, t, o, run)
	return false
}

// knownOther says whether the input knows who ended the wait, and it is not the thread of the cause.
func (e *Enricher) knownOther(event *trace.Event, c cause) bool {
	if !event.By().Known() {
		return false
	}
	by := e.scope.threads.get(event.By().ID)
	return by != nil && by.ref.Key != c.Thread
}

// joined: the JVM notifies all who wait on a thread's object when the thread has ended.
func (e *Enricher) joined(event *trace.Event, dead, t *thread, run appended) {
	joined := e.append(dead, trace.DeadAndNotifyJoined, event.Time)
	joined.Running = run.id
	e.bind(causeOf(joined, nil), t, run)
}

// notified binds the Running event to a notification. The thread has the monitor again; where another one held it in
// between, that one had to let it go first.
func (e *Enricher) notified(c cause, t *thread, o *object, run appended) {
	e.bind(c, t, run)
	if p := o.owner; p != nil && p != t && !p.waitsOn(o) {
		e.pending[len(e.pending)-1].ReacquiredFrom = p.ref
	}
	o.owner = t
}

// spareNotify finds a notification that can have ended the wait although the thread does not bear its mark: one whose
// thread has left for another reason, or one that marks another waiter, for not every JVM wakes in the order of the
// waits.
func (e *Enricher) spareNotify(event *trace.Event, t *thread, o *object) (cause, bool) {
	recent := func(c cause) bool {
		return (!t.wait.open || c.Time >= t.wait.at) && !e.knownOther(event, c)
	}
	for i, c := range o.loose {
		if recent(c) {
			o.loose = removeAt(o.loose, i)
			return c, true
		}
	}
	return o.waiting.take(t, recent)
}

// leaveUnexplained keeps the Running event for a notification that comes late.
func (e *Enricher) leaveUnexplained(event *trace.Event, t *thread, o *object, run appended) {
	o.wake(woken{thread: t, running: run, at: event.Time, began: t.wait.at, dated: t.wait.open}, e.summary.Last)
	t.last.woken = o
	if t.first.id == t.last.id {
		t.first.woken = o
	}
}

// closeWait ends the thread's open wait. A mark that was not used is free for another; an interrupt that was not used
// remains set.
func (e *Enricher) closeWait(t *thread, markUsed bool) {
	if !t.wait.open {
		return
	}
	if o := t.wait.object; o != nil {
		o.waiting.leave(t)
		if !markUsed && t.mark.known() {
			t.mark.loosen()
		}
		e.emptied = append(e.emptied, o)
	}
	if t.during.known() {
		t.before = t.during
	}
	t.wait, t.mark, t.during = wait{}, cause{}, cause{}
}

// loosen makes a notify that did not wake the thread it marked free for another one.
func (c cause) loosen() {
	if c.Type != trace.Notify {
		return
	}
	o := c.object
	if len(o.loose) >= maxUnbound {
		o.loose = o.loose[1:]
	}
	o.loose = append(o.loose, c)
}
