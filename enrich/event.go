package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// pendingEvent is an event that can still be completed.
type pendingEvent struct {
	trace.ModelEvent
	thread *incarnation
	live   *thread // its state when the event was appended; nil if it is dead
}

// openThreads are the threads of a recording that has ended whose intervals are open. Only these are kept of them.
type openThreads struct {
	threads []*thread
	end     trace.Time
}

// append appends an instant to the thread's sequence, with the element's time, and returns it to be completed until
// flush.
func (e *Enricher) append(i *incarnation, typ trace.ModelType, at trace.Time) *trace.ModelEvent {
	e.putSession()
	e.summary.Events++
	n := len(e.pending)
	if e.pending = slices.Grow(e.pending, 1)[:n+1]; e.pending[n] == nil {
		e.pending[n] = &pendingEvent{}
	}
	p := e.pending[n]
	*p = pendingEvent{thread: i, live: i.live}
	p.ID, p.Type, p.Thread, p.Time, p.Timeout = e.summary.Events, typ, i.ref(), at, trace.NoTimeout
	p.Segment = i.segment
	return &p.ModelEvent
}

// appendState appends a state event, which ends the thread's open interval and opens another.
func (e *Enricher) appendState(t *thread, typ trace.ModelType, at trace.Time) *trace.ModelEvent {
	e.leaveContention(t)
	e.leaveWait(t, at)
	e.numbers.segments++
	t.segment = e.numbers.segments
	event := e.append(t.incarnation, typ, at)
	t.enterState(event)
	if t.soon.known() {
		e.expect(t, cause{})
	}
	return event
}

// setInferred marks the pending events as inferred.
func (e *Enricher) setInferred() {
	for _, p := range e.pending {
		p.Inferred = true
	}
}

// flush puts the pending events, and drops the returns and notifies that no wait can be bound to any more.
func (e *Enricher) flush() {
	for _, p := range e.pending {
		e.putEvent(p)
	}
	e.pending = e.pending[:0]
	for _, o := range e.endedWaits {
		e.scope.dropUnclaimed(o)
	}
	e.endedWaits = e.endedWaits[:0]
}

// putEvent puts an event, after the interval that it ends.
func (e *Enricher) putEvent(p *pendingEvent) {
	t := p.live
	switch {
	case p.Type == trace.WaitTimeoutExceed:
		t.open.TimedOut = true
	case p.Type == trace.DeadLock:
		// contradictory records may have let the thread run since
		t.open.Deadlocked = t.open.Type == trace.WaitingForLock
	case p.Type.IsState():
		if t.isOpen() {
			t.open.End = p.Time
			e.put(&t.open)
		}
		if p.Type == trace.Dead {
			t.open = trace.Interval{}
		} else {
			t.open = trace.Interval{ModelEvent: p.ModelEvent, Session: e.session.Index}
		}
	}
	e.put(&p.ModelEvent)
}

func (t *thread) isOpen() bool { return t.open.ID != 0 }

// leaveScope keeps the recording's threads, because their open intervals last until its end, and drops the rest.
func (e *Enricher) leaveScope() {
	var open []*thread
	for t := range e.scope.live {
		if t.isOpen() {
			*t = thread{open: t.open}
			open = append(open, t)
		}
	}
	if len(open) > 0 {
		e.open = append(e.open, openThreads{open, e.last})
	}
	e.summary.Last = max(e.summary.Last, e.last)
}

// putOpenIntervals puts the intervals that are still open, in the order of their threads' keys.
func (e *Enricher) putOpenIntervals() {
	for _, recording := range e.open {
		slices.SortFunc(recording.threads, func(a, b *thread) int {
			return cmp.Compare(a.open.Thread.Key, b.open.Thread.Key)
		})
		for _, t := range recording.threads {
			t.open.End, t.open.Open = recording.end, true
			e.put(&t.open)
		}
	}
	e.open = nil // freed before outputs get the Summary
}
