package enrich

import "github.com/trcx/trcx/trace"

// cause is an event of one thread that can make another one run. The zero cause means that none is known.
type cause struct {
	trace.Cause
	object *object // whose waiters a notification has notified; else nil
}

func (c *cause) known() bool { return c.ID != 0 }

// isNotify reports whether the cause is a notify, which wakes one thread.
func (c *cause) isNotify() bool { return c.known() && c.Type == trace.Notify }

// causeOf returns the event as a cause.
func causeOf(event *trace.ModelEvent, o *object) cause {
	return cause{Cause: trace.Cause{ID: event.ID, Thread: event.Thread.Key, Type: event.Type, Segment: event.Segment,
		Time: event.Time}, object: o}
}

// runningRef names a Running event.
type runningRef struct {
	id      trace.EventID // 0 for none
	segment trace.SegmentID
}

func refOf(run *trace.ModelEvent) runningRef { return runningRef{run.ID, run.Segment} }

// running is a Running event to which a cause can be bound.
type running struct {
	runningRef
	at      trace.Time
	waited  bool    // appended by a monWaited
	parked  bool    // bound to the notification of a park, which no proof replaces
	cause   cause   // to which it is bound
	unbound *object // whose list of unbound returns has it; nil if none has
}

// bind makes c the cause of the thread's Running event, instead of an earlier one. It changes an event that is still
// pending, and puts a Binding for one that the sink has consumed.
func (e *Enricher) bind(c cause, i *incarnation, run runningRef) {
	var replaced trace.Cause
	if r := i.running(run.id); r != nil {
		replaced, r.cause = r.cause.Cause, c
		if r.unbound != nil {
			e.scope.removeReturn(r.unbound, run.id)
		}
	}
	for _, p := range e.pending {
		if p.ID == run.id {
			p.Cause = c.Cause
			return
		}
	}
	e.reused.binding = trace.Binding{Running: run.id, Thread: i.key, Segment: run.segment, Cause: c.Cause,
		Replaces: replaced}
	e.put(&e.reused.binding)
}

// namesOther reports whether the event names a thread, other than the cause's, that ended the wait.
func (e *Enricher) namesOther(event *trace.Event, c *cause) bool {
	if !event.By().Known() {
		return false
	}
	by := e.scope.incarnation(event.By())
	return by != nil && by.key != c.Thread
}
