package enrich

import "github.com/trcx/trcx/trace"

// bindJoin binds the end of a wait on a dead thread's object to the thread's end: the JVM notifies all waiters of a
// java.lang.Thread object when the thread has ended.
func (e *Enricher) bindJoin(event *trace.Event, dead, t *thread, run *trace.ModelEvent) {
	joined := e.append(dead, trace.DeadAndNotifyJoined, event.Time)
	joined.Running = run.ID
	e.bind(causeOf(joined, nil), t, refOf(run))
}
