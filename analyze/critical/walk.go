package critical

import "github.com/trcx/trcx/trace"

// step is a piece of a path, as it is kept: in the order of the walk, from the end to the beginning. It lasts up to
// where the step before it begins.
type step struct {
	from    trace.Time
	segment segment // in which the thread was when it began
	// effect is, of a latency, the Running segment at its end; of the piece of a segment, that segment itself if the
	// path came to it by its cause.
	effect segment
}

// walk goes backward through the segments of a run.
type walk struct {
	*Recorder
	shifts *shifts // how much earlier segments begin than they did; nil if they begin when they did
	seen   []uint64
	passed map[segment]segment // behind segments that were seen, the next one of the thread that was not
	steps  list[step]
	waits  waits
}

// backward walks from the time in the segment, and returns the time at which the path begins.
func (r *Recorder) backward(s segment, to trace.Time, shifts *shifts) (*walk, trace.Time) {
	w := &walk{Recorder: r, shifts: shifts, seen: make([]uint64, int(r.count())/64+1), waits: newWaits()}
	for s != 0 {
		s, to = w.through(s, to)
	}
	w.waits.close()
	return w, to
}

// through adds the piece of the segment up to the time, and what lies between it and its cause. It returns where to go
// on.
func (w *walk) through(s segment, to trace.Time) (segment, trace.Time) {
	w.seen[s/64] |= 1 << (s % 64)
	from := min(w.beginning(s), to)
	e, followed := w.follow(s, from)
	if !followed {
		w.add(step{from, s, 0}, to)
		return w.unseen(w.of(s).previous), from
	}
	w.add(step{from, s, s}, to)
	w.resolve(s)
	w.add(step{e.at, e.stands, s}, from)
	return e.runs, e.at
}

// edge leads from a segment to what brought it about.
type edge struct {
	runs   segment // the one to go on with
	stands segment // in which the thread was at the time: that one, or the one at whose beginning it stopped running
	at     trace.Time
}

// follow finds out whether the path goes on at the cause of the segment, whose piece begins then.
func (w *walk) follow(s segment, from trace.Time) (edge, bool) {
	e, release, ok := w.edgeOf(s)
	if !ok || !w.shifts.binding(w.Recorder, s, e.stands) {
		return edge{}, false
	}
	e.at += w.shifts.of(e.stands)
	if release {
		e.at = from
	}
	if e.at > from {
		return edge{}, false
	}
	if e.stands != e.runs { // it stopped running before
		e.at = min(w.beginning(e.stands), from)
	}
	return e, !w.hasSeen(e.runs)
}

// edgeOf is the edge to the segment's cause, with the time of that, and whether the cause let go of a monitor. It has
// none if it is not a Running one, if nothing is known to have brought it about, and if the thread of the cause had
// never been seen running.
func (r *Recorder) edgeOf(s segment) (e edge, release, ok bool) {
	rec := r.of(s)
	if !rec.runs() || rec.link == 0 {
		return edge{}, false, false
	}
	e.runs, e.stands = segment(rec.link), segment(rec.link)
	if !r.of(e.stands).runs() {
		if e.stands = r.halt(e.stands); e.stands == 0 {
			return edge{}, false, false
		}
		e.runs = r.of(e.stands).previous
	}
	e.at = r.begin(s) - trace.Time(r.latency(s))
	return e, rec.rest&releases != 0, true
}

// halt is the segment with which the thread stopped running, of one in which it does not run; 0 if it had never run.
func (r *Recorder) halt(s segment) segment {
	// threads usually run between two other segments; where they do not, only some of them are remembered
	const stride = 16
	stopped, steps := s, 0
	for ; ; steps++ {
		if known, ok := r.halts[stopped]; ok {
			stopped = known
			break
		}
		previous := r.of(stopped).previous
		if previous == 0 {
			stopped = 0
			break
		}
		if r.of(previous).runs() {
			break
		}
		stopped = previous
	}
	for at := 0; at+stride < steps; at++ {
		if at%stride == 0 {
			r.halts[s] = stopped
		}
		s = r.of(s).previous
	}
	return stopped
}

// beginning is when the segment began, or would have begun.
func (w *walk) beginning(s segment) trace.Time { return w.begin(s) + w.shifts.of(s) }

func (w *walk) hasSeen(s segment) bool { return w.seen[s/64]>>(s%64)&1 != 0 }

// unseen is the segment, or the first one of the thread before it that is not on the path yet. The pieces of those
// between would have no length: the path has been at their beginnings, and never goes forward.
func (w *walk) unseen(s segment) segment {
	if s == 0 || !w.hasSeen(s) {
		return s
	}
	first := s
	for s != 0 && w.hasSeen(s) {
		if next, ok := w.passed[s]; ok {
			s = next
		} else {
			s = w.of(s).previous
		}
	}
	if w.passed == nil {
		w.passed = map[segment]segment{}
	}
	w.passed[first] = s
	return s
}

// add adds a piece up to the time, unless it has no length.
func (w *walk) add(s step, to trace.Time) {
	if s.from >= to {
		return
	}
	w.steps.add(s)
	if rec := w.of(s.segment); (s.effect == 0 || s.effect == s.segment) && waitsForSomething[rec.state()] {
		w.waits.count(w.key(s.segment), s.segment, int64(to-s.from))
		return
	}
	w.waits.pass(s.from, to)
}

// resolve notes that the path left the segment for its cause: what it passes from here on is what the thread had waited
// for before it ran.
func (w *walk) resolve(s segment) {
	if waited := w.of(s).previous; waited != 0 && !w.of(waited).state().IsBusy() {
		w.waits.open(w.key(waited), waited, w.beginning(waited))
	}
}
