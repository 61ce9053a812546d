package critical

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// shifts say by how many nanoseconds segments would begin at another time than they did, had nobody waited to enter
// some monitors: earlier, never later.
type shifts struct {
	list   list[int64]
	spared []bool // by the number of the object: nobody waits to enter it
}

// of is the shift of the segment.
func (x *shifts) of(s segment) trace.Time {
	if x == nil {
		return 0
	}
	return trace.Time(*x.list.at(int(s - 1)))
}

// spares says whether the segment would take no time.
func (x *shifts) spares(r *Recorder, s segment) bool {
	rec := r.of(s)
	return rec.state() == trace.WaitingForLock && x.spared[rec.link]
}

// binding says whether the segment, whose cause lies in another one or at its beginning, waits for that, and is not
// held up longer by what its own thread did before.
func (x *shifts) binding(r *Recorder, s, cause segment) bool {
	if x == nil {
		return true
	}
	if previous := r.of(s).previous; previous != 0 && x.spares(r, previous) {
		return false
	}
	return x.of(s) == x.of(cause)
}

// replay goes through the run as it would have been.
func (r *Recorder) replay(spared []bool) *shifts {
	x := &shifts{spared: spared}
	for s := range r.count() {
		x.list.add(x.next(r, s+1))
	}
	return x
}

// next is the shift of the segment, when those of all before it are known. What is in the way of a thread is its own
// past and the cause that it waits for. It keeps its pace when it runs or sleeps, and when it is not known what it
// waited for.
func (x *shifts) next(r *Recorder, s segment) int64 {
	previous := r.of(s).previous
	own, ready := int64(0), int64(math.MinInt64)
	if previous != 0 {
		own = int64(x.of(previous))
		ready = own - r.length(previous, s)
		if x.spares(r, previous) {
			return ready
		}
	}
	e, _, ok := r.edgeOf(s)
	if !ok {
		return own
	}
	cause := r.before(e.stands, s)
	if cause == 0 {
		return own
	}
	return max(ready, int64(x.of(cause)))
}

// before is the segment, or where it was opened later than the other one, the one of its thread that was there by then;
// 0 if there was none. Records of two threads are out of order by a few events, not by many.
func (r *Recorder) before(s, other segment) segment {
	const mostDisorder = 64
	for range mostDisorder {
		if s < other {
			return s
		}
		s = r.of(s).previous
	}
	return 0
}
