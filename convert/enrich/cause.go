package enrich

import "github.com/trcx/trcx/trace"

// cause is an event of one thread that can make another one run. The zero cause is none.
type cause struct {
	trace.Cause
	object *object // whose waiters a notification has notified; else nil
}

func (c cause) known() bool { return c.ID != 0 }

// isNotify reports whether the cause is a notify, which wakes one thread.
func (c cause) isNotify() bool { return c.known() && c.Type == trace.Notify }

// causeOf returns the event as a cause.
func causeOf(event *trace.ModelEvent, o *object) cause {
	return cause{Cause: trace.Cause{ID: event.ID, Thread: event.Thread.Key, Type: event.Type, Segment: event.Segment,
		Time: event.Time}, object: o}
}

// runningRef names a Running event.
type runningRef struct {
	id      trace.EventID
	segment trace.SegmentID
}

func refOf(run *trace.ModelEvent) runningRef { return runningRef{run.ID, run.Segment} }

// running is a Running event to which a cause can be bound.
type running struct {
	runningRef
	at      trace.Time
	waited  bool    // a monWaited appended it
	parked  bool    // the notification that it is bound to has ended a park, which nothing disproves
	cause   cause   // that it is bound to
	unbound *object // among whose unboundReturns it is; nil if it is not
}

// running returns the thread's Running event of the id, if that is its first one or opened its current state; else nil.
func (t *thread) running(id trace.EventID) *running {
	switch {
	case t.activity == nil:
		return nil
	case t.first != nil && t.first.id == id:
		return t.first
	case t.later != nil && t.later.id == id:
		return t.later
	}
	return nil
}

// bind makes c the cause of the thread's Running event, in place of an earlier one. An event that is still pending is
// changed; for one that the sink has consumed a Binding is put.
func (e *Enricher) bind(c cause, t *thread, run runningRef) {
	var replaced trace.Cause
	e.wake(t)
	if r := t.running(run.id); r != nil {
		replaced, r.cause = r.cause.Cause, c
		if r.unbound != nil {
			r.unbound.removeReturn(run.id)
		}
	}
	for i := range e.pending {
		if e.pending[i].ID == run.id {
			e.pending[i].Cause = c.Cause
			return
		}
	}
	e.reused.binding = trace.Binding{Running: run.id, Thread: t.ref.Key, Segment: run.segment, Cause: c.Cause,
		Replaces: replaced}
	e.put(&e.reused.binding)
}

// namesOther reports whether the event says that another thread than that of the cause ended the wait.
func (e *Enricher) namesOther(event *trace.Event, c cause) bool {
	if !event.By().Known() {
		return false
	}
	by := e.scope.thread(event.By().ID)
	return by != nil && by.ref.Key != c.Thread
}
