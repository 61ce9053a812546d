package critical

import (
	"math"

	"github.com/trcx/trcx/analyze/internal/gcpause"
	"github.com/trcx/trcx/trace"
)

// cpuTime is the latest known processor time of a thread.
type cpuTime struct {
	known bool
	at    trace.Time
	used  int64 // nanoseconds
}

// allOnCPU is the share of a segment whose thread was on a processor all the time.
const allOnCPU = math.MaxUint32

// maxSpan limits the segments of a thread between two moments with known processor time.
const maxSpan = 1 << 10

// usedCPU keeps the processor time of a thread. What it used since the last known time is divided among the segments in
// which it ran meanwhile, in proportion to their time without pauses.
func (r *Recorder) usedCPU(c *trace.CPUTime) {
	t := r.threads.Change(c.Thread.Key)
	last, s := t.cpu, t.last
	t.cpu = cpuTime{true, c.Time, c.Used}
	if !last.known {
		return
	}
	var ran int64
	if !r.runsSince(last.at, c.Time, s, func(_ segment, length int64) { ran += length }) || ran == 0 {
		return
	}
	share := min(float64(max(c.Used-last.used, 0))/float64(ran), 1)
	r.runsSince(last.at, c.Time, s, func(s segment, length int64) {
		rec := r.change(s)
		share := share
		if before := r.ranFor(rec.begin, last.at); rec.measured && before > 0 {
			earlier := float64(rec.detail) / allOnCPU
			share = earlier + (share-earlier)*float64(length)/float64(before+length)
		}
		rec.detail, rec.measured = uint32(math.Round(share*allOnCPU)), true
	})
}

// runsSince calls the function for the segments in which a thread ran between two times, from its last one s back, with
// the time that it ran in each. It reports false if there are too many.
func (r *Recorder) runsSince(from, to trace.Time, s segment, each func(s segment, length int64)) bool {
	for range maxSpan {
		if s == 0 || to <= from {
			return true
		}
		rec := r.of(s)
		begin, previous := rec.begin, rec.previous
		if rec.runs() {
			if length := r.ranFor(max(begin, from), to); length > 0 {
				each(s, length)
			}
		}
		to, s = min(to, begin), previous
	}
	return false
}

// ranFor returns the time between two times without pauses, in nanoseconds.
func (r *Recorder) ranFor(from, to trace.Time) int64 {
	return max(int64(to-from), 0) - r.pauses.Between(from, to)
}

// Pause is a time in which garbage collections stopped the program.
type Pause = gcpause.Pause

// Pauses returns the times in which garbage collections stopped the program, in the records so far. They are in order,
// do not touch, and none is empty.
func (r *Recorder) Pauses() []Pause {
	r.pauses.Settle()
	all := make([]Pause, r.pauses.Len())
	for i := range all {
		all[i] = r.pauses.At(i)
	}
	return all
}

// PausedBetween returns how much of the time Pauses took, in nanoseconds.
func (r *Recorder) PausedBetween(from, to trace.Time) int64 {
	r.pauses.Settle()
	return r.pauses.Between(from, to)
}

// OnCPU returns the share, from 0 to 1, of a Running segment without pauses in which its thread was on a processor. In
// the rest the thread was ready for one, or in a wait that the trace does not have. ok is false if it is unknown.
func (r *Recorder) OnCPU(s trace.SegmentID) (share float64, ok bool) {
	rec := r.of(segment(s))
	return float64(rec.detail) / allOnCPU, rec.measured
}
