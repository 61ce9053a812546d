package jvmtest

import (
	"fmt"

	"github.com/trcx/trcx/enrich/enrichtest"
	"github.com/trcx/trcx/trace"
)

// claims collects the claims of a model.
type claims struct {
	all     []Claim
	start   trace.Time
	objects map[string]string // id -> subject.Object
	runs    map[int]run       // by the event's number
}

// run is a Running event, with the time at which the state before it began.
type run struct {
	thread    string
	at, since trace.Time
}

// claimsOf returns the claims of a model, thread by thread, in the order of the events.
func claimsOf(doc *enrichtest.Doc) ([]Claim, error) {
	start, reading := trace.ParseTime([]byte(doc.Trace.StartTime))
	if reading != trace.Exact {
		return nil, fmt.Errorf("the model's startTime %q is not a time", doc.Trace.StartTime)
	}
	c := &claims{start: start, objects: map[string]string{}, runs: map[int]run{}}
	for _, object := range doc.Objects {
		c.objects[object.ObjectID] = object.Class
	}
	for _, t := range doc.Threads {
		c.objects[t.ObjectID] = "#" + t.ThreadID
		c.run(t)
	}
	for _, t := range doc.Threads {
		c.thread(t)
	}
	for _, loop := range doc.Deadlocks {
		c.all = append(c.all, Claim{subject: deadlock(loop.ThreadIDs).subject})
	}
	return c.all, nil
}

// run collects the thread's Running events.
func (c *claims) run(t *enrichtest.Thread) {
	var since trace.Time
	for _, e := range t.Events {
		at := c.start + trace.Time(e.Time)
		if e.Type == enrichtest.Running {
			c.runs[e.ID] = run{t.ThreadID, at, since}
		}
		if e.IsState() {
			since = at
		}
	}
}

// thread adds the claims about a thread.
func (c *claims) thread(t *enrichtest.Thread) {
	c.all = append(c.all, Claim{subject: subject{Thread, t.ThreadID, t.Name}})
	var since trace.Time // when the current state began
	for i, e := range t.Events {
		at := c.start + trace.Time(e.Time)
		if e.IsState() {
			since = at
		}
		switch e.Type {
		case enrichtest.Notify:
			c.called(CallNotify, t, e, e.ObjectRef)
			c.caused(Notify, t, e, e.RunningEvent, c.objects[e.ObjectRef])
		case enrichtest.NotifyAll:
			c.called(CallNotify, t, e, e.ObjectRef)
			for _, running := range e.RunningEvents {
				c.caused(NotifyAll, t, e, running, c.objects[e.ObjectRef])
			}
		case enrichtest.InterruptThread:
			c.called(CallInterrupt, t, e, e.InterruptedThread)
			c.caused(Interrupt, t, e, e.RunningEvent, "")
		case enrichtest.StartsThread:
			c.called(CallStart, t, e, e.StartedThread)
			c.caused(Start, t, e, e.RunningEvent, "")
		case enrichtest.DeadAndNotifyJoined:
			c.caused(Join, t, e, e.RunningEvent, "#"+t.ThreadID)
		case enrichtest.HandoffLock:
			c.caused(Handoff, t, e, e.RunningEvent, c.objects[e.LockedObject])
		case enrichtest.WaitTimeoutExceed:
			c.all = append(c.all, Claim{subject: subject{Timeout, t.ThreadID, c.objects[e.ObjectRef]}, At: at,
				Since: since, Event: e.ID})
		case enrichtest.Sleeping:
			c.slept(t, i)
		}
	}
}

// called adds a call, whatever its effect.
func (c *claims) called(kind Kind, t *enrichtest.Thread, e *enrichtest.Event, object string) {
	c.all = append(c.all, Claim{subject: subject{kind, t.ThreadID, c.objects[object]}, At: c.start + trace.Time(e.Time),
		Event: e.ID})
}

// caused adds a call's effect, if it has one.
func (c *claims) caused(kind Kind, t *enrichtest.Thread, e *enrichtest.Event, running int, object string) {
	if r, ok := c.runs[running]; ok {
		c.all = append(c.all, Claim{subject: subject{kind, r.thread, object}, At: r.at, Since: r.since, By: t.ThreadID,
			Event: e.ID})
	}
}

// slept adds a sleep, which lasts until the next state.
func (c *claims) slept(t *enrichtest.Thread, i int) {
	e := t.Events[i]
	claim := Claim{subject: subject{Kind: Sleep, Thread: t.ThreadID}, Since: c.start + trace.Time(e.Time), Event: e.ID}
	if e.Timeout != nil {
		claim.Millis = *e.Timeout
	}
	for _, next := range t.Events[i+1:] {
		if next.IsState() {
			claim.At = c.start + trace.Time(next.Time)
			c.all = append(c.all, claim)
			return
		}
	}
}
