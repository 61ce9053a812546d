package critical

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Shares are the parts of a path by thread, state, caller and wait. Each list is sorted by descending time; equal parts
// are in the order of the path.
type Shares struct {
	// States sum to the path's length, Threads and Callers to the length of the pieces that have a thread. A latency
	// counts for the thread that let another one continue.
	Threads []Share[Thread]
	States  []Share[State]
	// Callers are the places in the program at which threads waited, or had waited before they ran. The frame has no
	// method if the place is unknown.
	Callers []Share[trace.Frame]
	// Waits are what threads waited for while the path went through other threads, until one of these let them
	// continue, or on the path itself if the cause is unknown. They sum to at most the path's length.
	Waits []Wait
	types []Share[State] // States by Type only, without names

	onCPU, offCPU int64 // of threads whose processor time is known, while they were RUNNABLE
}

// Share is a part of a path.
type Share[T any] struct {
	Of     T
	Time   int64 // nanoseconds
	Pieces int
}

// State is the state of pieces of a path.
type State struct {
	Kind Kind
	Type trace.ModelType // for kinds other than Segment, always Running
	Name trace.State     // of the Type, as people read it
	Use  Use             // of processors, if the Type is Running; States by Type do not distinguish it
}

// Use is how a RUNNABLE thread uses processors.
type Use uint8

// The uses.
const (
	UseUnknown Use = iota // the trace does not have the processor time
	OnCPU                 // on a processor
	OffCPU                // ready for one, or in a wait that the trace does not have
)

// Wait is what threads waited for: a monitor to enter, a notification, a thread's end, or time to pass.
type Wait struct {
	State  trace.ModelType // in which they waited
	Name   trace.State     // of the State, as people read it
	Object Object
	// Time is the part of the path that passed meanwhile, in nanoseconds, and Count the number of waits.
	Time  int64
	Count int
	// Longest is the wait with the largest part of Time, and Most is that part.
	Longest Waiter
	Most    int64
	longest segment
	idle    bool // the longest wait is idle
}

// Waiter is a thread that waited, with the thread that kept it waiting: see Piece.
type Waiter struct {
	Thread, Owner       Thread
	Caller, OwnerCaller trace.Frame
}

// Shares returns the parts of the path.
func (p *Path) Shares() *Shares {
	threads, callers := sums[Thread, trace.ThreadKey]{}, sums[trace.Frame, place]{}
	states, types := sums[State, State]{}, sums[State, State]{}
	onCPU, offCPU := int64(0), int64(0)
	for piece := range p.Pieces() {
		state := State{Kind: piece.Kind}
		if piece.Kind == Segment {
			state.Type, state.Name = piece.State, piece.Name
		}
		if piece.OnCPU < 0 {
			states.add(state, state, piece.Length())
		} else {
			on, off := state, state
			on.Use, off.Use = OnCPU, OffCPU
			states.add(on, on, piece.OnCPU)
			states.add(off, off, piece.Length()-piece.OnCPU)
			onCPU, offCPU = onCPU+piece.OnCPU, offCPU+piece.Length()-piece.OnCPU
		}
		state.Name = 0
		types.add(state, state, piece.Length())
		if piece.Thread.Key == 0 {
			continue
		}
		threads.add(piece.Thread.Key, piece.Thread, piece.Length())
		callers.add(placeOf(piece.Caller), piece.Caller, piece.Length())
	}
	return &Shares{threads.sorted(), states.sorted(), callers.sorted(), p.waits(), types.sorted(), onCPU, offCPU}
}

// typed returns the shares with the states and waits of machine formats, which are not divided by Name.
func (s *Shares) typed() *Shares {
	type key struct {
		state  trace.ModelType
		object Object
	}
	var waits []Wait
	places := map[key]int{}
	for _, w := range s.Waits {
		at, known := places[key{w.State, w.Object}]
		if !known {
			places[key{w.State, w.Object}] = len(waits)
			waits = append(waits, w)
			continue
		}
		sum := &waits[at]
		sum.Time, sum.Count = sum.Time+w.Time, sum.Count+w.Count
		if w.Most > sum.Most || w.Most == sum.Most && w.longest > sum.longest {
			sum.Longest, sum.Most, sum.longest = w.Longest, w.Most, w.longest
		}
	}
	slices.SortFunc(waits, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.longest, b.longest))
	})
	return &Shares{s.Threads, s.types, s.Callers, waits, s.types, s.onCPU, s.offCPU}
}

// sums adds up times by keys.
type sums[T any, K comparable] struct {
	places map[K]int
	list   []Share[T]
}

// add adds a time and a piece, unless the time is 0.
func (s *sums[T, K]) add(key K, of T, time int64) {
	if time == 0 {
		return
	}
	at, known := s.places[key]
	if !known {
		if s.places == nil {
			s.places = map[K]int{}
		}
		at = len(s.list)
		s.places[key] = at
		s.list = append(s.list, Share[T]{Of: of})
	}
	s.list[at].Time += time
	s.list[at].Pieces++
}

func (s *sums[T, K]) sorted() []Share[T] {
	slices.SortStableFunc(s.list, func(a, b Share[T]) int { return cmp.Compare(b.Time, a.Time) })
	return s.list
}

// waits returns what threads waited for.
func (p *Path) waits() []Wait {
	r := p.recorder
	sums := slices.SortedFunc(maps.Values(p.walk.waits), func(a, b *waited) int {
		return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(a.longest, b.longest))
	})
	var all []Wait
	for _, sum := range sums {
		rec := r.of(sum.longest)
		caller, owner := r.framesOf(sum.longest)
		all = append(all, Wait{
			State: rec.state, Name: sum.key.state, Object: r.objectAt(sum.key.object), Time: sum.time,
			Count: sum.count, Most: sum.most, longest: sum.longest, idle: r.Idle(trace.SegmentID(sum.longest)) != 0,
			Longest: Waiter{r.described(r.thread(sum.longest)), r.described(rec.other), caller, owner},
		})
	}
	return all
}

// WorstLock returns the lock for which threads waited longest on the path, if that took a third of it; else the zero
// Object.
func (p *Path) WorstLock() Object {
	worst := (&Shares{Waits: p.waits()}).worstLock()
	if worst == nil || worst.Time < p.Length()/3 {
		return Object{}
	}
	return worst.Object
}

// worstLock returns the largest wait for a lock that is not idle, or nil.
func (s *Shares) worstLock() *Wait {
	i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.State == trace.WaitingForLock && !w.idle })
	if i < 0 {
		return nil
	}
	return &s.Waits[i]
}

// maxLocks limits Path.Locks.
const maxLocks = 5

// Locks returns the titles of at most five monitors that threads waited to enter, by descending part of the path.
func (p *Path) Locks() []string {
	var titles []string
	for _, wait := range p.waits() {
		if wait.State == trace.WaitingForLock && len(titles) < maxLocks {
			titles = append(titles, wait.Object.Title())
		}
	}
	return titles
}
