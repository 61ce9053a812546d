package blame

import (
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// forest has the walks of all waits. A walk that comes to a segment, not before its begin, leaves it by a hop that is
// the same for all walks: so the hops form a forest, whose roots are the first segments of threads.
type forest struct {
	recorder *critical.Recorder
	hops     []hop // by segment
	waits    int
	own      int // waits that nothing explains
	total    int64
	odd      []oddWait // waits whose walks have to be taken one by one
	steps    int       // counts operations, for tests
}

// hop leads from the begin of a segment back to the begin of the next one of the walk. From at to the segment's begin
// it is latency of the thread of the segment let; from the begin of next to at it is that of next.
type hop struct {
	next, let uint32
	jump      uint32 // a segment further back on the walk
	depth     uint32 // the number of hops to the root
	at        trace.Time
	// end is, of a Running segment that ends a chosen wait, the last segment whose hop the wait covers as a whole; or
	// that itself if it covers none.
	end    uint32
	chosen bool // the segment ends a chosen wait
	broken bool // what comes next depends on the walk's way here
}

// oddWait is a wait by the Running segment that ended it.
type oddWait = trace.SegmentID

// newForest returns the forest of the recorder's segments, with the ends of the chosen waits.
func newForest(r *critical.Recorder, chosen func(trace.SegmentID, critical.Kept, trace.Time) bool) *forest {
	f := &forest{recorder: r, hops: make([]hop, r.Segments()+1)}
	for s := trace.SegmentID(1); s <= r.Segments(); s++ {
		kept := r.Segment(s)
		f.hops[s] = f.hopOf(s, kept)
		f.link(uint32(s))
		if kept.Type != trace.Running || kept.Previous == 0 {
			continue
		}
		wait := r.Segment(kept.Previous)
		if isWait(wait.Type) && wait.Begin < kept.Begin && chosen(kept.Previous, wait, kept.Begin) {
			f.addWait(uint32(s), wait.Begin, kept.Begin)
		}
	}
	return f
}

// maxDisorder limits the segments that a hop passes because they begin later than the walk comes to them.
const maxDisorder = 64

// hopOf returns the hop of the segment. Records of two threads can be out of order, and times go back: a walk may come
// to a segment that begins later, of which it passes nothing. A hop passes such segments. It is broken if their order
// is such that a walk can have been there before.
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
		if step.Next == 0 || f.recorder.Segment(step.Next).Begin <= at {
			h.next, h.at = uint32(step.Next), at
			return h
		}
		last = step.Next
	}
	return hop{at: kept.Begin, broken: true}
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

// addWait finds the end of the walk of the wait that the Running segment ended.
func (f *forest) addWait(s uint32, from, to trace.Time) {
	f.waits++
	f.total += int64(to - from)
	h := &f.hops[s]
	h.chosen = true
	if trace.SegmentID(h.next) == f.recorder.Segment(trace.SegmentID(s)).Previous {
		f.own++
	}
	end := s
	for f.hops[end].next != 0 {
		f.steps++
		switch at := &f.hops[end]; {
		case at.jump != 0 && f.begin(at.jump) >= from:
			end = at.jump
		case f.begin(at.next) >= from:
			end = at.next
		default:
			h.end = end
			return
		}
	}
	h.end = end
	if f.hops[end].broken && f.begin(end) > from {
		h.chosen = false
		f.odd = append(f.odd, trace.SegmentID(s))
	}
}

func (f *forest) begin(s uint32) trace.Time { return f.recorder.Segment(trace.SegmentID(s)).Begin }

// from returns the begin of the wait that the Running segment ended.
func (f *forest) from(s uint32) trace.Time {
	return f.recorder.Segment(f.recorder.Segment(trace.SegmentID(s)).Previous).Begin
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
