package enrich

import (
	"bytes"

	"github.com/trcx/trcx/trace"
)

const nanosPerMilli = 1_000_000

// monWait is JVMTI's MonitorWait: a thread waits for a notification, for the end of another thread, or for time to
// pass. Object.wait releases the monitor, which the thread owned until then.
func (e *Enricher) monWait(event *trace.Event, t *thread) {
	sleep := event.Object(trace.AttrObjIDRef).IsSleep()
	o := e.objectOf(event)
	e.closeWait(t, false)
	e.scope.order++
	t.wait = wait{open: true, sleep: sleep, object: o, at: event.Time, timeout: event.Timeout(), order: e.scope.order}
	if known := event.Known(); known.Park || known.IO != trace.NoIO || known.Init.Known() {
		e.waitOutside(event, t)
		return
	}
	waiting := e.appendState(t, e.scope.waitState(event, t, sleep, o), event.Time)
	waiting.Timeout, waiting.Older, waiting.Timed = t.wait.timeout, isOlder(event), isTimed(event)
	if o == nil {
		return
	}
	e.setObject(waiting, o)
	if joined := e.scope.threadOf(o); waiting.Type == trace.WaitingForJoin && joined != nil {
		waiting.Other = joined.ref()
	}
	o.owner = t.incarnation
	e.setHolder(o, nil, event.Time)
	o.waiting.add(t)
}

// waitState returns the state of a wait. Thread.join waits on the java.lang.Thread object of the thread that is to end.
// A thread that waits on its own one likely expects a notification, unless the event says that it joins itself.
func (s *scope) waitState(event *trace.Event, t *thread, sleep bool, o *object) trace.ModelType {
	switch {
	case sleep:
		return trace.Sleeping
	case o != nil && o.isThread && (s.threadOf(o) != t.incarnation || isJoin(event)):
		return trace.WaitingForJoin
	}
	return trace.WaitingForObject
}

// monWaited is JVMTI's MonitorWaited: a wait is over, because its timeout has passed or because of a cause that has to
// be found.
func (e *Enricher) monWaited(event *trace.Event, t *thread) {
	id := event.Object(trace.AttrObjIDRef)
	o := e.objectOf(event)
	ended := t.wait
	matches := ended.open && ended.object == o && ended.sleep == id.IsSleep()
	timedOut, inferred := timedOut(event, t, matches)
	if timedOut && !id.IsSleep() {
		exceeded := e.append(t.incarnation, trace.WaitTimeoutExceed, event.Time)
		exceeded.Inferred = inferred
		e.setObject(exceeded, o)
	}
	run := e.appendState(t, trace.Running, event.Time)
	t.current().waited = true
	run.Inferred = timedOut && inferred
	claimed := false
	switch {
	case timedOut || ended.open && !matches || o == nil && !id.IsSleep():
	case ended.outside:
		e.bindWaitOutside(event, t, run)
	default:
		claimed = e.bindWaitEnd(event, t, o, run)
	}
	e.closeWait(t, claimed)
}

// isOlder reports whether a wait began before its event was recorded.
func isOlder(event *trace.Event) bool { return isAnnotated(event, trace.NoteBegan) }

// isJoin reports whether the event says that its wait is a Thread.join.
func isJoin(event *trace.Event) bool {
	call, _ := event.Extra.Annotation(trace.NoteCall)
	return call == trace.CallJoin
}

// isTimed reports whether annotations of a wait have its timeout.
func isTimed(event *trace.Event) bool {
	return isAnnotated(event, trace.NoteTimeoutNanos) || isAnnotated(event, trace.NoteUntil)
}

// isAnnotated reports whether the event has the annotation.
func isAnnotated(event *trace.Event, name string) bool {
	if event.Extra == nil || !bytes.Contains(event.Extra.Inner, []byte(name)) {
		return false
	}
	_, is := event.Extra.Annotation(name)
	return is
}

// timedOut reports whether a wait ended by its timeout: the event says so, or it does not say and the time has passed
// without an interrupt. With matches, the event has the object of the open wait.
func timedOut(event *trace.Event, t *thread, matches bool) (timedOut, inferred bool) {
	if event.Has(trace.AttrIsTimedOut) {
		return event.Flag(trace.AttrIsTimedOut), false
	}
	w := &t.wait
	passed := matches && !t.interruptInWait.known() && w.timeout > 0 &&
		w.timeout <= int64(event.Time-w.at)/nanosPerMilli
	return passed, passed
}

// bindWaitEnd binds the Running event of a wait's end to the first cause that applies: an interrupt (see interrupted),
// the end of the joined thread, the notification that removed the thread from the wait set, an earlier interrupt, or a
// notification that has woken no other thread. The object is nil after a sleep. It reports whether the cause is the
// thread's notifiedBy.
func (e *Enricher) bindWaitEnd(event *trace.Event, t *thread, o *object, run *trace.ModelEvent) (claimed bool) {
	joined := e.endedThread(t, o)
	switch c := &t.notifiedBy; {
	case e.interrupted(t, joined != nil) && !e.namesOther(event, &t.interruptInWait):
		e.bind(t.interruptInWait, t.incarnation, refOf(run))
		t.dropInterrupts()
		return false
	case joined != nil:
		e.bindJoin(event, joined, t, run)
		return false
	case o != nil && t.wait.open && c.known() && !e.namesOther(event, c):
		e.bindNotify(*c, t, o, run)
		return true
	}
	if c := t.pendingInterrupt; c.known() && !e.namesOther(event, &c) {
		e.bind(c, t.incarnation, refOf(run))
		t.pendingInterrupt = cause{}
		return false
	}
	if o == nil {
		return false
	}
	if c, found := e.findUnclaimed(event, t, o); found {
		e.bindNotify(c, t, o, run)
	} else {
		e.bindLater(event, t, o, run)
	}
	return false
}

// endedThread returns the dead thread that t has joined if o is its object; else nil.
func (e *Enricher) endedThread(t *thread, o *object) *incarnation {
	if o == nil || !o.isThread {
		return nil
	}
	if i := e.scope.threadOf(o); i != nil && i != t.incarnation && i.isDead() {
		return i
	}
	return nil
}

// bindJoin binds the end of a wait on a dead thread's object to the thread's end: the JVM notifies all waiters of a
// java.lang.Thread object when the thread has ended.
func (e *Enricher) bindJoin(event *trace.Event, dead *incarnation, t *thread, run *trace.ModelEvent) {
	joined := e.append(dead, trace.DeadAndNotifyJoined, event.Time)
	joined.Running = run.ID
	e.bind(causeOf(joined, nil), t.incarnation, refOf(run))
}

// interrupted reports whether the interrupt during the open wait ended it, not a notification or the end of the joined
// thread. If one of these comes within microseconds of the interrupt, HotSpot often honours it instead. If the recorder
// proves every interrupt, the proof that follows decides.
func (e *Enricher) interrupted(t *thread, joined bool) bool {
	switch {
	case !t.wait.open || !t.interruptInWait.known():
		return false
	case e.scope.provesInterrupts:
		return !t.notifiedBy.known() && !joined
	}
	return !t.notifiedBy.known() || t.notifiedBy.ID > t.interruptInWait.ID
}

// closeWait ends the thread's open wait. A notification that did not wake the thread can wake another one; an interrupt
// that did not stays pending, because the next wait finds the status that Thread.interrupt sets.
func (e *Enricher) closeWait(t *thread, claimed bool) {
	if !t.wait.open {
		return
	}
	if o := t.wait.object; t.wait.outside {
		o.leaveOutside()
	} else if o != nil {
		o.waiting.remove(t)
		if !claimed {
			e.unclaim(t.notifiedBy)
		}
		e.endedWaits = append(e.endedWaits, o)
	}
	t.wait = wait{}
	if t.interruptInWait.known() {
		t.pendingInterrupt = t.interruptInWait
	}
	t.notifiedBy, t.interruptInWait = cause{}, cause{}
}
