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
	d := o.thread
	if d == nil || d.dead {
		return
	}
	if d.wait.open && !d.interruptInWait.known() {
		d.interruptInWait = c
	} else {
		d.pendingInterrupt = c
	}
}

// threadInterrupted proves that an interrupt ended the wait that is over or still open: the thread has thrown
// InterruptedException. It takes precedence over a notification or the end of a joined thread that the wait's end was
// bound to. An interrupt after the wait's end did not end it.
func (e *Enricher) threadInterrupted(event *trace.Event, t *thread) {
	e.scope.provesInterrupts = true
	c := t.pendingInterrupt
	if t.wait.open {
		c = t.interruptInWait
	}
	if !c.known() {
		return
	}
	t.interruptInWait, t.pendingInterrupt = cause{}, cause{}
	switch {
	case !t.hasState:
	case t.state == trace.Running:
		if last := t.running(t.last); last.waited && c.Time <= last.at && last.cause.replaceable() {
			old := last.cause
			e.bind(c, t, last.runningRef)
			old.unclaim()
			if old.object != nil {
				e.endedWaits = append(e.endedWaits, old.object)
			}
		}
	case t.state == trace.Sleeping || t.state == trace.WaitingForObject || t.state == trace.WaitingForJoin:
		e.bind(c, t, refOf(e.append(t, trace.Running, event.Time)))
		e.closeWait(t, false)
	}
}

// replaceable reports whether the proof of an interrupt replaces the cause of a wait's end.
func (c cause) replaceable() bool {
	switch {
	case !c.known():
		return true
	case c.park:
		return false
	case c.Type == trace.Notify, c.Type == trace.NotifyAll, c.Type == trace.DeadAndNotifyJoined:
		return true
	}
	return false
}
