package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// append appends an event to the thread's sequence, with the element's time, and returns it to be completed until
// flush. A state event is made in the interval that it opens.
func (e *Enricher) append(t *thread, typ trace.ModelType, at trace.Time) *trace.ModelEvent {
	e.putSession()
	e.summary.Events++
	p := pendingEvent{thread: t}
	if typ.IsState() && typ != trace.DeadLock && typ != trace.Dead {
		e.wake(t)
		p.opens = e.reused.intervals.get()
		*p.opens = trace.Interval{}
		p.opens.Session = e.session.Index
		p.ModelEvent = &p.opens.ModelEvent
	} else {
		p.ModelEvent = e.reused.events.get()
		*p.ModelEvent = trace.ModelEvent{}
	}
	e.pending = append(e.pending, p)
	event := p.ModelEvent
	event.ID, event.Type, event.Thread, event.Time, event.Timeout = e.summary.Events, typ, t.ref, at, trace.NoTimeout
	if typ.IsState() && typ != trace.DeadLock { // which comes at the end
		e.leaveContention(t)
		e.numbers.segments++
		t.segment = e.numbers.segments
		e.enterState(t, event)
		if t.marked().soon.known() {
			e.expect(t, cause{})
		}
	}
	event.Segment = t.segment
	return event
}

// setInferred marks the pending events as inferred.
func (e *Enricher) setInferred() {
	for i := range e.pending {
		e.pending[i].Inferred = true
	}
}

// flush puts the pending events, and drops what can be bound to no wait any more.
func (e *Enricher) flush() {
	for i := range e.pending {
		e.putEvent(&e.pending[i])
	}
	e.pending = e.pending[:0]
	for _, o := range e.endedWaits {
		e.dropWaits(o)
		e.release(o)
	}
	e.endedWaits = e.endedWaits[:0]
}

// putEvent puts an event, after the interval that it ends.
func (e *Enricher) putEvent(p *pendingEvent) {
	open := p.thread.open
	switch {
	case p.Type == trace.WaitTimeoutExceed && open != nil:
		open.TimedOut = true
	case p.Type == trace.DeadLock && p.thread.quiet != nil:
		p.thread.deadlocked = true
	case p.Type == trace.DeadLock && open != nil:
		// records that contradict each other may have let it run
		open.Deadlocked = open.Type == trace.WaitingForLock
	case p.Type.IsState() && p.Type != trace.DeadLock:
		if open != nil {
			open.End = p.Time
			e.put(open)
			e.reused.intervals.put(open)
		}
		p.thread.open = p.opens
		if p.opens != nil { // a dead thread may still do something
			e.scope.activate(p.thread)
		}
	}
	e.put(p.ModelEvent)
	if p.opens == nil {
		e.reused.events.put(p.ModelEvent)
	}
}

// leaveScope keeps the recording's threads, whose open intervals last until its end, and nothing else of them.
func (e *Enricher) leaveScope() {
	for _, t := range e.scope.active {
		if t.quiet == nil && t.open != nil {
			t.activity = &activity{}
			e.pack(t)
		}
		t.activity, t.open, t.object = nil, nil, 0
		if t.quiet != nil {
			t.quiet.object = nil
		}
	}
	if len(e.scope.active) > 0 {
		e.open = append(e.open, openThreads{e.scope.active, e.last, e.scope.dead.names})
	}
	e.summary.Last = max(e.summary.Last, e.last)
}

// putOpenIntervals puts the intervals that are still open, in the order of their threads' keys.
func (e *Enricher) putOpenIntervals() {
	for _, recording := range e.open {
		slices.SortFunc(recording.threads, func(a, b *thread) int { return cmp.Compare(a.ref.Key, b.ref.Key) })
		for i, t := range recording.threads {
			if t.quiet == nil {
				continue
			}
			if _, open := e.peek(t, recording.names); open != nil {
				open.End, open.Open = recording.end, true
				e.put(open)
			}
			recording.threads[i] = nil
		}
	}
}
