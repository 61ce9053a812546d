package critical

import (
	"math"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// A what-if replays the run as if some monitors had never been contended.

// WhatIf is an estimate of the run if some monitors had never been contended.
type WhatIf struct {
	// Monitors are the selected monitors on which threads were blocked, in the order first seen.
	Monitors []Object
	// Waits is the number of segments that would have no length.
	Waits int
	// Path is the critical path of the replay, with its times.
	Path *Path
	// Saved is how much earlier the run would have ended, in nanoseconds; it is not negative.
	Saved int64
}

// WhatIf replays the run without the blocks on the monitors, and walks its critical path from the start. It returns nil
// if no thread was ever blocked on any of them. The Recorder must not have a window.
func (r *Recorder) WhatIf(start Start, monitors []Monitors) *WhatIf {
	spared, result := r.matching(monitors), &WhatIf{}
	listed := make([]bool, len(spared))
	for s := range r.count() {
		rec := r.of(s + 1)
		if rec.state != trace.WaitingForLock || !spared[rec.object] {
			continue
		}
		result.Waits++
		listed[rec.object] = true
	}
	if result.Waits == 0 {
		return nil
	}
	for number, is := range listed {
		if is {
			result.Monitors = append(result.Monitors, r.objectAt(uint32(number)))
		}
	}
	shifts := r.replay(spared)
	end := r.endIn(shifts, start)
	result.Path = r.path(end, shifts)
	result.Saved = int64(start.At - end.At)
	return result
}

// endIn returns the start of the walk in the replayed run. The thread is the same if the start is not the end of the
// run, else the thread that would have acted last.
func (r *Recorder) endIn(x *shifts, start Start) Start {
	if start.Thread == 0 {
		return start
	}
	shifted := func(key trace.ThreadKey, did moment) moment {
		return moment{r.shifted(x, key, did.at), did.order}
	}
	if start.chosen {
		start.At = shifted(start.Thread, moment{at: start.At}).at
		return start
	}
	return r.lastAt(shifted)
}

// shifted returns the time in the replayed run of the thread's activity at the time, in its last segment.
func (r *Recorder) shifted(x *shifts, key trace.ThreadKey, at trace.Time) trace.Time {
	last := r.threads.At(key).last
	switch {
	case last == 0:
		return at
	case x.spares(r, last): // the trace does not have what followed this wait
		return min(at, r.begin(last)) + x.of(last)
	}
	return at + x.of(last)
}

// shifts are by how many nanoseconds later segments would begin if some monitors had never been contended. They are
// never above 0.
type shifts struct {
	list   list.List[int64]
	spared []bool // by object number: no thread is blocked on the object
}

// of returns the shift of the segment.
func (x *shifts) of(s segment) trace.Time {
	if x == nil {
		return 0
	}
	return trace.Time(*x.list.At(int(s - 1)))
}

// spares reports whether the segment would have no length.
func (x *shifts) spares(r *Recorder, s segment) bool {
	rec := r.of(s)
	return rec.state == trace.WaitingForLock && x.spared[rec.object]
}

// binding reports whether the segment would begin because of its cause, not later because of its own thread.
func (x *shifts) binding(r *Recorder, s, cause segment) bool {
	if x == nil {
		return true
	}
	if previous := r.of(s).previous; previous != 0 && x.spares(r, previous) {
		return false
	}
	return x.of(s) == x.of(cause)
}

// replay computes the shifts of all segments.
func (r *Recorder) replay(spared []bool) *shifts {
	x := &shifts{spared: spared}
	for s := range r.count() {
		x.list.Add(x.next(r, s+1))
	}
	return x
}

// next returns the shift of the segment, from the shifts of all before it. A segment begins after the thread's previous
// one and after its cause. Segments in which the thread runs, sleeps, or waits for an unknown cause keep their length.
func (x *shifts) next(r *Recorder, s segment) int64 {
	previous := r.of(s).previous
	own, ready := int64(0), int64(math.MinInt64)
	if previous != 0 {
		own = int64(x.of(previous))
		ready = own - max(int64(r.begin(s)-r.begin(previous)), 0)
		if x.spares(r, previous) {
			return ready
		}
	}
	e, _, ok := r.edgeOf(s)
	switch {
	case !ok && r.awaits(s):
		return x.released(r, s, 0)
	case !ok && previous != 0 && r.awaits(previous):
		return x.released(r, previous, s)
	case !ok:
		return own
	}
	cause := r.before(e.cause, s)
	if cause == 0 {
		return own
	}
	return max(ready, int64(x.of(cause)))
}

// released returns by how much earlier the program's threads that DestroyJavaVM waited for would have ended. It is the
// shift of its first segment or, if the next one is not 0, of the next one.
func (x *shifts) released(r *Recorder, first, next segment) int64 {
	until, since, shifted := r.begin(first), trace.Time(math.MinInt64), trace.Time(math.MinInt64)
	if next != 0 {
		since, shifted = until, until+x.of(first)
		until = r.begin(next)
	}
	for _, dead := range r.programDeaths() {
		if died := r.begin(dead); died <= until && int(dead) <= x.list.Len() {
			since, shifted = max(since, died), max(shifted, died+x.of(dead))
		}
	}
	return int64(shifted - since)
}

// before returns the segment or, if it was opened after the other one, the segment of its thread that was open then; 0
// for none. Records of two threads are out of order by a few events, not by many.
func (r *Recorder) before(s, other segment) segment {
	const maxDisorder = 64
	for range maxDisorder {
		if s < other {
			return s
		}
		s = r.of(s).previous
	}
	return 0
}
