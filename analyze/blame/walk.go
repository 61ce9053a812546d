package blame

import (
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// walk takes waits apart, one after the other, and adds their parts to sums.
type walk struct {
	*finished
	keys *keys
	sums *tally
	wait uint32 // the Running segment that ended the current wait
	// passed are the segments on the ways of the current walks, one way after the other.
	passed []trace.SegmentID
	// within are the waits for locks that are being taken apart, each as a part of the one before.
	within []trace.SegmentID
	holds  []critical.Hold // of these waits, one after the other
	spots  []critical.Spot // of a segment, the latest first
	found  []int           // numbers of the keys with a part, without places
	limit  int             // limits the steps; later parts are left out
	// released reports that waits for locks are followed to the thread that let this one in, not to the locks' holders.
	released bool
}

// follow takes apart the wait that the Running segment ended.
func (w *walk) follow(s uint32) {
	w.wait, w.found = s, w.found[:0]
	w.passed, w.within, w.holds = w.passed[:0], w.within[:0], w.holds[:0]
	wait := w.recorder.Segment(trace.SegmentID(s)).Previous
	if from, to := w.stretch(s); w.isOwn(s) {
		w.add(w.keys.ownWait(w.recorder, wait), from, to)
	} else {
		w.waited(wait, trace.SegmentID(s), from, to)
	}
}

// waited takes apart a stretch of the wait of the segment, which the Running segment ended.
func (w *walk) waited(s, running trace.SegmentID, from, to trace.Time) {
	if kept := w.recorder.Segment(s); kept.ForHolder() && !w.released {
		w.locked(s, running, from, to)
		return
	}
	at, first := w.recorder.Begin(running), len(w.passed)
	var seen map[trace.SegmentID]bool // the way, if it has led to a segment later in the trace
	w.add(w.keys.unknown(), max(at, from), to)
	for next, after := running, trace.SegmentID(0); next != 0 && at > from && w.steps < w.limit; {
		w.steps++
		w.passed = append(w.passed, next)
		if seen != nil {
			seen[next] = true
		}
		kept := w.recorder.Segment(next)
		if kept.Begin < at {
			w.piece(next, after, kept, max(kept.Begin, from), min(at, to))
			at = kept.Begin
		}
		step, ok := w.back(next, at)
		if ok && step.Next >= next && seen == nil {
			seen = map[trace.SegmentID]bool{}
			for _, passed := range w.passed[first:] {
				seen[passed] = true
			}
		}
		if !ok || seen[step.Next] {
			next, after = kept.Previous, next
			continue
		}
		if step.At < at && step.At < to && at > from {
			w.add(w.keys.step(w.recorder, step), max(step.At, from), min(at, to))
		}
		next, after, at = step.Next, 0, step.At
	}
	w.passed = w.passed[:first]
	w.add(w.keys.unknown(), from, min(at, to))
}

// back returns the step from the segment to its cause.
func (w *walk) back(s trace.SegmentID, at trace.Time) (critical.Step, bool) {
	if w.released { // it may have waited with the lock, and whoever ended that never had it
		step, ok := w.recorder.HandOff(s)
		return step, ok && step.At <= at
	}
	return w.recorder.Back(s, at)
}

// piece adds a part of the time in which a walk was in the segment. after is the thread's next segment.
func (w *walk) piece(s, after trace.SegmentID, kept critical.Kept, from, to trace.Time) {
	switch {
	case from >= to:
	case kept.ForHolder() && w.released:
		w.add(w.keys.unknown(), from, to)
	case kept.ForHolder():
		w.locked(s, after, from, to)
	default:
		w.segment(s, kept, from, to)
	}
}

// segment adds a part of the time in which a thread was in a segment that others did not take apart.
func (w *walk) segment(s trace.SegmentID, kept critical.Kept, from, to trace.Time) {
	if !w.keys.spots {
		w.add(w.keys.segment(w.recorder, s, kept, critical.Spot{}), from, to)
		return
	}
	if kept.Type != trace.Running {
		w.add(w.keys.segment(w.recorder, s, kept, critical.Spot{Place: w.recorder.WaitsAt(s)}), from, to)
		return
	}
	w.spots = w.recorder.Spots(w.spots[:0], s)
	w.steps += len(w.spots) - 1
	for i, spot := range w.spots {
		if i == len(w.spots)-1 {
			spot.At = from
		}
		if at := max(spot.At, from); at < to {
			key := w.keys.segment(w.recorder, s, kept, spot)
			length := w.add(key, at, to)
			w.use(w.sums.at(key), s, length)
			to = at
		}
	}
}

// locked takes apart a stretch of the wait for a lock by what the holders of the lock did. The next segment ended the
// wait if it is not 0.
func (w *walk) locked(s, next trace.SegmentID, from, to trace.Time) {
	w.steps += 1 + len(w.within)
	if from >= to || w.steps >= w.limit {
		return
	}
	if slices.Contains(w.within, s) {
		w.add(w.keys.unknown(), from, to)
		return
	}
	first, at := len(w.holds), from
	w.within = append(w.within, s)
	w.holds = w.recorder.Holds(w.holds, s, w.endOf(s, next))
	w.steps += len(w.holds) - first
	for i, last := first, len(w.holds)-1; i <= last; i++ {
		h := w.holds[i]
		if h.To <= at || h.From >= to {
			continue
		}
		w.add(w.keys.unknown(), at, h.From)
		at = max(at, h.From)
		switch until := min(h.To, to); {
		case h.Owner != 0:
			w.held(s, h.Owner, at, until)
		case i == last:
			w.add(w.unheld(s, next, h.From), at, until)
		default:
			w.add(w.keys.unknown(), at, until)
		}
		at = min(h.To, to)
	}
	w.add(w.keys.unknown(), at, to)
	w.within, w.holds = w.within[:len(w.within)-1], w.holds[:first]
}

// unheld returns the key of the end of the wait for a lock, from the time on, in which no thread is known to hold it.
func (w *walk) unheld(s, next trace.SegmentID, from trace.Time) int {
	if let := w.letIn(s, next, from); let != 0 {
		return w.keys.latency(w.recorder, let)
	}
	return w.keys.unknown()
}

// held adds what the holder did in a part of the wait for a lock.
func (w *walk) held(wait trace.SegmentID, holder trace.ThreadKey, from, to trace.Time) {
	lives := w.lives()
	index, ok := lives.find(holder, from)
	if !ok {
		index = lives.first[holder]
		begin := to
		if index < lives.first[holder+1] {
			begin = min(lives.begin(lives.segments[index]), to)
		}
		w.add(w.keys.unknown(), from, begin)
		from = begin
	}
	for ; from < to && w.steps < w.limit; index++ {
		w.steps++
		end, next := to, lives.next(holder, index)
		if next != 0 {
			end = min(lives.begin(next), to)
		}
		if from < end {
			w.did(wait, trace.SegmentID(lives.segments[index]), trace.SegmentID(next), from, end)
			from = end
		}
	}
}

// did adds what a holder did in a part of its segment, which the next one ended, while others waited for the lock.
func (w *walk) did(wait, s, next trace.SegmentID, from, to trace.Time) {
	switch kept := w.recorder.Segment(s); {
	case kept.Type == trace.Dead:
		w.add(w.keys.unknown(), from, to)
	case !isWait(kept.Type):
		w.segment(s, kept, from, to)
	case w.recorder.SameObject(s, wait):
		w.add(w.keys.latency(w.recorder, s), from, to)
	case kept.ForHolder():
		w.locked(s, next, from, to)
	case next != 0 && w.recorder.Segment(next).Type == trace.Running:
		w.waited(s, next, from, to)
	default:
		w.segment(s, kept, from, to)
	}
}

// add adds a part of the wait, cut at pauses, and returns its length without the pauses.
func (w *walk) add(key int, from, to trace.Time) (length int64) {
	if from >= to {
		return 0
	}
	length = int64(to - from)
	if paused := w.pausedIn(w.keys.list[key], from, to); paused > 0 {
		w.put(w.keys.paused(), paused)
		length -= paused
	}
	if length > 0 {
		w.put(key, length)
	}
	return length
}

// put adds a time of the wait to the sum of the key.
func (w *walk) put(key int, length int64) {
	w.parts++
	w.sums.at(key).addTotal(length)
	key = w.keys.rows[key]
	if sum := w.sums.at(key); sum.last != w.wait {
		sum.count, sum.last, w.found = sum.count+1, w.wait, append(w.found, key)
	}
}
