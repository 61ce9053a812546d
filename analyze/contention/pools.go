package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Pool is the time of the threads whose names differ only in digits. A thread whose name has no digits is a pool of
// one.
type Pool struct {
	// Name is the threads' with a * for each run of digits; "" for threads without a name, Others beyond the limit.
	Name string `json:"pool"`
	// OfJVM reports that the threads are the JVM's own.
	OfJVM   bool   `json:"jvm,omitempty"`
	Threads uint64 `json:"threads"`
	// Lifetime is the time of all its threads in all states, in nanoseconds.
	Lifetime uint64 `json:"lifetime"`
	// Processors is the part of Lifetime in which the threads were RUNNABLE and their CPU time is known.
	Processors Processors `json:"processors,omitzero"`
	Times      Times      `json:"times"`
	// TimedOut counts the waits in Object.wait that ended by their timeout, without idle ones.
	TimedOut uint64 `json:"timedOut"`
	// Idle counts the waits for the next task. They are included in Times.
	Idle Tally `json:"idle"`
	// Waits counts the other waits of Times that are no joins and no sleeps, by what they were for.
	Waits PoolWaits `json:"waits"`
	// Longest has the longest interval that is not idle, by the name of its kind, without blocks.
	Longest map[string]*Longest `json:"longest,omitempty"`
}

// PoolWaits are waits that are not idle, by what they were for.
type PoolWaits struct {
	Monitor Tally  `json:"monitor"` // in Object.wait
	Park    Tally  `json:"park"`    // in LockSupport.park, but for those that count as blocked
	IO      Tally  `json:"io"`      // for input or output
	Open    uint64 `json:"open"`    // those in Object.wait that the end of the trace closed
	// Timed are those of Monitor with a timeout, and OpenTimed those of Open.
	Timed     Tally  `json:"timed"`
	OpenTimed uint64 `json:"openTimed,omitempty"`
}

func (w *PoolWaits) merge(other *PoolWaits) {
	w.Monitor.merge(other.Monitor)
	w.Park.merge(other.Park)
	w.IO.merge(other.IO)
	w.Open += other.Open
	w.Timed.merge(other.Timed)
	w.OpenTimed += other.OpenTimed
}

// poolName identifies a pool.
type poolName struct {
	name  string
	ofJVM bool
}

// pools are numbered by their names.
type pools struct {
	numbering[poolName]
	rows []*pool
}

// pool is the row of a pool.
type pool struct {
	Pool
	ends    waitEnds
	longest [KindCount]longest
	// shared reports that other threads wait at its monitors, too.
	shared bool
}

// waitEnds counts waits and how they ended.
type waitEnds struct {
	waits     PoolWaits
	timedOut  uint64 // waits in Object.wait that ended by their timeout
	submitted uint64 // by a notification from a thread of another pool
	idle      Tally  // waits for the next task, as the stack trace shows
}

// add counts the wait, an interval of WaitingForObject that has ended or is open.
func (w *waitEnds) add(i *trace.Interval) {
	wait := Tally{1, uint64(i.Length()), i.Length()}
	switch {
	case i.IsIdle():
		w.idle.merge(wait)
		return
	case i.IO != trace.NoIO:
		w.waits.IO.merge(wait)
		return
	case i.Park:
		w.waits.Park.merge(wait)
		return
	}
	w.waits.Monitor.merge(wait)
	if i.TimedOut {
		w.timedOut++
	}
	if i.Open {
		w.waits.Open++
	}
	if i.Timeout > 0 {
		w.waits.Timed.merge(wait)
		if i.Open {
			w.waits.OpenTimed++
		}
	}
}

func (w *waitEnds) merge(other *waitEnds) {
	w.waits.merge(&other.waits)
	w.timedOut += other.timedOut
	w.submitted += other.submitted
	w.idle.merge(other.idle)
}

// waiters is the pool that waits at a monitor: its number plus one, 0 for none, or severalPools.
type waiters uint32

const severalPools = ^waiters(0)

// add adds a thread of the pool.
func (w *waiters) add(pool uint32) {
	switch *w {
	case 0:
		*w = waiters(pool) + 1
	case waiters(pool) + 1:
	default:
		*w = severalPools
	}
}

// numberOf returns the number of the thread's pool. Names of pools outlive their threads.
func (p *pools) numberOf(t *trace.ModelThread) uint32 {
	of := poolName{trace.PoolOf(t.Name), t.OfJVM()}
	number, name, fresh := p.number(of)
	if fresh {
		p.rows = append(p.rows, &pool{Pool: Pool{Name: name.name, OfJVM: name.ofJVM}})
	}
	return number
}

// countInPool adds the thread's times to those of its pool. The thread is evicted, or the trace has ended.
func (c *Collector) countInPool(t *thread) {
	p := c.pools.rows[c.seen(t.Key).pool]
	p.Times.Merge(&t.Times)
	if t.ends != nil {
		p.ends.merge(t.ends)
	}
	for number := range t.waits.all {
		p.shared = p.shared || c.objects[number].waiters == severalPools
	}
}

// poolRows returns the rows of the pools that have threads.
func (c *Collector) poolRows() (rows []*Pool) {
	for i := range c.threadsSeen.Len() {
		if seen := c.threadsSeen.At(i); seen.row != nil && (seen.row == &c.evicted || seen.row.listed) {
			p := c.pools.rows[seen.pool]
			p.Threads++
			p.Lifetime = histogram.Sum(p.Lifetime, uint64(seen.lifetime))
		}
	}
	for number, p := range c.pools.rows {
		if p.Threads == 0 {
			continue
		}
		if sum := c.cpu.pools[uint32(number)]; sum != nil {
			p.Processors = sum.processors()
		}
		p.TimedOut, p.Idle, p.Waits = p.ends.timedOut, p.ends.idle, p.ends.waits
		p.Longest = c.longestOf(p)
		if p.isIdleByNotifications() {
			p.Idle.merge(p.Waits.Monitor)
			p.Waits = PoolWaits{Park: p.Waits.Park, IO: p.Waits.IO}
		}
		rows = append(rows, &p.Pool)
	}
	return rows
}

// isIdleByNotifications reports whether all waits of the pool in Object.wait were for work, as far as notifications
// show: each thread waited again and again, another pool's thread ended each wait, and no other thread waits at these
// monitors. A single thread that waits for results of others looks the same, and is not called idle.
func (p *pool) isIdleByNotifications() bool {
	ended := p.ends.waits.Monitor.Count - p.ends.waits.Open
	return p.Threads > 1 && ended >= 2*p.Threads && p.ends.submitted == ended && !p.shared
}

func (p *Pool) merge(other *Pool) {
	p.Threads += other.Threads
	p.Lifetime = histogram.Sum(p.Lifetime, other.Lifetime)
	p.Processors.merge(&other.Processors)
	p.Times.Merge(&other.Times)
	p.TimedOut += other.TimedOut
	p.Idle.merge(other.Idle)
	p.Waits.merge(&other.Waits)
	for kind, l := range other.Longest {
		if own := p.Longest[kind]; l != nil && (own == nil || l.Time > own.Time) {
			if p.Longest == nil {
				p.Longest = map[string]*Longest{}
			}
			p.Longest[kind] = l
		}
	}
}
