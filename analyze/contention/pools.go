package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/threads"
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
	// Idle counts the waits that keep nobody from anything. They are included in Times.
	Idle Tally `json:"idle"`
	// IdleFor are the reasons for which they count as idle.
	IdleFor idle.Reasons `json:"idleFor,omitzero"`
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
	// notified reports that the pool is idle by its notifications.
	notified bool
	latest   trace.ThreadKey // of its threads, the last one that was defined
}

// waitEnds counts waits and how they ended.
type waitEnds struct {
	waits    PoolWaits
	timedOut uint64 // waits in Object.wait that ended by their timeout
	idle     Tally  // waits that are idle by themselves
	idleFor  idle.Reasons
}

// add counts the wait, an interval of WaitingForObject that has ended or is open.
func (w *waitEnds) add(i *trace.Interval) {
	wait := Tally{1, uint64(i.Length()), i.Length()}
	switch {
	case i.IsIdle():
		w.idle.merge(wait)
		w.idleFor |= idle.ReasonOf(&i.ModelEvent)
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
	w.idle.merge(other.idle)
	w.idleFor |= other.idleFor
}

// numberOf returns the number of the thread's pool. Names of pools outlive their threads.
func (p *pools) numberOf(t *trace.ModelThread) uint32 {
	of := poolName{threads.PoolOf(t.Name), t.OfJVM()}
	number, name, fresh := p.number(of)
	if fresh {
		p.rows = append(p.rows, &pool{Pool: Pool{Name: name.name, OfJVM: name.ofJVM}})
	}
	return number
}

// countInPool adds the thread's times to those of its pool. The thread is evicted, or the trace has ended.
func (c *Collector) countInPool(t *thread) {
	p := c.pools.rows[c.seen(t.of).pool]
	p.Times.Merge(&t.Times)
	if t.ends != nil {
		p.ends.merge(t.ends)
	}
}

// addThread counts a thread, which was in any state for so many nanoseconds.
func (p *pool) addThread(key trace.ThreadKey, lifetime int64) {
	p.Threads++
	p.latest = max(p.latest, key)
	p.live(lifetime)
}

// live adds nanoseconds in which one of the threads was in any state.
func (p *pool) live(length int64) { p.Lifetime = histogram.Sum(p.Lifetime, uint64(length)) }

// poolRows returns the rows of the pools that have threads.
func (c *Collector) poolRows() (rows []*Pool) {
	for number, p := range c.pools.rows {
		if p.Threads == 0 {
			continue
		}
		p.notified = p.Name != Others && c.idle.IsIdle(p.latest)
		if sum := c.cpu.pools[uint32(number)]; sum != nil {
			p.Processors = sum.processors()
		}
		p.TimedOut, p.Waits = p.ends.timedOut, p.ends.waits
		p.Idle, p.IdleFor = p.ends.idle, p.ends.idleFor
		p.Longest = c.longestOf(p)
		if p.notified && p.Waits.Monitor.Count > 0 {
			p.Idle.merge(p.Waits.Monitor)
			p.IdleFor |= idle.Notifications
			p.Waits = PoolWaits{Park: p.Waits.Park, IO: p.Waits.IO}
		}
		rows = append(rows, &p.Pool)
	}
	return rows
}

func (p *Pool) merge(other *Pool) {
	p.Threads += other.Threads
	p.Lifetime = histogram.Sum(p.Lifetime, other.Lifetime)
	p.Processors.merge(&other.Processors)
	p.Times.Merge(&other.Times)
	p.TimedOut += other.TimedOut
	p.Idle.merge(other.Idle)
	p.IdleFor |= other.IdleFor
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
