package blame

import (
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// finished are the chosen finished waits, cut at the window.
type finished struct {
	recorder     *critical.Recorder
	limits       *limits
	since, until trace.Time
	ends         []uint32 // the Running segments that ended the waits, in their order
	own          int      // number of waits with an unexplained end in the window
	total        int64
	known        *lives // see lives
	tooLong      bool   // the waits have too many parts to be taken apart one by one
	pauses       bool   // garbage collections stopped the program
	steps, parts int    // count operations, and parts of waits
}

// newFinished returns the recorder's chosen finished waits. The function gets the Running segment that ended the wait
// of another segment, and the length of the wait in the window.
func newFinished(r *critical.Recorder, l *limits, since, until trace.Time,
	chosen func(end, s trace.SegmentID, wait critical.Kept, length int64) bool) *finished {
	f := &finished{recorder: r, limits: l, since: since, until: until, pauses: len(r.Pauses()) > 0,
		known: newLives(r)}
	for s := trace.SegmentID(1); s <= r.Segments(); s++ {
		kept := r.Segment(s)
		f.known.add(s, kept)
		if kept.Type != trace.Running || kept.Previous == 0 {
			continue
		}
		wait := r.Segment(kept.Previous)
		if !isWait(wait.Type) {
			continue
		}
		length := int64(min(kept.Begin, until) - max(wait.Begin, since))
		if length <= 0 || !chosen(s, kept.Previous, wait, length) {
			continue
		}
		f.ends = append(f.ends, uint32(s))
		f.total = histogram.Sum(f.total, length)
		if kept.Begin <= until && f.isUnexplained(s, kept, wait) {
			f.own++
		}
	}
	return f
}

// lives returns the segments of each thread. Most traces without waits for locks do not need it.
func (f *finished) lives() *lives {
	f.known.sort()
	return f.known
}

// isOwn reports whether nothing explains the end of the wait that the Running segment ended. Such a wait kept only its
// own thread.
func (f *finished) isOwn(s uint32) bool {
	kept := f.recorder.Segment(trace.SegmentID(s))
	return f.isUnexplained(trace.SegmentID(s), kept, f.recorder.Segment(kept.Previous))
}

func (f *finished) isUnexplained(s trace.SegmentID, kept, wait critical.Kept) bool {
	if wait.ForHolder() {
		return false
	}
	_, explained := f.recorder.Back(s, kept.Begin)
	return !explained
}

// stretch returns the part of the wait in the window, by the Running segment that ended it.
func (f *finished) stretch(s uint32) (from, to trace.Time) {
	kept := f.recorder.Segment(trace.SegmentID(s))
	return max(f.recorder.Begin(kept.Previous), f.since), min(kept.Begin, f.until)
}

// length returns the length of the stretch in nanoseconds.
func (f *finished) length(s uint32) int64 {
	from, to := f.stretch(s)
	return int64(to - from)
}

// endOf returns the end of the segment: the begin of the next one, or the end of the trace if the segment is open.
func (f *finished) endOf(s, next trace.SegmentID) trace.Time {
	if next == 0 {
		return f.recorder.OpenEnd(s)
	}
	return f.recorder.Begin(next)
}

// letIn returns the segment with which the thread that handed the lock over stopped running, at the end of the wait
// that the next segment ended. It is 0 unless that thread held the wait up to the time.
func (f *finished) letIn(s, next trace.SegmentID, from trace.Time) trace.SegmentID {
	if next == 0 {
		return 0
	}
	step, ok := f.recorder.HandOff(next)
	if !ok || step.Unknown || max(step.At, f.recorder.Begin(s)) != from {
		return 0
	}
	return step.Let
}

// pausedIn returns the time between two times in which garbage collections stopped the culprit of the key from running.
func (f *finished) pausedIn(k key, from, to trace.Time) int64 {
	if !f.pauses || k.kind != Latency && (k.kind != Segment || k.state != trace.StateRunnable) {
		return 0
	}
	return f.recorder.PausedBetween(from, to)
}
