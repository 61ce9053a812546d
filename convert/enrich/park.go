package enrich

import "github.com/trcx/trcx/trace"

// A park, which is how the locks and queues of java.util.concurrent wait, and a wait for input or output are no waits
// on a monitor: the thread is outside of the wait set, no notification of a monitor ends the wait, and the monitor's
// owner stays.

// waitOutside opens such a wait, whatever its object is.
func (e *Enricher) waitOutside(event *trace.Event, t *thread) {
	waiting := e.append(t, trace.WaitingForObject, event.Time)
	waiting.Timeout, waiting.IO = t.wait.timeout, event.IO()
	waiting.Park = waiting.IO == trace.NoIO
	t.wait.outside = true
	if o := t.wait.object; o != nil {
		e.setObject(waiting, o)
		o.outside++
	}
}

// bindWaitOutside binds the Running event of such a wait's end to an interrupt during the wait. Without one a permit,
// an interrupt status or the operation itself ended it.
func (e *Enricher) bindWaitOutside(event *trace.Event, t *thread, run *trace.ModelEvent) {
	if c := t.interruptInWait; c.known() && !e.namesOther(event, c) {
		e.bind(c, t, refOf(run))
		t.interruptInWait, t.pendingInterrupt = cause{}, cause{}
	}
}

// leaveOutside ends such a wait on the object, which may be nil.
func (o *object) leaveOutside() {
	if o != nil {
		o.outside--
	}
}
