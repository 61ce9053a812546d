package critical

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// Spot is where a thread was in a segment, from a time on.
type Spot struct {
	At    trace.Time
	Place uint32 // as Frame has it; 0 if unknown
	// Probable reports that it is a guess: the thread was seen there before the segment began.
	Probable bool
}

// sighting is where a sampler saw a thread while it was Running.
type sighting struct {
	at     trace.Time
	place  uint32
	before uint32 // number of the previous one in the segment; 0 for none
}

// see keeps the place at which a sampler saw the thread, if the thread is Running. A time before the latest sighting,
// or before the segment, counts as its time.
func (r *Recorder) see(seen *trace.MonitorOwner, place uint32) {
	if seen.Owner > r.threads.Last() {
		return
	}
	s := r.threads.At(seen.Owner).last
	if s == 0 || !r.of(s).runs() {
		return
	}
	rec := r.change(s)
	at := max(seen.Time, rec.begin)
	if rec.owner != 0 {
		last := r.sightings.Change(int(rec.owner - 1))
		if last.place == place {
			return
		}
		if at <= last.at {
			last.place = place
			return
		}
	}
	r.sightings.Put(sighting{at, place, rec.owner})
	rec.owner = uint32(r.sightings.Len())
}

// Spots appends where the thread was in the segment, the latest first. The last one is from the segment's begin on.
func (r *Recorder) Spots(all []Spot, s trace.SegmentID) []Spot {
	rec := r.of(segment(s))
	if !rec.runs() {
		return append(all, Spot{At: rec.begin, Place: rec.at()})
	}
	begin, told, last := rec.begin, rec.caller, trace.Time(math.MaxInt64)
	for number := rec.owner; number != 0; {
		seen := r.sightings.At(int(number - 1))
		all = append(all, Spot{At: seen.at, Place: seen.place})
		number, last = seen.before, seen.at
	}
	if last <= begin {
		return all
	}
	return append(all, Spot{begin, told, told != 0})
}

// at returns the place of a segment in which the thread waits.
func (rec *record) at() uint32 {
	if rec.detail != 0 {
		return rec.detail
	}
	return rec.caller
}

// WaitsAt returns the place of a segment in which the thread waits.
func (r *Recorder) WaitsAt(s trace.SegmentID) uint32 { return r.of(segment(s)).at() }
