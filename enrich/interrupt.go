package enrich

import "github.com/trcx/trcx/trace"

// callInterrupt is a call of Thread.interrupt. It ends the wait that is open, or the next one: until then the thread's
// interrupt status is set.
func (e *Enricher) callInterrupt(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	c := e.act(t, trace.InterruptThread, event, o)
	if o == nil {
		return
	}
	o.isThread = true
	d := e.scope.threadOf(o)
	if d == nil || d.isDead() {
		return
	}
	if t := d.live; t.wait.open && !t.interruptInWait.known() {
		t.interruptInWait = c
	} else {
		t.pendingInterrupt = c
	}
}

// threadInterrupted proves that an interrupt ended the wait that is over or still open: the thread has thrown
// InterruptedException. The proof replaces the notification or the end of a joined thread to which the wait's end was
// bound. An interrupt after the wait's end did not end it.
func (e *Enricher) threadInterrupted(event *trace.Event, t *thread) {
	e.scope.provesInterrupts = true
	c := t.pendingInterrupt
	if t.wait.open {
		c = t.interruptInWait
	}
	if !c.known() {
		return
	}
	t.dropInterrupts()
	switch t.state {
	case trace.Running:
		if last := t.current(); last.waited && c.Time <= last.at && last.replaceable() {
			old := last.cause
			e.bind(c, t.incarnation, last.runningRef)
			e.unclaim(old)
			if old.object != nil {
				e.endedWaits = append(e.endedWaits, old.object)
			}
		}
	case trace.Sleeping, trace.WaitingForObject, trace.WaitingForJoin:
		e.bind(c, t.incarnation, refOf(e.appendState(t, trace.Running, event.Time)))
		e.closeWait(t, false)
	}
}

// dropInterrupts drops the interrupts that have come for the thread.
func (t *thread) dropInterrupts() { t.interruptInWait, t.pendingInterrupt = cause{}, cause{} }

// replaceable reports whether the proof of an interrupt replaces the cause of a wait's end.
func (r *running) replaceable() bool {
	if !r.cause.known() {
		return true
	}
	switch r.cause.Type {
	case trace.Notify, trace.NotifyAll:
		return !r.parked
	case trace.DeadAndNotifyJoined:
		return true
	}
	return false
}
