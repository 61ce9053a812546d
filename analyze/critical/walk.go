package critical

import (
	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// step is a piece of a path, in the order of the walk, from the end to the beginning. It ends where the previous step
// begins.
type step struct {
	from    trace.Time
	segment segment // the thread's segment when the step began
	// effect is, for a latency, the Running segment at its end; for the piece of a segment, that segment if the path
	// came to it by its cause.
	effect segment
	kind   Kind
}

// walk is a walk backward through the segments of a run.
type walk struct {
	*Recorder
	shifts    *shifts // how much earlier segments begin in a replay; nil without a replay
	seen      []uint64
	passed    map[segment]segment // from a seen segment to the thread's previous unseen one
	steps     list.List[step]
	openWaits []openWait
	waits     map[waitKey]*waited // what threads waited for meanwhile
}

// backward walks from the time in the segment, at least to the window's begin. It returns the walk and the time that it
// has reached.
func (r *Recorder) backward(s segment, to trace.Time, shifts *shifts) (*walk, trace.Time) {
	w := &walk{Recorder: r, shifts: shifts, seen: make([]uint64, int(r.count())/64+1),
		passed: map[segment]segment{}, waits: map[waitKey]*waited{}}
	for s != 0 && to > r.window.since {
		s, to = w.through(s, to)
	}
	for len(w.openWaits) > 0 {
		w.closeWait()
	}
	return w, to
}

// through adds the piece of the segment up to the time, and the latency between it and its cause. It returns the
// segment and time with which the walk continues.
func (w *walk) through(s segment, to trace.Time) (segment, trace.Time) {
	w.seen[s/64] |= 1 << (s % 64)
	from := min(w.beginning(s), to)
	e, ok := w.reach(s, from, w.shifts)
	if !ok || w.hasSeen(e.runs) {
		if dead := w.awaited(s, to); dead != 0 {
			died := w.beginning(dead)
			since := max(from, died)
			w.add(step{since, s, 0, Segment}, to)
			w.add(step{died, dead, s, Latency}, since)
			return w.of(dead).previous, died
		}
		w.add(step{from, s, 0, Segment}, to)
		return w.unseen(w.of(s).previous), from
	}
	w.add(step{from, s, s, Segment}, to)
	// The path leaves the thread, which had waited for what the path passes now.
	if waited := w.of(s).previous; waited != 0 && !w.of(waited).state.IsBusy() {
		w.openWaits = append(w.openWaits, openWait{waited, w.beginning(waited), 0})
	}
	between := step{e.at, e.cause, s, Latency}
	if e.unknown {
		between.kind = Unknown
	}
	w.add(between, from)
	return e.runs, e.at
}

// awaited returns the Dead segment of the thread for which the segment's thread, a DestroyJavaVM, waited until the
// time; 0 for other threads, and if it is unknown or already on the path.
func (w *walk) awaited(s segment, to trace.Time) segment {
	if !w.awaits(s) {
		return 0
	}
	dead := w.deathBefore(to)
	if dead == 0 || w.hasSeen(w.of(dead).previous) {
		return 0
	}
	return dead
}

// edge leads from a segment to its cause.
type edge struct {
	runs  segment // the segment with which the walk continues
	cause segment // the thread's segment at the time: runs, or the one in which it stopped running
	at    trace.Time
	// unknown reports that nobody knows who had the monitor from then on.
	unknown bool
}

// maxRelease is how long before another thread enters a monitor a thread may have stopped running and still count as
// the one that released it, in nanoseconds, if the input names none. A free monitor is taken without an event, so in a
// longer time another thread may have had it.
const maxRelease = 10_000_000

// reach returns the edge to the cause of the segment, whose piece begins at the time, and whether a path can follow it.
func (r *Recorder) reach(s segment, from trace.Time, shifts *shifts) (edge, bool) {
	e, release, ok := r.edgeOf(s)
	if !ok || !shifts.binding(r, s, e.cause) {
		return edge{}, false
	}
	e.at += shifts.of(e.cause)
	if release {
		e.at = from
	}
	if e.at > from {
		return edge{}, false
	}
	if e.cause != e.runs { // it stopped running before
		e.at = min(r.begin(e.cause)+shifts.of(e.cause), from)
		e.unknown = release && !r.of(s).named && from-e.at > maxRelease
	}
	return e, true
}

// edgeOf returns the edge to the segment's cause, and whether the cause released a monitor. ok is false if the segment
// is not Running, its cause is unknown, or the thread of the cause had never run.
func (r *Recorder) edgeOf(s segment) (e edge, release, ok bool) {
	rec := r.of(s)
	if !rec.runs() || rec.cause == 0 {
		return edge{}, false, false
	}
	e.runs, e.cause = rec.cause, rec.cause
	if !r.of(e.cause).runs() {
		if e.cause = r.halt(e.cause); e.cause == 0 {
			return edge{}, false, false
		}
		e.runs = r.of(e.cause).previous
	}
	e.at = rec.begin - trace.Time(rec.latency)
	return e, rec.releases, true
}

// halt returns, for a segment in which a thread does not run, the segment with which it stopped running; 0 if it had
// never run.
func (r *Recorder) halt(s segment) segment {
	// threads usually run between two other segments; of successive ones that do not run, every stride-th is cached
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

// beginning returns the time at which the segment began, or begins in the replay.
func (w *walk) beginning(s segment) trace.Time { return w.begin(s) + w.shifts.of(s) }

func (w *walk) hasSeen(s segment) bool { return w.seen[s/64]>>(s%64)&1 != 0 }

// unseen returns the segment, or the thread's last one before it that is not on the path yet. The pieces in between
// would be empty: the path has been at their beginnings, and never goes forward.
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
	w.passed[first] = s
	return s
}

// add adds the part of a step in the window, cut at pauses. The step ends at the time; an empty one is left out.
func (w *walk) add(s step, to trace.Time) {
	s.from, to = max(s.from, w.window.since), min(to, w.window.until)
	if s.from >= to {
		return
	}
	switch state := w.of(s.segment).state; {
	case s.kind == Latency || s.kind == Segment && state == trace.Running:
		w.addCut(s, to)
	default:
		w.steps.Add(s)
		if s.kind == Segment && waitsForSomething[state] {
			w.countWait(s.segment, int64(to-s.from))
			return
		}
	}
	w.pass(s.from, to)
}

// addCut adds the parts of the step before, between and after pauses, and the pauses, from the last to the first. In a
// replay, pauses are shifted like the segment in which they were.
func (w *walk) addCut(s step, to trace.Time) {
	shift := w.shifts.of(s.segment)
	for i := w.pauses.Before(to-shift) - 1; i >= 0; i-- {
		from, until := w.pauses.At(i).From+shift, w.pauses.At(i).To+shift
		if until <= s.from {
			break
		}
		if until < to {
			w.steps.Add(step{until, s.segment, s.effect, s.kind})
		}
		to = max(from, s.from)
		w.steps.Add(step{to, s.segment, 0, Paused})
	}
	if s.from < to {
		w.steps.Add(s)
	}
}
