package blame

import (
	"math"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// forest has the walks of all waits. A walk that comes to a segment, not before its begin, leaves it by a hop that is
// the same for all walks: so the hops form a forest, whose roots are the first segments of threads. The hops, of 32
// bytes a segment, are made when walks are too long to be taken one by one.
type forest struct {
	limits   *limits
	recorder *critical.Recorder
	ends     []uint32 // the Running segments that ended the chosen waits, in their order
	own      int      // waits that nothing explains
	total    int64
	hops     []hop // by segment; nil until they are needed
	steps    int   // counts operations: of walks one by one, and for tests
}

// hop leads from the begin of a segment back to the begin of the next one of the walk. From at to the segment's begin
// the hop is latency of the thread of let. From the begin of next to at it is time of next.
type hop struct {
	at        trace.Time
	next, let uint32 // let is brokenHop if what comes next depends on the walk's way here
	jump      uint32 // a segment further back on the walk
	depth     uint32 // the number of hops to the root
	// end is, of a Running segment that ends a chosen wait, the last segment whose hop the wait covers as a whole; or
	// that itself if it covers none.
	end uint32
}

const brokenHop = math.MaxUint32

func (h *hop) isBroken() bool { return h.let == brokenHop }

// newForest returns the forest of the recorder's segments, with the ends of the chosen waits.
func newForest(r *critical.Recorder, l *limits, chosen func(trace.SegmentID, critical.Kept, trace.Time) bool) *forest {
	f := &forest{limits: l, recorder: r}
	for s := trace.SegmentID(1); s <= r.Segments(); s++ {
		kept := r.Segment(s)
		if kept.Type != trace.Running || kept.Previous == 0 {
			continue
		}
		wait := r.Segment(kept.Previous)
		if !isWait(wait.Type) || wait.Begin >= kept.Begin || !chosen(kept.Previous, wait, kept.Begin) {
			continue
		}
		f.ends = append(f.ends, uint32(s))
		f.total += int64(kept.Begin - wait.Begin)
		if f.isOwn(s, kept) {
			f.own++
		}
	}
	return f
}

// isOwn reports whether nothing explains the end of the wait that the Running segment ended.
func (f *forest) isOwn(s trace.SegmentID, kept critical.Kept) bool {
	step, ok := f.recorder.Back(s, kept.Begin)
	switch {
	case !ok:
		return true
	case f.recorder.Begin(step.Next) <= step.At:
		return step.Next == kept.Previous
	}
	return f.hopOf(s, kept).next == uint32(kept.Previous)
}

// grow makes the hops, and finds the ends of the waits' walks.
func (f *forest) grow() {
	f.hops = make([]hop, f.recorder.Segments()+1)
	for s := trace.SegmentID(1); s <= f.recorder.Segments(); s++ {
		f.hops[s] = f.hopOf(s, f.recorder.Segment(s))
		f.link(uint32(s))
	}
	for _, s := range f.ends {
		f.hops[s].end = f.endOf(s)
	}
}

// maxDisorder limits the segments that a hop passes because they begin later than the walk comes to them.
const maxDisorder = 64

// hopOf returns the hop of the segment. Records of two threads can be out of order, and times go back, so a walk may
// come to a segment that begins later. It has no time in that segment, and a hop skips it. A hop is broken if a walk
// can have been in the skipped segments before.
func (f *forest) hopOf(s trace.SegmentID, kept critical.Kept) hop {
	h := hop{at: kept.Begin}
	at, last := kept.Begin, s
	for range maxDisorder {
		f.steps++
		step, ok := f.recorder.Back(last, at)
		if !ok {
			step = critical.Step{Next: f.recorder.Segment(last).Previous, At: at}
		}
		if step.Next >= last {
			break // later in the trace
		}
		if step.At < at {
			if h.let != 0 {
				break // two threads' latencies
			}
			h.let = uint32(step.Let)
		}
		at = step.At
		if step.Next == 0 || f.recorder.Begin(step.Next) <= at {
			h.next, h.at = uint32(step.Next), at
			return h
		}
		last = step.Next
	}
	return hop{at: kept.Begin, let: brokenHop}
}

// link sets the segment's jump: with it, any segment further back is found in logarithmic time.
func (f *forest) link(s uint32) {
	h := &f.hops[s]
	if h.next == 0 {
		return
	}
	next := &f.hops[h.next]
	far := &f.hops[next.jump]
	h.depth, h.jump = next.depth+1, h.next
	if next.jump != 0 && next.depth-far.depth == far.depth-f.hops[far.jump].depth && far.jump != 0 {
		h.jump = far.jump
	}
}

// endOf returns the end of the walk of the wait that the Running segment ended.
func (f *forest) endOf(s uint32) uint32 {
	from, end := f.from(s), s
	for f.hops[end].next != 0 {
		f.steps++
		switch at := &f.hops[end]; {
		case at.jump != 0 && f.begin(at.jump) >= from:
			end = at.jump
		case f.begin(at.next) >= from:
			end = at.next
		default:
			return end
		}
	}
	return end
}

// isOdd reports whether the walk of the wait that the Running segment ended comes to a broken hop.
func (f *forest) isOdd(s uint32) bool {
	end := f.hops[s].end
	return f.hops[end].isBroken() && f.begin(end) > f.from(s)
}

func (f *forest) begin(s uint32) trace.Time { return f.recorder.Begin(trace.SegmentID(s)) }

// from returns the begin of the wait that the Running segment ended.
func (f *forest) from(s uint32) trace.Time {
	return f.recorder.Begin(f.recorder.Segment(trace.SegmentID(s)).Previous)
}

// cover is the part of the hop of a wait's last segment that the wait covers, in nanoseconds.
type cover struct{ latency, segment, unknown int64 }

func (f *forest) coverOf(end uint32, from trace.Time) (c cover) {
	h, begin := &f.hops[end], f.begin(end)
	switch {
	case begin <= from:
	case h.next == 0 && h.let == 0:
		c.unknown = int64(begin - from)
	default:
		c.latency = int64(begin - max(h.at, from))
		rest := int64(max(h.at-from, 0))
		if h.next == 0 {
			c.unknown = rest
		} else {
			c.segment = rest
		}
	}
	return c
}
