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
	if d == nil {
		return
	}
	d.ensureActivity()
	if d.wait.open && !d.interruptInWait.known() {
		d.interruptInWait = c
	} else {
		d.pendingInterrupt = c
	}
}

// threadInterrupted proves that an interrupt ended the wait that is over or still open: the thread has thrown
// InterruptedException. It takes precedence over a notification that the wait's end was bound to.
func (e *Enricher) threadInterrupted(event *trace.Event, t *thread) {
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
		last := t.running(t.last)
		if old := last.cause; last.waited && (!old.known() || old.Type == trace.Notify || old.Type == trace.NotifyAll) {
			e.bind(c, t, last.runningRef)
			if old.known() {
				old.unclaim()
				e.endedWaits = append(e.endedWaits, old.object)
			}
		}
	case t.state == trace.Sleeping || t.state == trace.WaitingForObject || t.state == trace.WaitingForJoin:
		e.bind(c, t, refOf(e.append(t, trace.Running, event.Time)))
		e.closeWait(t, false)
	}
}
