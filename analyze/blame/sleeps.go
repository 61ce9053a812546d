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

// SleepsOf returns how the thread slept in the window. Sleeps that reach beyond the window count whole, so that their
// length does not depend on it.
func (b *Blame) SleepsOf(thread trace.ThreadKey) (all Sleeps) {
	_, s := b.recorder.Thread(thread)
	for end := b.recorder.End(); s != 0; {
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

// Slept returns the latest sleep of the thread that began by then, and for how long the thread slept at that place
// between from and to, in nanoseconds: 0 if it did not, or if its last segments do not show that.
func (b *Blame) Slept(thread trace.ThreadKey, from, to trace.Time) (last Wait, total int64) {
	_, s := b.recorder.Thread(thread)
	if s == 0 {
		return Wait{}, 0
	}
	end, place := b.recorder.OpenEnd(s), uint32(0)
	for range maxBack {
		kept := b.recorder.Segment(s)
		if kept.Type == trace.Sleeping && kept.Begin <= to && end > from {
			if last.Thread.Key == 0 {
				last, place = b.waitOf(s, kept, end), b.recorder.Place(s)
			}
			if b.recorder.Place(s) == place {
				total += int64(min(end, to) - max(kept.Begin, from))
			}
		}
		if kept.Begin <= from || kept.Previous == 0 {
			break
		}
		s, end = kept.Previous, min(end, kept.Begin)
	}
	return last, total
}
