package deadlock

import "github.com/trcx/trcx/trace"

// Report is what was found in the recordings, in their order.
type Report struct {
	// Start is the time from which all others are told.
	Start     trace.Time
	Deadlocks []Deadlock
	// Inversions are lock orders that contradict each other: first those that were seen, then the supposed ones; of
	// each, the shorter and earlier first.
	Inversions []Inversion
	// Left says what is not in the report because there was too much of it.
	Left Left
}

// Left counts, for each Evidence, what was left out.
type Left [Supposed + 1]struct {
	// Orders is how many times a monitor was held and another one wanted that was not noted, because too many pairs of
	// them were already, or the thread held too many monitors at a time.
	Orders uint64 `json:"orders,omitempty"`
	// Search says that the search for inversions was given up: there may be others.
	Search bool `json:"search,omitempty"`
}

// Thread is a thread as the trace describes it.
type Thread struct {
	trace.ThreadRef
	Session     int
	Name, Group string // "" if unknown
}

// Monitor is an object that threads lock, as the trace describes it.
type Monitor struct {
	ID      trace.ObjectID
	Session int
	Class   string // "" if unknown
}

// Block is a thread that could not enter a monitor.
type Block struct {
	Thread  Thread
	Monitor Monitor
	Since   trace.Time
	Until   trace.Time // when it was let in, or the end of the recording
	// Caller and Stack are where it wanted to enter, and Taken where it had got the monitor that it held meanwhile.
	// Methods are nil, and so is the stack, where the trace does not say it.
	Caller, Taken trace.Frame
	Stack         *trace.Stack
}

// Length is how long the thread was blocked, in nanoseconds; times of real traces go back, so that it can be 0.
func (b *Block) Length() int64 { return max(int64(b.Until-b.Since), 0) }

// Deadlock is a loop of threads, each blocked on what the next one holds, and the last on what the first one holds. It
// begins with the thread that closed it.
type Deadlock struct {
	Time    trace.Time // when it closed
	Members []Block
	// Stuck are the threads that cannot go on because of the members, the nearest first.
	Stuck []Stuck
	// More is how many others are stuck, which are not listed.
	More int
}

// Stuck is a thread that waits for another one that never moves.
type Stuck struct {
	Block
	// Joins says that it waits for the end of the other one, and not for a monitor that it holds.
	Joins  bool
	Behind Thread
}

// Evidence says how sure it is that a thread held a monitor.
type Evidence uint8

// From the surest to the least sure.
const (
	// Seen: while the thread was blocked on the one monitor, another thread found the other one taken, and its
	// monContendedEnter named the thread as the owner.
	Seen Evidence = iota
	// Supposed: the thread was let into the monitor, waited or notified on it before, and nothing shows that it has let
	// go.
	Supposed
)

// String is the word for it in outputs.
func (e Evidence) String() string {
	if e == Seen {
		return "seen"
	}
	return "supposed"
}

// Inversion is a ring of lock orders: in each a thread held a monitor and wanted the one that another thread holds in
// the next. Had all of them been there at the same time, it would have been a deadlock.
type Inversion struct {
	// Evidence is the weakest of the orders.
	Evidence Evidence
	Orders   []Order
	// Gates are monitors that were held in all of the orders. As long as that is so, no two threads are in them at the
	// same time, and no deadlock comes of it.
	Gates []Gate
}

// Harmless says whether a gate is known to keep the threads apart.
func (i *Inversion) Harmless() bool {
	for _, gate := range i.Gates {
		if gate.Evidence == Seen {
			return true
		}
	}
	return false
}

// Order is a monitor that was held while another one was wanted.
type Order struct {
	Held     Monitor
	Evidence Evidence
	// Example is one thread that did so. Its monitor is the wanted one.
	Example Block
	// By is who found the monitor taken by the thread, at NamedAt; only of an order that was seen.
	By      Thread
	NamedAt trace.Time
	// Times is how often it happened, with at least this evidence.
	Times int
}

// Gate is a monitor that was held besides.
type Gate struct {
	Monitor  Monitor
	Evidence Evidence
}

// Seen are the inversions that are warnings: they were seen, and no gate makes them harmless.
func (r *Report) Seen() []Inversion {
	return r.only(func(i *Inversion) bool { return i.Evidence == Seen && !i.Harmless() })
}

// Harmless are the inversions that were seen and do no harm.
func (r *Report) Harmless() []Inversion {
	return r.only(func(i *Inversion) bool { return i.Evidence == Seen && i.Harmless() })
}

// Supposed are the others.
func (r *Report) Supposed() []Inversion {
	return r.only(func(i *Inversion) bool { return i.Evidence == Supposed })
}

func (r *Report) only(wanted func(*Inversion) bool) []Inversion {
	var chosen []Inversion
	for i := range r.Inversions {
		if wanted(&r.Inversions[i]) {
			chosen = append(chosen, r.Inversions[i])
		}
	}
	return chosen
}
