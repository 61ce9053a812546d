package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// pool reuses values.
type pool[T any] struct{ free []*T }

// get returns a value, which is not zero if it has been used before.
func (p *pool[T]) get() *T {
	last := len(p.free) - 1
	if last < 0 {
		return new(T)
	}
	value := p.free[last]
	p.free = p.free[:last]
	return value
}

// put makes a value one of those that get returns.
func (p *pool[T]) put(value *T) { p.free = append(p.free, value) }

// putEvent puts an event, after the interval that it ends.
func (e *Enricher) putEvent(p *pendingEvent) {
	open := p.thread.open
	switch {
	case p.Type == trace.WaitTimeoutExceed && open != nil:
		open.TimedOut = true
	case p.Type == trace.DeadLock && open != nil:
		open.Deadlocked = true
	case p.Type.IsState() && p.Type != trace.DeadLock:
		if open != nil {
			open.End = p.Time
			e.put(open)
			e.intervals.put(open)
		}
		p.thread.open = p.opens
		if p.opens != nil { // a dead thread may still do something
			e.scope.activate(p.thread)
		}
	}
	e.put(p.ModelEvent)
	if p.opens == nil {
		e.events.put(p.ModelEvent)
	}
}

// leaveScope keeps the open intervals of the recording's threads: they last until the end of the trace.
func (e *Enricher) leaveScope() {
	for _, t := range e.scope.active {
		if t.open != nil {
			e.open = append(e.open, t.open)
		}
	}
}

// putOpenIntervals ends the intervals that are still open, in the order of their threads' keys.
func (e *Enricher) putOpenIntervals() {
	slices.SortFunc(e.open, func(a, b *trace.Interval) int { return cmp.Compare(a.Thread.Key, b.Thread.Key) })
	for _, open := range e.open {
		open.End, open.Open = e.summary.Last, true
		e.put(open)
	}
}
