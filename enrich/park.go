package enrich

import (
	"strings"

	"github.com/trcx/trcx/trace"
)

// Waits outside of a monitor's wait set are parks, by which the locks and queues of java.util.concurrent wait, waits
// for input or output, and waits until another thread has initialised a class. No notification of a monitor ends them,
// and the monitor's owner is unchanged. The annotations of trace.Known report what is inferred for monitors: the owner,
// and who wakes a thread.

// waitOutside opens such a wait on any object.
func (e *Enricher) waitOutside(event *trace.Event, t *thread) {
	soon := t.soon
	waiting := e.appendState(t, trace.WaitingForObject, event.Time)
	waiting.Timeout, waiting.Older, waiting.Timed = t.wait.timeout, isOlder(event), isTimed(event)
	if by := event.Known().Init; by.Known() {
		waiting.Init, waiting.Other = true, trace.ThreadRef{ID: by}
		if t.wait.initialiser = e.scope.incarnation(by); t.wait.initialiser != nil {
			waiting.Other = t.wait.initialiser.ref()
		}
	} else {
		waiting.IO = event.IO()
		waiting.Park = waiting.IO == trace.NoIO
	}
	t.wait.outside, t.wait.parked = true, waiting.Park
	o := t.wait.object
	if o == nil {
		return
	}
	e.setLock(o, event.Known().Lock)
	e.setObject(waiting, o)
	if waiting.IO != trace.NoIO && !o.peerPut {
		e.putPeer(event, o)
	}
	o.outside++
	if waiting.Park && soon.object == o {
		t.notifiedBy = soon
	}
}

// putPeer puts the peer of a socket as the state of that object: it never changes.
func (e *Enricher) putPeer(event *trace.Event, o *object) {
	peer, known := event.Extra.Annotation(trace.NotePeer)
	if o.peerPut = true; known && peer != "" && !strings.Contains(peer, " ") {
		e.put(&trace.ObjectState{Session: e.session.Index, Object: o.id, Time: event.Time,
			Text: trace.NotePeer + "=" + peer})
	}
}

// bindWaitOutside binds the Running event of such a wait's end to the notification that named the thread, or to an
// interrupt during the wait. Without these a permit, an interrupt status or the operation itself ended it.
func (e *Enricher) bindWaitOutside(event *trace.Event, t *thread, run *trace.ModelEvent) {
	if c := t.notifiedBy; c.known() && !e.namesOther(event, &c) {
		e.bind(c, t.incarnation, refOf(run))
		t.current().parked = true
		if from := e.scope.incarnation(event.Known().LockFrom); from != nil && from != t.incarnation {
			run.ReacquiredFrom, run.Named = from.key, true
		}
		return
	}
	if c := t.interruptInWait; c.known() && !e.namesOther(event, &c) {
		e.bind(c, t.incarnation, refOf(run))
		t.dropInterrupts()
	}
}

// wakeParked assigns the notification to the threads that it names: now if a thread is parked on the object, else to
// its next state if that is such a park. A signal can be recorded before the wait that it ends.
func (e *Enricher) wakeParked(event *trace.Event, c cause, o *object) {
	for id := range event.Extra.Woken() {
		i := e.scope.incarnation(id)
		switch {
		case i == nil:
		case i.waitsOn(o) && i.live.wait.parked:
			i.live.notifiedBy = c
		default:
			e.expect(e.revive(i), c)
		}
	}
}

// wakeWaiters assigns the notification of a monitor, whose wait set was seen, to the threads that it names.
func (e *Enricher) wakeWaiters(event *trace.Event, c cause, o *object) {
	for id := range event.Extra.Woken() {
		if i := e.scope.incarnation(id); i != nil && i.waitsOn(o) && !i.live.wait.outside {
			o.waiting.mark(i.live, c)
		}
	}
}

// expect assigns the notification to the thread's next state, should it be a park on the object; the zero cause for
// none.
func (e *Enricher) expect(t *thread, c cause) {
	if t.soon.known() {
		t.soon.object.leaveOutside()
	}
	if t.soon = c; c.known() {
		c.object.outside++
	}
}

// giveUp ends an attempt to get a lock: by its timeout or by an interrupt.
func (e *Enricher) giveUp(event *trace.Event, t *thread, o *object, reason trace.GaveUp) {
	t.blockOn(nil)
	if reason == trace.GaveUpTimeout {
		e.setObject(e.append(t.incarnation, trace.WaitTimeoutExceed, event.Time), o)
	}
	run := e.appendState(t, trace.Running, event.Time)
	run.GaveUp = true
	if c := t.pendingInterrupt; o != nil && reason == trace.GaveUpInterrupt && c.known() {
		e.bind(c, t.incarnation, refOf(run))
		t.pendingInterrupt = cause{}
	}
}

// leaveOutside ends such a wait on the object, which may be nil.
func (o *object) leaveOutside() {
	if o != nil {
		o.outside--
	}
}
