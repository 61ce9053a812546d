package segment

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Cutter is a sink of the enriched stream that gives it on with its segments.
type Cutter struct {
	Sink
	sessions []uint32 // of each thread, by its key
	places   []uint32 // where the thread's segment stands in open, plus one; 0 if the thread has none
	open     []trace.Segment
	spare    []uint32 // places in open that are free
}

// NewCutter returns a Cutter that gives everything to the sink.
func NewCutter(sink Sink) *Cutter { return &Cutter{Sink: sink} }

// Thread notes the thread's session.
func (c *Cutter) Thread(t *trace.ModelThread) error {
	c.reach(t.Key)
	c.sessions[t.Key] = uint32(t.Session)
	return c.Sink.Thread(t)
}

// reach makes room for the thread.
func (c *Cutter) reach(key trace.ThreadKey) {
	if more := int(key) + 1 - len(c.places); more > 0 {
		c.places = append(c.places, make([]uint32, more)...)
		c.sessions = append(c.sessions, make([]uint32, more)...)
	}
}

// Event ends the thread's segment, if the event is a state, and begins the next one.
func (c *Cutter) Event(e *trace.ModelEvent) error {
	switch {
	case e.Type == trace.WaitTimeoutExceed:
		if open := c.at(e.Thread.Key); open != nil {
			open.TimedOut = true
		}
	case e.Type == trace.DeadLock:
		if open := c.at(e.Thread.Key); open != nil {
			open.Deadlocked = true
		}
	case e.Type.IsState():
		if err := c.cut(e); err != nil {
			return err
		}
	}
	return c.Sink.Event(e)
}

// at is the open segment of the thread, or nil.
func (c *Cutter) at(key trace.ThreadKey) *trace.Segment {
	c.reach(key)
	if place := c.places[key]; place != 0 {
		return &c.open[place-1]
	}
	return nil
}

func (c *Cutter) cut(e *trace.ModelEvent) error {
	segment := c.at(e.Thread.Key)
	if segment != nil {
		segment.End = e.Time
		if err := c.Sink.Segment(segment); err != nil {
			return err
		}
	}
	switch {
	case e.Type != trace.Dead:
		if segment == nil {
			segment = c.begin(e.Thread.Key)
		}
		c.fill(segment, e)
	case segment != nil:
		c.spare = append(c.spare, c.places[e.Thread.Key])
		c.places[e.Thread.Key] = 0
	}
	return nil
}

// begin makes room for the thread's segment.
func (c *Cutter) begin(key trace.ThreadKey) *trace.Segment {
	if last := len(c.spare) - 1; last >= 0 {
		c.places[key] = c.spare[last]
		c.spare = c.spare[:last]
	} else {
		c.open = append(c.open, trace.Segment{})
		c.places[key] = uint32(len(c.open))
	}
	return &c.open[c.places[key]-1]
}

func (c *Cutter) fill(segment *trace.Segment, e *trace.ModelEvent) {
	*segment = trace.Segment{
		ID: e.Segment, State: e.Type, Thread: e.Thread, Session: int(c.sessions[e.Thread.Key]), Begin: e.Time,
		Event:  e.ID,
		Object: e.Object, Class: e.Class, ObjectKey: e.ObjectKey, Other: e.Other, OtherCaller: e.OtherCaller,
		Timeout: e.Timeout, Inferred: e.Inferred, Stack: e.Stack, Caller: e.Caller,
	}
}

// End closes the segments that are still open.
func (c *Cutter) End(s *trace.Summary) error {
	for _, place := range slices.DeleteFunc(c.places, func(place uint32) bool { return place == 0 }) {
		segment := &c.open[place-1]
		segment.End, segment.Open = s.Last, true
		if err := c.Sink.Segment(segment); err != nil {
			return err
		}
	}
	return c.Sink.End(s)
}
