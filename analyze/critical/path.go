package critical

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Path is a critical path: consecutive pieces of time.
type Path struct {
	// Thread is the thread at whose end the path ends; the zero Thread if the path is empty.
	Thread Thread
	// From and To are the times at which the path begins and ends.
	From, To trace.Time
	// Ending is how the run ended. Only if it ended by itself did its time depend on this path.
	Ending Ending

	recorder *Recorder
	walk     *walk
	// wholeFrom and wholeTo are From and To of the path before the window cut it. A path that begins before the window
	// has no wholeFrom.
	wholeFrom, wholeTo trace.Time
}

// Kind is the kind of a piece of a path.
type Kind uint8

// The kinds.
const (
	Segment Kind = iota // a thread was in a state
	Latency             // a thread had let another one continue, which did not run yet
	Unknown             // nobody knows who had the monitor
	Paused              // a garbage collection stopped the program
)

// kindNames are the names of the kinds in JSON.
var kindNames = [...]string{Segment: "segment", Latency: "latency", Unknown: "unknown", Paused: "pause"}

// String returns the kind's name in JSON.
func (k Kind) String() string { return kindNames[k] }

// Thread is an incarnation of a thread.
type Thread struct {
	trace.ThreadRef
	Name    string // "" if unknown
	Session int    // the index of the recording that its id belongs to
}

// Object is a monitor, or a joined Thread object. The zero Object stands for no object.
type Object struct {
	ID      trace.ObjectID
	Class   string // "" if unknown
	Session int    // the index of the recording that its id belongs to
	// Lock is the lock of a condition, and LockClass its class, if they are known.
	Lock      trace.ObjectID
	LockClass string
}

// Piece is a part of a path. It is never empty.
type Piece struct {
	Kind Kind
	// Thread is the thread in the State; of a latency, the thread that let another one continue. Unknown and Paused
	// pieces have no thread.
	Thread   Thread
	From, To trace.Time
	// State is of the interval that the piece belongs to; of a latency, of the Thread's interval when it began.
	State trace.ModelType
	Name  trace.State // of the State, as people read it
	// OnCPU is how long the thread was on a processor in a segment in which it ran, in nanoseconds; -1 if unknown. In
	// the rest it was ready for one, or in a wait that the trace does not have.
	OnCPU int64
	// Object is what the thread waited for; of a latency, what the Next thread had waited for; of an Unknown piece, the
	// monitor.
	Object Object
	// Owner owned the monitor when the thread began to wait for it, or is the joined thread; the zero Thread if
	// unknown.
	Owner Thread
	// Caller is the program's call in which the thread waited, or had waited before it ran. OwnerCaller is the call in
	// which the Owner was last seen. Their methods are nil if unknown.
	Caller, OwnerCaller trace.Frame
	// Cause is the event by which the path came to the piece from another thread's piece; of a latency, the event by
	// which it left; 0 for none.
	Cause trace.EventID
	// Next is, of a latency, the thread that was let continue; of an Unknown piece, the thread that got the monitor.
	Next Thread
}

// Length returns the length of the piece in nanoseconds, from 1 on.
func (p *Piece) Length() int64 { return int64(p.To - p.From) }

// Length returns the length of the path in nanoseconds: the sum of its pieces.
func (p *Path) Length() int64 { return int64(p.To - p.From) }

// LastOf returns the latest activity of the thread, as the start of a walk.
func (r *Recorder) LastOf(key trace.ThreadKey) Start {
	return Start{Thread: key, At: r.threads.At(key).did.at, chosen: true}
}

// Path walks backward from the start, and cuts the path at the window. It is empty if the start is the zero Start, its
// thread has no intervals, or no part of the path is in the window.
func (r *Recorder) Path(start Start) *Path { return r.path(start, nil) }

func (r *Recorder) path(start Start, shifts *shifts) *Path {
	r.pauses.Settle()
	p := &Path{Thread: r.described(start.Thread), Ending: start.Ending, recorder: r, wholeTo: start.At}
	last := segment(0)
	if start.Thread != 0 {
		last = r.threads.At(start.Thread).last
	}
	p.walk, p.wholeFrom = r.backward(last, start.At, shifts)
	p.From = max(p.wholeFrom, r.window.since)
	p.To = max(p.From, min(p.wholeTo, r.window.until))
	return p
}

// described returns the thread of the key.
func (r *Recorder) described(key trace.ThreadKey) Thread {
	if key == 0 {
		return Thread{}
	}
	d := r.names.Get(key)
	return Thread{trace.ThreadRef{Key: key, ID: d.ID}, d.Name, d.Session}
}

// objectOf returns the object that the segment's thread waits for.
func (r *Recorder) objectOf(s segment) Object {
	if rec := r.of(s); !rec.state.IsBusy() {
		return r.objectAt(rec.object)
	}
	return Object{}
}

// objectAt returns the numbered object, or the zero Object.
func (r *Recorder) objectAt(number uint32) Object {
	if number == 0 {
		return Object{}
	}
	o, lock := r.objects.At(int(number-1)), r.conditions[number]
	return Object{o.id, r.classes.Value(o.class), int(o.session), lock.ID, lock.Class}
}

// framesOf returns the call in which the thread of a segment waited, and the call of the thread it waited for. A thread
// that runs has neither.
func (r *Recorder) framesOf(s segment) (caller, owner trace.Frame) {
	if s == 0 || r.of(s).state.IsBusy() {
		return trace.Frame{}, trace.Frame{}
	}
	rec := r.of(s)
	return r.places.at(rec.caller), r.places.at(rec.owner)
}

// Size returns the number of pieces.
func (p *Path) Size() int { return p.walk.steps.Len() }

// Pieces iterates over the pieces of the path in the order of time. A piece is valid until the next one.
func (p *Path) Pieces() iter.Seq[*Piece] {
	return p.piecesOf(func(yield func(int) bool) {
		for i := p.Size() - 1; i >= 0 && yield(i); i-- {
		}
	})
}

// piecesOf iterates over the pieces of the steps. A piece is valid until the next one.
func (p *Path) piecesOf(steps iter.Seq[int]) iter.Seq[*Piece] {
	return func(yield func(*Piece) bool) {
		var piece Piece
		for i := range steps {
			if p.describe(&piece, i); !yield(&piece) {
				return
			}
		}
	}
}

// ends returns the time at which the step of the walk ends.
func (p *Path) ends(i int) trace.Time {
	if i == 0 {
		return p.To
	}
	return p.walk.steps.At(i - 1).from
}

// describe sets the piece to the piece of the step.
func (p *Path) describe(piece *Piece, i int) {
	r, s := p.recorder, *p.walk.steps.At(i)
	rec := r.of(s.segment)
	*piece = Piece{Kind: s.kind, From: s.from, To: p.ends(i), State: rec.state, Name: r.stateOf(s.segment), OnCPU: -1}
	if s.kind == Segment || s.kind == Latency {
		piece.Thread = r.described(rec.thread)
		piece.Caller, piece.OwnerCaller = r.framesOf(s.segment)
		if piece.State.IsBusy() { // it has the call in which it had waited before
			piece.Caller, _ = r.framesOf(rec.previous)
		}
	}
	switch s.kind {
	case Segment:
		piece.Object = r.objectOf(s.segment)
		if !piece.State.IsBusy() {
			piece.Owner = r.described(rec.other)
		} else if rec.measured {
			piece.OnCPU = int64(math.Round(float64(rec.detail) / allOnCPU * float64(piece.Length())))
		}
		if s.effect == s.segment {
			piece.Cause = rec.event
		}
	case Latency, Unknown:
		let := r.of(s.effect)
		piece.Next, piece.OwnerCaller = r.described(let.thread), trace.Frame{}
		if s.kind == Latency && let.runs() && let.cause != 0 {
			piece.Cause = let.event
		}
		if let.previous != 0 {
			piece.Object = r.objectOf(let.previous)
		}
	}
}

// longest returns the numbers of the steps of the longest pieces, in the order of time; of equal ones, the earlier.
func (p *Path) longest(most int) []int {
	all := make([]int, p.Size())
	for i := range all {
		all[i] = p.Size() - 1 - i
	}
	if len(all) <= most {
		return all
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(p.lengthOf(b), p.lengthOf(a)) })
	all = all[:most]
	slices.SortFunc(all, func(a, b int) int { return b - a })
	return all
}

func (p *Path) lengthOf(i int) int64 { return int64(p.ends(i) - p.walk.steps.At(i).from) }
