// Package idle finds waits that delay nobody: threads wait for their next task, servers for connections. Statistics and
// blame leave them out by the same rules.
//
// A wait is idle by its own stack trace or its input and output (ReasonOf), or because its thread's pool is idle, as
// all notifications of the trace show (Finder).
package idle

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Finder observes the records of a whole trace, and finds the pools that are idle by their notifications:
//
//   - the pool has two threads or more, and each waited in Object.wait twice or more on average;
//   - a thread of another pool ended each of these waits, by a notification;
//   - at each monitor at which they waited, two threads of the pool or more did, and no others;
//   - most of them had not notified anybody before they first waited.
//
// So the threads consume work from a queue that others fill. A thread that waits for a result at an object of its own,
// such as a future, or that has asked for the result before, is not idle. Nor is a single thread, as it looks the same
// whatever it waits for. Waits that are idle by themselves, parks, and waits for input or output do not count.
//
// It also finds the pools whose threads wait for work by their stack traces: such a thread waits for an answer if it
// selects elsewhere than in a known event loop.
//
// It uses four bytes a thread and an object. The zero Finder is empty.
type Finder struct {
	names    map[poolName]uint32 // the pools' numbers
	pools    []pool
	threads  threads.List[thread]
	monitors list.List[waiter] // by the keys of objects
	idle     []bool            // by the pools' numbers; nil unless it is computed
}

// poolName identifies a pool.
type poolName struct {
	name  string
	ofJVM bool
}

// pool sums the waits of its threads in Object.wait that are not idle by themselves.
type pool struct {
	threads, ended int
	submitted      int // waits that a notification from another pool ended
	// shared reports that other threads also wait at its monitors; apart that only one thread waits at one of them.
	shared, apart bool
	// asked counts the threads that notified another one before their first wait, unasked the others that waited.
	asked, unasked int
	works          bool // a thread waited for work by its stack trace
}

// maxPools limits the pools. Threads of further pools are in pool 0, which is not idle.
const maxPools = 1 << 16

// thread is the number of the thread's pool and, below poolShift, the phase of its latest wait, whether it has notified
// another thread, and whether it has waited.
type thread uint32

const (
	phaseBits        = 2
	notified  thread = 1 << phaseBits
	waited    thread = notified << 1
	poolShift        = phaseBits + 2
)

// phase is where a thread is in its latest wait.
type phase uint32

const (
	elsewhere phase = iota // in another state
	waiting
	returned  // it runs after the wait
	phaseMask = 1<<phaseBits - 1
)

func (t thread) phase() phase { return phase(t) & phaseMask }

func (t *thread) enter(p phase) { *t = *t&^thread(phaseMask) | thread(p) }

// poolOf returns the number of the thread's pool.
func (f *Finder) poolOf(key trace.ThreadKey) uint32 {
	return uint32(*f.threads.At(key) >> poolShift)
}

// waiter is, in the upper 31 bits, the key of the first thread that waited at a monitor; 0 for none. The lowest bit is
// set if others have waited, too.
type waiter uint32

// Observe accepts the next record.
func (f *Finder) Observe(r trace.Record) {
	switch r := r.(type) {
	case *trace.ModelThread:
		f.define(r)
	case *trace.ModelEvent:
		switch {
		case r.Type == trace.Notify || r.Type == trace.NotifyAll:
			*f.threads.At(r.Thread.Key) |= notified
		case r.Type.IsState() && r.Type != trace.DeadLock:
			f.enter(r)
		}
	case *trace.Binding:
		if r.Thread == 0 || f.threads.At(r.Thread).phase() != returned {
			return
		}
		number := f.poolOf(r.Thread)
		if f.submits(r.Replaces, number) {
			f.pools[number].submitted--
		}
		if f.submits(r.Cause, number) {
			f.pools[number].submitted++
		}
	}
}

// define numbers the thread's pool.
func (f *Finder) define(defined *trace.ModelThread) {
	f.idle = nil
	if f.names == nil {
		f.names, f.pools = map[poolName]uint32{}, make([]pool, 1)
	}
	for f.threads.Last() < defined.Key {
		f.threads.Add()
		f.pools[0].threads++
	}
	name := poolName{threads.PoolOf(defined.Name), defined.OfJVM()}
	number, known := f.names[name]
	if !known && len(f.pools) < maxPools {
		number = uint32(len(f.pools))
		f.names[poolName{strings.Clone(name.name), name.ofJVM}] = number
		f.pools = append(f.pools, pool{})
	}
	t := f.threads.At(defined.Key)
	f.pools[f.poolOf(defined.Key)].threads--
	f.pools[number].threads++
	*t = thread(number<<poolShift) | *t&(1<<poolShift-1)
}

// enter handles a state event: it may begin a wait, and end one.
func (f *Finder) enter(e *trace.ModelEvent) {
	f.idle = nil
	t, number := f.threads.At(e.Thread.Key), f.poolOf(e.Thread.Key)
	ended := t.phase() == waiting
	if ended {
		f.pools[number].ended++
	}
	switch {
	case ended && e.Type == trace.Running:
		t.enter(returned)
		if f.submits(e.Cause, number) {
			f.pools[number].submitted++
		}
	case e.Type == trace.WaitingForObject && !e.Park && e.IO == trace.NoIO && !e.IsIdle():
		t.enter(waiting)
		f.waitAt(e, number)
		f.pools[number].begin(t)
	default:
		t.enter(elsewhere)
		if e.Stack != nil && e.Stack.Idle && e.Type == trace.WaitingForObject && e.IO == trace.NoIO {
			f.pools[number].works = true
		}
	}
}

// begin notes that a thread of the pool waits, for the first time or again.
func (p *pool) begin(t *thread) {
	switch {
	case *t&waited != 0:
		return
	case *t&notified != 0:
		p.asked++
	default:
		p.unasked++
	}
	*t |= waited
}

// submits reports whether the cause is a notification from another pool's thread. number is the waiter's pool.
func (f *Finder) submits(c trace.Cause, number uint32) bool {
	return (c.Type == trace.Notify || c.Type == trace.NotifyAll) && c.ID != 0 && f.poolOf(c.Thread) != number
}

// waitAt adds the thread, of the numbered pool, to those that wait at the object of the event.
func (f *Finder) waitAt(e *trace.ModelEvent, number uint32) {
	if !e.Object.IsObject() {
		f.pools[number].apart = true // it is not known whether others wait there
		return
	}
	for int(e.ObjectKey) >= f.monitors.Len() {
		f.monitors.Add(0)
	}
	at := f.monitors.At(int(e.ObjectKey))
	switch first := trace.ThreadKey(*at >> 1); first {
	case 0:
		*at = waiter(e.Thread.Key << 1)
	case e.Thread.Key:
	default:
		*at |= 1
		if other := f.poolOf(first); other != number {
			f.pools[other].shared, f.pools[number].shared = true, true
		}
	}
}

// IsIdle reports whether the thread's pool is idle by its notifications, as far as the records so far show.
func (f *Finder) IsIdle(key trace.ThreadKey) bool {
	if key == 0 || key > f.threads.Last() {
		return false
	}
	if f.idle == nil {
		f.judge()
	}
	return f.idle[f.poolOf(key)]
}

// Works reports whether the thread's pool waits for work by its stack traces, as far as the records so far show.
func (f *Finder) Works(key trace.ThreadKey) bool {
	return key != 0 && key <= f.threads.Last() && f.pools[f.poolOf(key)].works
}

// judge computes which pools are idle.
func (f *Finder) judge() {
	pools := slices.Clone(f.pools)
	for i := range f.monitors.Len() {
		if at := *f.monitors.At(i); at != 0 && at&1 == 0 {
			pools[f.poolOf(trace.ThreadKey(at>>1))].apart = true
		}
	}
	f.idle = make([]bool, len(pools))
	for i, p := range pools[1:] {
		f.idle[i+1] = p.threads > 1 && p.ended >= 2*p.threads && p.submitted == p.ended && !p.shared && !p.apart &&
			p.unasked > p.asked
	}
}
