package critical

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Shares say of what a path is made. Each list is sorted by descending time; what is equal stands in the order of the
// path.
type Shares struct {
	// Threads, States and Callers sum to the path's length each. A latency counts for the thread that let another one
	// go on.
	Threads []Share[Thread]
	States  []Share[State]
	// Callers are the places in the program at which threads waited, or had waited before they ran. Where the trace
	// does not say it, the frame has no method.
	Callers []Share[trace.Frame]
	// Waits are what threads waited for while the path went on elsewhere, until it let them go on; or on the path
	// itself, where nothing says what let them go on. They sum to no more than the path's length.
	Waits []Wait
}

// Share is a part of a path.
type Share[T any] struct {
	Of     T
	Time   int64 // nanoseconds
	Pieces int
}

// State is one that pieces of a path are in.
type State struct {
	Kind Kind
	Type trace.ModelType // Running, whatever the thread did, of a latency
}

// Wait is something that threads waited for: a monitor to enter, a notification, a thread's end, time to pass.
type Wait struct {
	State  trace.ModelType // in which they waited
	Object Object
	// Time is how much of the path passed meanwhile, in nanoseconds, in so many waits.
	Time  int64
	Count int
	// Longest is the wait that takes the greatest share of it, and Most that share.
	Longest Waiter
	Most    int64
}

// Waiter is a thread that waited, and who kept it waiting: see Piece.
type Waiter struct {
	Thread, Owner       Thread
	Caller, OwnerCaller trace.Frame
}

// Shares adds up the path.
func (p *Path) Shares() *Shares {
	threads, states, callers := sums[Thread, trace.ThreadKey]{}, sums[State, State]{}, sums[trace.Frame, place]{}
	for piece := range p.Pieces() {
		state := State{Segment, piece.State}
		if piece.Kind == Latency {
			state = State{Kind: Latency}
		}
		threads.add(piece.Thread.Key, piece.Thread, piece.Length())
		states.add(state, state, piece.Length())
		callers.add(placeOf(piece.Caller), piece.Caller, piece.Length())
	}
	return &Shares{Threads: threads.sorted(), States: states.sorted(), Callers: callers.sorted(), Waits: p.waits()}
}

// sums adds up times by keys.
type sums[T any, K comparable] struct {
	places map[K]int
	list   []Share[T]
}

func (s *sums[T, K]) add(key K, of T, time int64) {
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

// waits lists what was waited for.
func (p *Path) waits() []Wait {
	r := p.recorder
	var sums []*waited
	for _, sum := range p.walk.waits.sums {
		sums = append(sums, sum)
	}
	slices.SortFunc(sums, func(a, b *waited) int {
		return cmp.Or(cmp.Compare(b.time, a.time),
			cmp.Compare(a.longest, b.longest))
	})
	var all []Wait
	for _, sum := range sums {
		rec := r.of(sum.longest)
		caller, owner := r.framesOf(sum.longest)
		all = append(all, Wait{
			State: sum.key.state, Object: r.objectAt(sum.key.object), Time: sum.time, Count: sum.count, Most: sum.most,
			Longest: Waiter{r.described(r.thread(sum.longest)), r.described(trace.ThreadKey(rec.who)), caller, owner},
		})
	}
	return all
}

// worst is the wait to enter a monitor, or else to be notified, that takes the greatest share of the path; nil if there
// is none.
func (s *Shares) worst() *Wait {
	for _, state := range []trace.ModelType{trace.WaitingForLock, trace.WaitingForObject} {
		if i := slices.IndexFunc(s.Waits, func(w Wait) bool { return w.State == state }); i >= 0 {
			return &s.Waits[i]
		}
	}
	return nil
}

// mostLocks is how many monitors are listed.
const mostLocks = 5

// Locks are the titles of the monitors that threads on the path waited to enter, by descending share of it: a few.
func (p *Path) Locks() []string {
	var titles []string
	for _, wait := range p.waits() {
		if wait.State == trace.WaitingForLock && len(titles) < mostLocks {
			titles = append(titles, wait.Object.Title())
		}
	}
	return titles
}
