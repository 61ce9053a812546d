package enrichtest

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// Order is a trace.Sink that checks whether records have the order that trace.Record promises. Put returns an error for
// a record that comes too early or too late.
type Order struct {
	// Partial leaves out checks that hold only for whole models: a selection lacks events and intervals.
	Partial bool

	records  int
	origin   bool
	ended    bool // the Summary has come
	closing  trace.ThreadKey
	threads  map[trace.ThreadKey]*threadOrder
	sessions map[int]bool
	finished map[int]bool            // sessions that a SessionEnd has ended
	objects  map[trace.ObjectID]bool // of all sessions
	types    map[trace.EventID]trace.ModelType
	last     trace.EventID
	awaited  trace.EventID // the latest cause of a binding
	activity trace.Activity
}

// threadOrder is the state of a thread.
type threadOrder struct {
	session    int
	opened     trace.EventID // the state event that opened its current interval
	closed     trace.EventID // the state event that opened its last interval
	deadlocked bool
}

// Put checks the record.
func (o *Order) Put(r trace.Record) error {
	if o.records++; o.records == 1 {
		o.threads, o.sessions = map[trace.ThreadKey]*threadOrder{}, map[int]bool{}
		o.finished = map[int]bool{}
		o.objects, o.types = map[trace.ObjectID]bool{}, map[trace.EventID]trace.ModelType{}
	}
	wrong := ""
	switch r := r.(type) {
	case *trace.Origin:
		wrong = first(o.origin, "a second origin", len(o.types) > 0, "an origin after an event")
		o.origin = true
	case *trace.Session:
		o.sessions[r.Index] = true
	case *trace.SessionEnd:
		wrong = first(o.finished[r.Index], "a second end of the session")
		o.finished[r.Index] = true
	case *trace.ModelThread:
		wrong = o.thread(r)
	case *trace.ModelObject:
		o.objects[r.ID] = true
	case *trace.Activity:
		wrong = first(o.threads[r.Thread.Key] == nil, "an activity of a thread that is not described")
		o.activity = *r
	case *trace.ModelEvent:
		wrong = o.event(r)
	case *trace.Interval:
		wrong = o.interval(r)
	case *trace.Binding:
		running, known := o.types[r.Running]
		wrong = first(!o.Partial && (!known || running != trace.Running), "a binding before its Running event")
		o.awaited = max(o.awaited, r.Cause.ID)
	case *trace.DeadlockLoop:
		for _, t := range r.Threads {
			thread := o.threads[t.Key]
			wrong = first(wrong != "", wrong, thread == nil || !o.Partial && !r.Init && !thread.deadlocked,
				"a deadlock before the DeadLock events of its threads")
		}
	}
	wrong = first(o.ended, "a record after the summary", wrong != "", wrong)
	if _, last := r.(*trace.Summary); last {
		o.ended = true
		wrong = first(wrong != "", wrong, !o.Partial && o.awaited > o.last, "the summary before the cause of a binding")
	}
	if wrong != "" {
		return fmt.Errorf("record %d (%T %+v): %s", o.records, r, r, wrong)
	}
	return nil
}

// first returns the text after the first condition that is true. Conditions and texts alternate.
func first(pairs ...any) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			return pairs[i+1].(string)
		}
	}
	return ""
}

// thread checks a thread, which may be described several times.
func (o *Order) thread(t *trace.ModelThread) string {
	known := o.threads[t.Key]
	if known == nil {
		known = &threadOrder{session: t.Session}
		o.threads[t.Key] = known
	}
	return first(int(t.Key) > len(o.threads), "a key above the number of threads",
		known.session != t.Session, "a thread that changes its session")
}

// event checks an event.
func (o *Order) event(e *trace.ModelEvent) string {
	t := o.threads[e.Thread.Key]
	if t == nil {
		return "an event of a thread that is not described"
	}
	wrong := first(!o.origin, "an event before the origin",
		!o.sessions[t.session], "an event before its session",
		o.finished[t.session], "an event after the end of its session",
		o.closing != 0, "an event after an interval that the end of the trace has closed",
		e.ID <= o.last, "an event with an id that is not the next one",
		!o.Partial && e.ID != o.last+1, "an event with an id that is not the next one",
		e.Object.Known() && e.ObjectKey == 0 || e.ObjectKey != 0 && !o.objects[e.Object],
		"an event of an object that is not described",
		e.Other.Key != 0 && o.threads[e.Other.Key] == nil, "an event that names a thread that is not described",
		e.Type != trace.DeadLock && o.activity.Time != e.Time, "an event before the activity of its element",
		!o.Partial && e.Cause.ID > e.ID+1, "an event with a cause that is not among its element's events")
	switch o.types[e.ID], o.last = e.Type, e.ID; {
	case e.Type == trace.DeadLock:
		t.deadlocked = true
	case e.Type.IsState():
		if wrong == "" && !o.Partial && t.closed != t.opened {
			wrong = "a state event before the interval that it ends"
		}
		if t.opened = e.ID; e.Type == trace.Dead {
			t.closed = e.ID
		}
	}
	return wrong
}

// interval checks an interval.
func (o *Order) interval(i *trace.Interval) string {
	t := o.threads[i.Thread.Key]
	if t == nil {
		return "an interval of a thread that is not described"
	}
	wrong := first(i.Session != t.session, "an interval of another session than its thread's",
		!o.Partial && (t.opened != i.ID || t.closed == i.ID), "an interval that is not its thread's open one",
		!o.Partial && !i.Open && o.closing != 0, "an ended interval after one that the end of the trace has closed",
		!o.Partial && i.Open && i.Thread.Key <= o.closing, "open intervals that are not in the order of their threads")
	t.closed = i.ID
	if i.Open && !o.Partial {
		o.closing = i.Thread.Key
	}
	return wrong
}

// Ended reports whether the Summary has come.
func (o *Order) Ended() bool { return o.ended }
