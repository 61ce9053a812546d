package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Pool is the time of the threads whose names differ only in digits. A thread whose name has no digits is a pool of its
// own.
type Pool struct {
	// Name is what the threads' names have in common, with a * for each number in which they differ; "" for threads
	// without a name, Others beyond the limit. threads.PoolOf is the same for the Names of all Pools of such threads.
	Name string `json:"pool"`
	// OfJVM reports that the threads are the JVM's own.
	OfJVM   bool   `json:"jvm,omitempty"`
	Threads uint64 `json:"threads"`
	// Lifetime is the time of all its threads in all states, in nanoseconds.
	Lifetime uint64 `json:"lifetime"`
	// Processors is the part of Lifetime in which the threads were RUNNABLE and their CPU time is known.
	Processors Processors `json:"processors,omitzero"`
	Times      Times      `json:"times"`
	WaitEnds
	// Longest has the longest interval that is not idle, by the name of its kind, without blocks.
	Longest map[string]*Longest `json:"longest,omitempty"`
	// waited counts the threads with time of a kind; 0 if that is not known.
	waited [KindCount]uint64
}

// WaitEnds counts the waits in a pool's Times, except joins and sleeps, by how they ended and what they were for.
type WaitEnds struct {
	// TimedOut counts the waits in Object.wait that ended by their timeout, except idle ones.
	TimedOut uint64 `json:"timedOut"`
	// Idle counts the waits that delay nobody.
	Idle Tally `json:"idle"`
	// IdleFor are the reasons why they count as idle.
	IdleFor idle.Reasons `json:"idleFor,omitzero"`
	// Waits counts the other waits.
	Waits PoolWaits `json:"waits"`
	// selects are waits in selectors of unknown event loops. They are idle unless the pool's work comes in another way.
	selects Tally
}

// PoolWaits are waits that are not idle, by what they were for.
type PoolWaits struct {
	Monitor Tally  `json:"monitor"` // in Object.wait
	Park    Tally  `json:"park"`    // in LockSupport.park, unless they count as blocked
	IO      Tally  `json:"io"`      // for input or output
	Open    uint64 `json:"open"`    // waits in Object.wait that the end of the trace closed
	// Init are waits for the initialisation of classes; OpenInit counts those that the end of the trace closed.
	Init     Tally  `json:"init,omitzero"`
	OpenInit uint64 `json:"openInit,omitempty"`
	// Timed are the waits in Monitor with a timeout; OpenTimed counts those in Open.
	Timed     Tally  `json:"timed"`
	OpenTimed uint64 `json:"openTimed,omitempty"`
	// Asleep are sleeps that began before the recording and were not over at its end.
	Asleep Tally `json:"asleep,omitzero"`
}

// isAsleepBefore reports whether the thread slept before the recording began, so that its timeout is unknown, and did
// not wake up.
func isAsleepBefore(i *trace.Interval) bool {
	return i.Type == trace.Sleeping && i.Timeout == trace.NoTimeout && i.Open && i.Length() > 0
}

// poolName identifies a pool.
type poolName struct {
	name  string
	ofJVM bool
}

// pool is the row of a pool.
type pool struct {
	Pool
	names   threads.PoolNames
	cpu     processorSum
	longest [KindCount]*trace.Interval // of each kind or part, or nil
	latest  trace.ThreadKey            // its thread that was defined last
}

// add counts the wait: an interval of WaitingForObject that has ended or is open, or a sleep that isAsleepBefore.
func (w *WaitEnds) add(i *trace.Interval) {
	wait, open := Tally{1, uint64(i.Length()), i.Length()}, uint64(0)
	if i.Open {
		open = 1
	}
	to := &w.Waits.Monitor
	switch {
	case i.Type == trace.Sleeping:
		to = &w.Waits.Asleep
	case i.IO == trace.IOSelect && (i.Stack == nil || !i.Stack.Idle):
		to = &w.selects
	case i.IsIdle():
		to = &w.Idle
		w.IdleFor |= idle.ReasonOf(&i.ModelEvent)
	case i.Init:
		to = &w.Waits.Init
		w.Waits.OpenInit += open
	case i.IO != trace.NoIO:
		to = &w.Waits.IO
	case i.Park:
		to = &w.Waits.Park
	default:
		if i.TimedOut {
			w.TimedOut++
		}
		w.Waits.Open += open
		if i.HasTimeout() {
			w.Waits.Timed.merge(wait)
			w.Waits.OpenTimed += open
		}
	}
	to.merge(wait)
}

// tallies returns all tallies, in a fixed order.
func (w *WaitEnds) tallies() [8]*Tally {
	return [...]*Tally{&w.Idle, &w.selects, &w.Waits.Monitor, &w.Waits.Park, &w.Waits.IO, &w.Waits.Init,
		&w.Waits.Asleep, &w.Waits.Timed}
}

func (w *WaitEnds) merge(other *WaitEnds) {
	own := w.tallies()
	for i, of := range other.tallies() {
		own[i].merge(*of)
	}
	w.TimedOut += other.TimedOut
	w.IdleFor |= other.IdleFor
	w.Waits.OpenInit += other.Waits.OpenInit
	w.Waits.Open += other.Waits.Open
	w.Waits.OpenTimed += other.Waits.OpenTimed
}

// countSelects counts the waits in selectors: as idle, or as waits for answers.
func (w *WaitEnds) countSelects(answers bool) {
	switch {
	case w.selects.Count == 0:
	case answers:
		w.Waits.IO.merge(w.selects)
	default:
		w.Idle.merge(w.selects)
		w.IdleFor |= idle.Selectors
	}
	w.selects = Tally{}
}

// live adds nanoseconds in which one of the threads was in any state.
func (p *pool) live(length int64) { p.Lifetime = histogram.Sum(p.Lifetime, uint64(length)) }

// poolRows returns the rows of the pools that have threads.
func (c *Collector) poolRows() (rows []*Pool) {
	for _, p := range c.pools.rows {
		if p.Threads == 0 {
			continue
		}
		if p.Name != Others && p.Name != "" {
			p.Name = p.names.String()
		}
		p.Processors = p.cpu.processors()
		p.Longest = c.longestOf(p)
		p.countSelects(p.Name != Others && c.idle.Works(p.latest))
		if p.Name != Others && c.idle.IsIdle(p.latest) && p.Waits.Monitor.Count > 0 {
			p.Idle.merge(p.Waits.Monitor)
			p.IdleFor |= idle.Notifications
			p.Waits = PoolWaits{Park: p.Waits.Park, IO: p.Waits.IO, Init: p.Waits.Init, OpenInit: p.Waits.OpenInit,
				Asleep: p.Waits.Asleep}
		}
		rows = append(rows, &p.Pool)
	}
	return rows
}

// isUncounted reports whether it is not known how many threads have time of the kind.
func (p *Pool) isUncounted(kind Kind) bool { return p.waited[kind] == 0 && p.sum(kind).count > 0 }

func (p *Pool) merge(other *Pool) {
	if p.Name != Others {
		p.Name = threads.CommonName(p.Name, other.Name)
	}
	for kind := range KindCount {
		unknown := p.isUncounted(kind) || other.isUncounted(kind)
		if p.waited[kind] += other.waited[kind]; unknown {
			p.waited[kind] = 0
		}
	}
	p.Threads += other.Threads
	p.Lifetime = histogram.Sum(p.Lifetime, other.Lifetime)
	p.Processors.merge(&other.Processors)
	p.Times.Merge(&other.Times)
	p.WaitEnds.merge(&other.WaitEnds)
	for kind, l := range other.Longest {
		if own := p.Longest[kind]; l != nil && (own == nil || l.Time > own.Time) {
			if p.Longest == nil {
				p.Longest = map[string]*Longest{}
			}
			p.Longest[kind] = l
		}
	}
}
