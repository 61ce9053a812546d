package critical

import (
	"math"

	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace"
)

// The methods of this file serve other analyses of the same records, such as package blame.

// Kept is what a Recorder keeps of a segment: an interval of a thread.
type Kept struct {
	Thread trace.ThreadKey
	Type   trace.ModelType
	Begin  trace.Time
	// Previous is the segment of the thread that this one ended; 0 for none.
	Previous trace.SegmentID
	variant  variant
}

// ForHolder reports whether the thread waits for a lock, or for a class, which the initialising thread holds.
func (k *Kept) ForHolder() bool { return k.Type == trace.WaitingForLock || k.variant == initialising }

// State returns the state of the thread, as people read it.
func (k *Kept) State() trace.State { return states[k.Type][k.variant] }

// Segments returns the number of segments, which is also the last segment.
func (r *Recorder) Segments() trace.SegmentID { return trace.SegmentID(r.count()) }

// Segment returns a segment, from 1 on.
func (r *Recorder) Segment(s trace.SegmentID) Kept {
	rec := r.of(segment(s))
	return Kept{rec.thread, rec.state, rec.begin, trace.SegmentID(rec.previous), rec.variant}
}

// Begin returns the time at which a segment began, from 1 on.
func (r *Recorder) Begin(s trace.SegmentID) trace.Time { return r.begin(segment(s)) }

// Step is where a walk goes on from a segment: at its cause.
type Step struct {
	Next trace.SegmentID // the segment in which the walk goes on
	At   trace.Time      // the time at which it goes on
	// Let is the segment of the cause's thread from At to the begin of the caused segment.
	Let trace.SegmentID
	// Unknown reports that nobody knows who had the monitor from At to the begin of the caused segment: the input does
	// not name the thread that released it, and the concluded one did not run by then.
	Unknown bool
}

// Back returns the step from the segment, which the walk leaves at the time, to its cause, unless that is a hand-off.
// ok is false if the walk goes on with the thread's previous segment.
func (r *Recorder) Back(s trace.SegmentID, from trace.Time) (step Step, ok bool) {
	if r.of(segment(s)).handsOff {
		return Step{}, false
	}
	return r.step(s, from)
}

// HandOff returns the step from the Running segment to the hand-off that caused it; ok is false for other causes.
func (r *Recorder) HandOff(s trace.SegmentID) (step Step, ok bool) {
	if rec := r.of(segment(s)); rec.handsOff {
		return r.step(s, rec.begin)
	}
	return Step{}, false
}

func (r *Recorder) step(s trace.SegmentID, from trace.Time) (step Step, ok bool) {
	e, ok := r.reach(segment(s), from, nil)
	return Step{trace.SegmentID(e.runs), e.at, trace.SegmentID(e.cause), e.unknown}, ok
}

// Threads returns the number of threads, which is also the last key.
func (r *Recorder) Threads() trace.ThreadKey { return r.threads.Last() }

// Thread returns the thread of the key, from 1 on, and its last segment, or 0.
func (r *Recorder) Thread(key trace.ThreadKey) (Thread, trace.SegmentID) {
	return r.described(key), trace.SegmentID(r.threads.At(key).last)
}

// Name returns the name of the thread; "" if the name or the thread is unknown.
func (r *Recorder) Name(key trace.ThreadKey) string { return r.names.Get(key).Name }

// Start returns the time from which the trace's times are counted.
func (r *Recorder) Start() trace.Time { return r.start }

// End returns the latest time of the trace.
func (r *Recorder) End() trace.Time { return r.end }

// OpenEnd returns the time up to which the thread is known to have been in its last segment: the trace's end. If the
// trace has several recordings, their ends are not known one by one, so it is the segment's begin.
func (r *Recorder) OpenEnd(s trace.SegmentID) trace.Time {
	begin := r.begin(segment(s))
	if r.session > 0 {
		return begin
	}
	return max(r.end, begin)
}

// WaitOf returns what the thread waits for in the segment, the state of the wait, and its place in the program.
func (r *Recorder) WaitOf(s trace.SegmentID) (Object, trace.State, trace.Frame) {
	caller, _ := r.framesOf(segment(s))
	return r.objectOf(segment(s)), r.stateOf(segment(s)), caller
}

// Objects returns a function that numbers what threads wait for in segments, in the records so far. Equal objects have
// the same number, no object has 0.
func (r *Recorder) Objects() func(trace.SegmentID) uint32 {
	first := map[uint32]uint32{} // for objects that are equal to an earlier one
	byObject := map[Object]uint32{}
	for i := range r.objects.Len() {
		if _, redefined := r.redefined[r.objects.At(i).id]; !redefined {
			continue
		}
		number, object := uint32(i+1), r.objectAt(uint32(i+1))
		if known, ok := byObject[object]; ok {
			first[number] = known
		} else {
			byObject[object] = number
		}
	}
	return func(s trace.SegmentID) uint32 {
		rec := r.of(segment(s))
		if rec.state.IsBusy() {
			return 0
		}
		if number, ok := first[rec.object]; ok {
			return number
		}
		return rec.object
	}
}

// State returns the state of the thread in the segment, as people read it.
func (r *Recorder) State(s trace.SegmentID) trace.State { return r.stateOf(segment(s)) }

// Idle returns why the wait of the segment counts as idle; 0 if it does not. It ignores whether the thread is one of
// the JVM's.
func (r *Recorder) Idle(s trace.SegmentID) idle.Reasons {
	rec := r.of(segment(s))
	if rec.state != trace.WaitingForObject {
		return 0
	}
	switch {
	case rec.idle && rec.variant == inIO && r.threads.At(rec.thread).selects:
		if t := r.threads.At(rec.thread); !t.loops && r.idle.Works(rec.thread) {
			return 0 // it selects for an answer, as its work comes in another way
		}
		return idle.Selectors
	case rec.idle && rec.variant == inIO:
		return idle.Connections
	case rec.idle:
		return idle.Work
	case (rec.variant == plain || rec.variant == timed) && r.idle.IsIdle(rec.thread):
		return idle.Notifications
	}
	return 0
}

// WantsTask reports whether the thread waits for the lock of a queue of tasks in the segment, to get its next one.
func (r *Recorder) WantsTask(s trace.SegmentID) bool {
	rec := r.of(segment(s))
	return rec.state == trace.WaitingForLock && rec.idle
}

// IdleFinder returns the finder of idle pools, for another analysis of the same records.
func (r *Recorder) IdleFinder() *idle.Finder { return &r.idle }

// OfJVM reports whether the thread is one of the JVM's own by its name or group. Hooks that such threads start are the
// program's.
func (r *Recorder) OfJVM(key trace.ThreadKey) bool {
	t := r.names.Get(key)
	return t.OfJVM()
}

// Owner returns the owner of the monitor when the thread began to wait for it, or the joined thread; the zero Thread if
// unknown, and for a thread that runs.
func (r *Recorder) Owner(s trace.SegmentID) Thread {
	if rec := r.of(segment(s)); !rec.state.IsBusy() {
		return r.described(rec.other)
	}
	return Thread{}
}

// OwnerCaller returns the call in which the Owner was last seen when the wait of the segment began; its method is nil
// if unknown.
func (r *Recorder) OwnerCaller(s trace.SegmentID) trace.Frame {
	_, owner := r.framesOf(segment(s))
	return owner
}

// InfersOwner reports whether the Owner of a monitor in the segment is concluded, not reported by the trace. It may
// have released the monitor before.
func (r *Recorder) InfersOwner(s trace.SegmentID) bool {
	rec := r.of(segment(s))
	return rec.state == trace.WaitingForLock && rec.variant == inferred
}

// Place returns a number for the place in the program at which a thread waits in the segment, or had waited before it
// ran; 0 if unknown. Frame returns its frame.
func (r *Recorder) Place(s trace.SegmentID) uint32 {
	at := r.waiting(s)
	if at == 0 {
		return 0
	}
	return r.of(at).caller
}

// waiting returns the segment if its thread waits, else the segment in which it had waited before; 0 for none.
func (r *Recorder) waiting(s trace.SegmentID) segment {
	at := segment(s)
	if r.of(at).runs() {
		at = r.of(at).previous
	}
	if at == 0 || r.of(at).state.IsBusy() {
		return 0
	}
	return at
}

// Frame returns the frame of the place. Its method is nil if the place is 0.
func (r *Recorder) Frame(place uint32) trace.Frame { return r.places.at(place) }

// Loops returns the deadlocks of the trace.
func (r *Recorder) Loops() []trace.DeadlockLoop { return r.loops }

// IsCutOff reports that the trace lacks the end of the run.
func (r *Recorder) IsCutOff() bool { return !r.closing.finished }

// Blocker returns the thread for which the thread of an open wait waits: the holder of the lock, the joined thread, or
// the thread that initialises the class. It is 0 if unknown, if the wait is for something else, or if a timeout ends
// it.
func (r *Recorder) Blocker(s trace.SegmentID) trace.ThreadKey {
	rec := r.of(segment(s))
	switch {
	case rec.state == trace.WaitingForLock:
		holds := r.Holds(nil, s, math.MaxInt64)
		if last := len(holds) - 1; last > 0 || last == 0 && holds[0].Owner != 0 {
			return holds[last].Owner
		}
		return rec.other
	case rec.state == trace.WaitingForJoin && rec.variant == plain, rec.variant == initialising:
		return rec.other
	}
	return 0
}

// Unreported is a sentence on the kinds of waits that the trace lacks; "" if it has all.
func (r *Recorder) Unreported() string { return wording.Unreported(r.closing.parks, r.closing.io) }
