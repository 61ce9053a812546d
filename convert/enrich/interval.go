package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// intervals are the open intervals of the threads of all recordings, at most one a thread.
type intervals struct {
	open []trace.Interval // ID is 0 where one has been closed
	free []uint32         // where these are, plus one
}

// of returns the open interval of the thread, or nil.
func (s *intervals) of(t *thread) *trace.Interval {
	if t.open == 0 {
		return nil
	}
	return &s.open[t.open-1]
}

// allocate makes an interval the thread's open one.
func (s *intervals) allocate(t *thread) *trace.Interval {
	if last := len(s.free) - 1; last >= 0 {
		t.open, s.free = s.free[last], s.free[:last]
	} else {
		s.open = append(s.open, trace.Interval{})
		t.open = uint32(len(s.open))
	}
	return &s.open[t.open-1]
}

// release drops the thread's open interval.
func (s *intervals) release(t *thread) {
	s.open[t.open-1] = trace.Interval{}
	s.free = append(s.free, t.open)
	t.open = 0
}

// updateInterval notes what the event says of the thread's open interval. A state event ends it and opens the next.
func (e *Enricher) updateInterval(t *thread, event *trace.ModelEvent) {
	open := e.intervals.of(t)
	switch {
	case !event.Type.IsState() && event.Type != trace.WaitTimeoutExceed:
	case event.Type == trace.WaitTimeoutExceed:
		if open != nil {
			open.TimedOut = true
		}
	case event.Type == trace.DeadLock:
		if open != nil {
			open.Deadlocked = true
		}
	default:
		if open != nil {
			open.End = event.Time
			e.put(open)
		}
		switch {
		case event.Type != trace.Dead:
			if open == nil {
				open = e.intervals.allocate(t)
			}
			*open = trace.Interval{ModelEvent: *event, Session: e.session.Index}
		case open != nil:
			e.intervals.release(t)
		}
	}
}

// putOpenIntervals ends the intervals that are still open, in the order of their threads' keys.
func (e *Enricher) putOpenIntervals() {
	open := slices.DeleteFunc(e.intervals.open, func(i trace.Interval) bool { return i.ID == 0 })
	slices.SortFunc(open, func(a, b trace.Interval) int { return cmp.Compare(a.Thread.Key, b.Thread.Key) })
	for i := range open {
		open[i].End, open[i].Open = e.summary.Last, true
		e.put(&open[i])
	}
	e.intervals = intervals{}
}
