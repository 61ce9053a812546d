package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Report lists the deadlocks and lock-order inversions of the recordings, in their order.
type Report struct {
	// Start is the trace's start, from which outputs count times.
	Start     trace.Time
	Deadlocks []Deadlock
	// Inversions are sorted by evidence (seen first), recording, length and time.
	Inversions []Inversion
	// CutOff reports that the trace has no end; the Deadlocks report it for single recordings. OwnedLocks reports that
	// the trace has waits for locks of java.util.concurrent.
	CutOff, OwnedLocks bool
	// Awaited counts locks that readers hold, and tasks, for which threads wait at the end.
	Awaited int
	// Unowned counts threads that are blocked at the end on monitors whose owners the trace does not have.
	Unowned int
	// Live reports that the input is a thread dump of a running JVM that lists owned locks, too.
	Live bool
	// Scattered reports that the input is a thread dump for which the JVM has looked at one thread after the other, as
	// a dump with all virtual threads: its threads may have gone on meanwhile. OwnersUnknown reports that in a dump
	// threads wait for locks of java.util.concurrent without known owners, LocksUnknown that a dump has neither locks
	// nor monitors.
	Scattered, OwnersUnknown, LocksUnknown bool
	// Omitted counts what exceeded a limit and was left out.
	Omitted Omitted
}

// Omitted counts, for each Evidence, what was left out.
type Omitted [Supposed + 1]struct {
	// Orders counts lock orders that were left out: there were too many different ones, or a thread held too many
	// monitors.
	Orders uint64 `json:"orders,omitempty"`
	// Search reports that the search for inversions ended at a limit: there can be others.
	Search bool `json:"search,omitempty"`
}

// Thread is a thread as the trace describes it.
type Thread struct {
	trace.ThreadRef
	Session     int
	Name, Group string // "" if unknown
}

// Monitor is an object that threads lock, as the trace describes it. It belongs to the recording of the threads.
type Monitor struct {
	ID    trace.ObjectID
	Class string // "" if unknown
}

// Block is an interval in which a thread was blocked on a monitor, or waited for a class.
type Block struct {
	Thread  Thread
	Monitor Monitor
	Init    bool // it waited for the initialisation of the class whose object is the Monitor
	Since   trace.Time
	Until   trace.Time // when it entered, or the end of the recording
	// Caller and Stack are where it was blocked; Taken is where it had entered the monitor that it held meanwhile.
	// Methods and the stack are nil if unknown.
	Caller, Taken trace.Frame
	Stack         *trace.Stack
}

// Length returns the length in nanoseconds; 0 if Until is before Since, as times of real traces go back.
func (b *Block) Length() int64 { return max(int64(b.Until-b.Since), 0) }

// Deadlock is a cycle of threads, each blocked on a monitor that the next one owns, and the last on one that the first
// owns. It begins with the thread that closed it.
type Deadlock struct {
	Loop    trace.DeadlockLoop
	Members []Block
	// Stuck are the threads that wait for the members, directly or not; the nearest first.
	Stuck []Stuck
	// More counts further stuck threads.
	More int
}

// Init reports that a member waits for the initialisation of a class by the next one.
func (d *Deadlock) Init() bool {
	return slices.ContainsFunc(d.Members, func(b Block) bool { return b.Init })
}

// Stuck is a thread that waits for another one that never runs again.
type Stuck struct {
	Block
	// Joins reports that the thread joins the Blocker. Else it is blocked on a monitor that the Blocker owns, or waits
	// for a class that the Blocker initialises.
	Joins   bool
	Blocker Thread
}

// Evidence is how certain it is that a thread held a monitor.
type Evidence uint8

// The evidence, from the surest to the least sure.
const (
	// Seen: while the thread was blocked on the one monitor, the monContendedEnter of another thread named it as the
	// owner of the other one.
	Seen Evidence = iota
	// Supposed: the thread entered, waited or notified before, and no event disproves that it still owned the monitor.
	Supposed
)

// String returns the word for the evidence in outputs.
func (e Evidence) String() string { return [...]string{Seen: "seen", Supposed: "supposed"}[e] }

// Inversion is a cycle of lock orders: in each, a thread held a monitor and wanted the one that another thread holds in
// the next. If they happened at the same time, they would be a deadlock.
type Inversion struct {
	// Evidence is the weakest evidence of the orders.
	Evidence Evidence
	Orders   []Order
	// Gates are monitors that were held in all of the orders. They exclude a deadlock, because no two threads are in
	// the orders at the same time.
	Gates []Gate
}

// Harmless reports whether a gate that was seen excludes a deadlock.
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
	// Example is one occurrence. Its monitor is the wanted one.
	Example Block
	// By is the thread whose monContendedEnter at NamedAt named the holder, if the order was seen.
	By      Thread
	NamedAt trace.Time
	// Times counts the occurrences with at least this evidence.
	Times int
}

// Gate is a monitor that was also held.
type Gate struct {
	Monitor  Monitor
	Evidence Evidence
}

// Seen returns the inversions that were seen and are not harmless.
func (r *Report) Seen() []Inversion {
	return r.only(func(i *Inversion) bool { return i.Evidence == Seen && !i.Harmless() })
}

// Harmless returns the inversions that were seen and are harmless.
func (r *Report) Harmless() []Inversion {
	return r.only(func(i *Inversion) bool { return i.Evidence == Seen && i.Harmless() })
}

// supposed returns the other inversions.
func (r *Report) supposed() []Inversion {
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
