package pools

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

const (
	// leastSaturated is the length from which an interval counts, in nanoseconds.
	leastSaturated = 100_000_000
	// leastPlace is the length from which the place of a wait counts, in nanoseconds.
	leastPlace = 1_000_000
	// maxIntervals limits the intervals of a pool; the longest are kept.
	maxIntervals = 1000
)

// pool is what is known of a pool.
type pool struct {
	session  int
	names    threads.PoolNames
	bounds   *bounds
	live     []*worker // workers that have had a state
	busy     int       // of the live workers
	largest  int       // the most that lived together
	isPool   bool      // its threads wait for work by their call stacks
	works    bool      // its threads are workers of java.util.concurrent, by the outermost calls of one
	unqueued bool      // tasks are handed to its threads directly: it has no queue, and starts threads as it needs
	lastIdle *trace.Stack

	open      bool // all threads are busy
	from      trace.Time
	states    [trace.StateCount]int64
	places    map[spot]int64
	waiters   map[trace.ThreadKey]*Waiter
	intervals []*Interval
	selfWait  *SelfWait
	timer     timer
	ticks     bool // its threads run tasks of a timer
}

// spot is a place in a state.
type spot struct {
	state trace.State
	place trace.Frame
}

// observeIdle notes how threads of the pool wait for work.
func (p *pool) observeIdle(stack *trace.Stack) {
	if stack == nil || stack == p.lastIdle || !stack.Idle {
		return
	}
	p.isPool, p.lastIdle = true, stack
	p.unqueued = p.unqueued || slices.ContainsFunc(stack.Frames, func(f trace.Frame) bool {
		return strings.HasPrefix(strings.ReplaceAll(f.Method.Class, ".", "/"), "java/util/concurrent/SynchronousQueue")
	})
}

// enter handles a state event of a thread that is not its end.
func (p *pool) enter(w *worker, e *trace.ModelEvent, idle bool) {
	switch {
	case w.at == 0: // the pool grows: it was not at its limit before
		p.live = append(p.live, w)
		w.at, w.idle = len(p.live), true
		p.largest = max(p.largest, len(p.live))
		p.open = false
	case p.open && idle:
		p.close(e.Time, false)
	case p.open:
		p.spend(w, e.Time)
	}
	if idle {
		p.schedule(e)
	}
	if w.idle != idle {
		w.idle = idle
		if p.busy++; idle {
			p.busy -= 2
		}
	}
	w.state, w.since, w.timed, w.stack = e.State(), e.Time, e.HasTimeout(), e.Stack
	if w.state == trace.StateRunnable {
		w.place, w.class = trace.Frame{}, ""
	} else {
		w.place, w.class = e.Caller, e.Class
	}
	p.begin(e.Time)
}

// begin begins an interval if all threads are busy.
func (p *pool) begin(t trace.Time) {
	if p.open || p.busy < len(p.live) || p.busy == 0 {
		return
	}
	p.open, p.from = true, p.bounds.cut(t)
	p.states = [trace.StateCount]int64{}
	clear(p.places)
	clear(p.waiters)
}

// spend counts the time in the thread's state up to now.
func (p *pool) spend(w *worker, t trace.Time) {
	length := int64(p.bounds.cut(t) - max(p.bounds.cut(w.since), p.from))
	if length <= 0 {
		return
	}
	p.states[w.state] += length
	if length >= leastPlace && w.place.Method != nil {
		if p.places == nil {
			p.places = map[spot]int64{}
		}
		p.places[spot{w.state, w.place}] += length
	}
}

// leave handles the end of a thread.
func (p *pool) leave(w *worker, t trace.Time) {
	if w.at == 0 {
		return
	}
	p.closeLast(t, false)
	last := p.live[len(p.live)-1]
	p.live[w.at-1], last.at = last, w.at
	p.live = p.live[:len(p.live)-1]
	if !w.idle {
		p.busy--
	}
	p.begin(t)
}

// finish closes the interval that is open at the end of the recording.
func (p *pool) finish(last trace.Time) { p.closeLast(last, true) }

// closeLast closes the interval, if one is open, that is not followed by a wait for the next task. The thread of a
// timer may never wait so if a task takes longer than its period.
func (p *pool) closeLast(t trace.Time, open bool) {
	if !p.open {
		return
	}
	count := len(p.intervals)
	if p.close(t, open); len(p.intervals) > count && p.largest == 1 {
		p.intervals[len(p.intervals)-1].Timer = p.ticks
	}
}

// close ends the interval, and keeps it if it is long enough.
func (p *pool) close(t trace.Time, open bool) {
	p.open = false
	to := p.bounds.cut(t)
	if to-p.from < leastSaturated {
		return
	}
	for _, w := range p.live {
		p.spend(w, t)
	}
	i := &Interval{From: p.from, To: to, Open: open, Threads: len(p.live)}
	for state, length := range p.states {
		if length > 0 {
			i.Did = append(i.Did, Did{State: trace.State(state), Time: length})
		}
	}
	for s, length := range p.places {
		d := &i.Did[slices.IndexFunc(i.Did, func(d Did) bool { return d.State == s.state })]
		if length > d.AtPlace || length == d.AtPlace && precedes(s.place, d.Place) {
			d.Place, d.AtPlace = s.place, length
		}
	}
	slices.SortStableFunc(i.Did, func(a, b Did) int { return cmp.Compare(b.Time, a.Time) })
	i.waiting, p.waiters = p.waiters, nil
	p.intervals = append(p.intervals, i)
	if len(p.intervals) > 2*maxIntervals {
		p.intervals = longest(p.intervals)
	}
}

// longest returns the longest intervals up to the limit, in their order; of equal ones the first.
func longest(all []*Interval) []*Interval {
	lengths := make([]trace.Time, len(all))
	for n, i := range all {
		lengths[n] = i.To - i.From
	}
	slices.Sort(lengths)
	least, equal := lengths[len(lengths)-maxIntervals], maxIntervals
	for _, length := range lengths {
		if length > least {
			equal--
		}
	}
	return slices.DeleteFunc(all, func(i *Interval) bool {
		if i.To-i.From == least {
			equal--
			return equal < 0
		}
		return i.To-i.From < least
	})
}

// answered notes that a thread of the pool has ended a wait of another pool's thread at the time.
func (p *pool) answered(w *worker, t trace.Time) {
	if w.idle || w.at == 0 || w.state == trace.StateRunnable {
		return
	}
	t = p.bounds.cut(t)
	since := p.bounds.cut(w.since)
	if p.open {
		addWaiter(&p.waiters, w, t-max(since, p.from))
	}
	for n := len(p.intervals) - 1; n >= 0 && p.intervals[n].To > since; n-- {
		i := p.intervals[n]
		addWaiter(&i.waiting, w, min(t, i.To)-max(since, i.From))
	}
}

func addWaiter(waiters *map[trace.ThreadKey]*Waiter, w *worker, length trace.Time) {
	if length <= 0 {
		return
	}
	if *waiters == nil {
		*waiters = map[trace.ThreadKey]*Waiter{}
	}
	if (*waiters)[w.key] == nil {
		(*waiters)[w.key] = &Waiter{Thread: trace.ThreadRef{Key: w.key, ID: w.id}, Name: w.name}
	}
	(*waiters)[w.key].Time += int64(length)
}
