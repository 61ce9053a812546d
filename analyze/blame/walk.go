package blame

import "github.com/trcx/trcx/trace"

// walk walks back from the end of a wait to its begin, and adds the parts of the wait to sums. It is used for any
// number of waits.
type walk struct {
	*forest
	keys *keys
	sums *tally
	wait uint32 // the Running segment that ended it
	from trace.Time
	at   trace.Time
	// passed are the segments on the way; seen are the same once the way has led to a later one in the trace, and so
	// may come by again; else it is nil.
	passed []trace.SegmentID
	seen   map[trace.SegmentID]bool
	found  []int // the numbers of the keys with a part
	limit  int   // of the forest's steps: what a walk would pass later is unknown
}

// follow follows the walk of the wait that the Running segment ended.
func (w *walk) follow(s uint32) {
	w.wait, w.from, w.at = s, w.forest.from(s), w.begin(s)
	w.passed, w.seen, w.found = w.passed[:0], nil, w.found[:0]
	for at := trace.SegmentID(s); at != 0 && w.at > w.from && w.steps < w.limit; {
		at = w.leave(at)
	}
	if w.at > w.from {
		w.add(w.keys.unknown(), w.from)
	}
}

// leave adds the part of the segment, and of the latency before it, and returns the next segment; 0 for none.
func (w *walk) leave(s trace.SegmentID) trace.SegmentID {
	w.steps++
	if w.passed = append(w.passed, s); w.seen != nil {
		w.seen[s] = true
	}
	kept := w.recorder.Segment(s)
	if kept.Begin < w.at {
		if w.add(w.keys.segment(w.recorder, s, kept), kept.Begin); w.at <= w.from {
			return 0
		}
	}
	step, ok := w.recorder.Back(s, w.at)
	if !ok || w.hasPassed(step.Next, s) {
		return kept.Previous
	}
	if step.At < w.at {
		w.add(w.keys.latency(w.recorder, step.Let), step.At)
	}
	return step.Next
}

// add adds the part since the time.
func (w *walk) add(key int, since trace.Time) {
	sum := w.sums.at(key)
	sum.total += int64(w.at - max(since, w.from))
	w.at = since
	if sum.last != w.wait {
		sum.count, sum.last, w.found = sum.count+1, w.wait, append(w.found, key)
	}
}

// hasPassed reports whether the walk, which comes from a segment, has been in another one.
func (w *walk) hasPassed(s, from trace.SegmentID) bool {
	if s >= from && w.seen == nil {
		w.seen = map[trace.SegmentID]bool{}
		for _, passed := range w.passed {
			w.seen[passed] = true
		}
	}
	return w.seen[s]
}
