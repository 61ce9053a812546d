package pools

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Pool is a pool of workers that was saturated, or whose tasks wait for its own queue.
type Pool struct {
	Name    string // what its threads' names have in common: web-*
	Threads int    // the most that lived together
	// Intervals are the times in which all of its threads were busy, in order.
	Intervals []*Interval
	// Timers are the times in which its only thread was busy, if it runs tasks at given times.
	Timers []*Interval
	// SelfWait is not nil if its tasks wait for its own queue, when the recording ends.
	SelfWait *SelfWait
}

// Interval is a time in which all threads of a pool were busy: none waited for work.
type Interval struct {
	From, To trace.Time
	Open     bool // it was not over when the recording ended
	Threads  int
	// Did is what the threads did, by the time that they spent. In all it is the interval's length for each thread.
	Did []Did
	// Waiters are threads of other pools that waited meanwhile for a notification by this pool, the longest first.
	Waiters []*Waiter
	// Timer reports that the thread is the only one of a timer. Late is how late other tasks began then, as far as a
	// period shows it.
	Timer   bool
	Late    Late
	waiting map[trace.ThreadKey]*Waiter
}

// Length returns the length in nanoseconds.
func (i *Interval) Length() int64 { return int64(i.To - i.From) }

// Did is the time that the threads of a pool spent in a state.
type Did struct {
	State trace.State
	Time  int64 // nanoseconds, of all threads
	// Place is where they spent most of it, by waits of at least a millisecond, and AtPlace how much. The place has no
	// Method if it is unknown, as for threads that run.
	Place   trace.Frame
	AtPlace int64
}

// Waiter is a thread that waited for a thread of a pool.
type Waiter struct {
	Thread trace.ThreadRef
	Name   string
	Time   int64 // nanoseconds
}

// SelfWait says that all threads of a pool wait, without a timeout and until the recording ends, for something that
// probably only tasks in the pool's own queue can complete.
type SelfWait struct {
	Length int64  // since the last thread began to wait, up to the recording's end, in nanoseconds
	Class  string // of the objects that they wait for
	Place  trace.Frame
	Names  []string // of the threads
	// Behind counts workers of other pools that probably wait for the pool. If what the pool waits for is in their
	// queue, these pools wait for each other.
	Behind int
	// Unsure reports that it is unknown whether the pool has a queue, since none of its threads was ever idle, or how
	// long they wait.
	Unsure bool
}

// Pools returns the pools that were saturated or wait for themselves, the longest saturated first. It must be called
// after the last record.
func (f *Finder) Pools() []*Pool {
	var found []*Pool
	for _, p := range f.all {
		if !p.isPool && p.selfWait == nil && !p.ticks || p.unqueued {
			continue
		}
		result := &Pool{Name: p.names.String(), Threads: p.largest, SelfWait: p.selfWait}
		if !p.isPool && !p.ticks {
			found = append(found, result) // none of its threads was ever seen to be idle
			continue
		}
		for _, i := range p.intervals {
			i.Waiters = slices.SortedFunc(maps.Values(i.waiting), func(a, b *Waiter) int {
				return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Thread.Key, b.Thread.Key))
			})
			if i.Timer && i.Threads == p.largest {
				result.Timers = append(result.Timers, i)
			}
			// A smaller pool could have grown; a pool of one thread matters only if others wait.
			if i.Threads == p.largest && (i.Threads > 1 || len(i.Waiters) > 0) {
				result.Intervals = append(result.Intervals, i)
			}
		}
		if len(result.Intervals)+len(result.Timers) > 0 || result.SelfWait != nil {
			found = append(found, result)
		}
	}
	slices.SortStableFunc(found, func(a, b *Pool) int { return cmp.Compare(b.Total(), a.Total()) })
	return found
}

// Total returns for how long the pool was saturated, in nanoseconds.
func (p *Pool) Total() (total int64) {
	for _, i := range p.Intervals {
		total += i.Length()
	}
	return total
}

// precedes orders places of equal times, so that the result does not depend on the order of a map.
func precedes(a, b trace.Frame) bool {
	return b.Method == nil || cmp.Or(cmp.Compare(a.Method.Title(), b.Method.Title()), cmp.Compare(a.Line, b.Line)) < 0
}
