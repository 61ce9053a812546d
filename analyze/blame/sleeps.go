package blame

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Sleeps is how a thread let time pass: it slept, waited with a timeout, or waited for its next task, as a timer does.
type Sleeps struct {
	Count          int
	Total, Longest int64 // nanoseconds
	// Waited is the time of its other waits, also for locks, input and output.
	Waited int64
}

// enoughSleeps is the number of segments that show whether a thread sleeps most of the time.
const enoughSleeps = 256

// SleepsOf returns how the thread slept in the window. Sleeps that reach beyond the window count whole, so that their
// length does not depend on it. Of a thread that waited for more than it slept, not all segments are looked at.
func (b *Blame) SleepsOf(thread trace.ThreadKey) (all Sleeps) {
	_, s := b.recorder.Thread(thread)
	for n, end := 0, b.recorder.End(); s != 0 && (n != enoughSleeps || all.Waited <= all.Total); n++ {
		kept := b.recorder.Segment(s)
		length := int64(max(end-kept.Begin, 0))
		switch {
		case end < b.since || kept.Begin >= b.until:
		case kept.Type == trace.Sleeping || kept.Type == trace.WaitingForObject &&
			(b.recorder.Idle(s) != 0 || kept.State() == trace.StateTimedWaiting):
			all.Count++
			all.Total, all.Longest = histogram.Sum(all.Total, length), max(all.Longest, length)
		case isWait(kept.Type):
			all.Waited = histogram.Sum(all.Waited, length)
		}
		s, end = kept.Previous, min(end, kept.Begin)
	}
	return all
}

// maxSleeps limits the segments of a thread in which Slept looks for sleeps: there can be many short ones.
const maxSleeps = 1 << 13

// Slept returns for how long the thread slept between from and to at one place, the one at which it slept most, in
// nanoseconds, and the latest of these sleeps. It is 0 if the thread did not sleep, or if its last segments do not show
// that.
func (b *Blame) Slept(thread trace.ThreadKey, from, to trace.Time) (last Wait, total int64) {
	_, s := b.recorder.Thread(thread)
	if s == 0 {
		return Wait{}, 0
	}
	sums, latest := map[uint32]int64{}, map[uint32]Wait{}
	end, most := b.recorder.OpenEnd(s), uint32(0)
	for range maxSleeps {
		kept, place := b.recorder.Segment(s), b.recorder.Place(s)
		if kept.Type == trace.Sleeping && kept.Begin <= to && end > from {
			if _, known := latest[place]; !known {
				latest[place] = b.waitOf(s, kept, end)
			}
			sums[place] += int64(min(end, to) - max(kept.Begin, from))
			if _, known := latest[most]; !known || sums[place] > sums[most] {
				most = place
			}
		}
		if kept.Begin <= from || kept.Previous == 0 {
			break
		}
		s, end = kept.Previous, min(end, kept.Begin)
	}
	return latest[most], sums[most]
}
