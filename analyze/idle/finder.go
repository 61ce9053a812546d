// Package idle finds waits that keep nobody from anything: those of threads for their next task, and of servers for
// connections. Statistics and blame leave them out by the same rule.
//
// A wait is idle by its own stack trace or its input and output (ReasonOf), or because its thread's pool is idle, as
// all notifications of the trace show (Finder).
package idle

import (
	"strings"

	"github.com/trcx/trcx/internal/list"
	"github.com/trcx/trcx/trace"
)

// Finder observes the records of a whole trace, and finds the pools which are idle by their notifications:
//
//   - the pool has two threads or more, and each waited in Object.wait twice or more on average;
//   - a thread of another pool ended each of these waits, by a notification;
//   - at each monitor at which they waited, two threads of the pool or more did, and no others.
//
// So the threads consume work from a queue that others fill. A thread that waits for a result at an object of its own,
// such as a future, is not idle, nor is a single thread, as it looks the same whatever it waits for. Waits that are
// idle by themselves, parks, and waits for input or output do not matter.
//
// It takes 16 bytes a thread and four an object. The zero Finder is empty.
type Finder struct {
	names    map[poolName]uint32 // the pools' numbers
	pools    []pool
	threads  list.List[thread] // by their keys
	monitors list.List[waiter] // by the keys of objects
	idle     []bool            // by the pools' numbers; nil unless it is computed
}

// poolName identifies a pool.
type poolName struct {
	name  string
	ofJVM bool
}

// pool sums the waits of its threads.
type pool struct {
	threads, ended, submitted int
	// shared reports that other threads wait at its monitors, too; apart that at one of them a single thread waits.
	shared, apart bool
}

// maxPools limits the number of pools. Threads of others are of the pool 0, which is not idle.
const maxPools = 1 << 16

// thread has the waits of a thread in Object.wait that are not idle by themselves.
type thread struct {
	ended     uint32
	submitted uint32 // of those that ended, by a notification from another pool
	pool      uint32
	phase     phase
}

// phase is where a thread is in its latest wait.
type phase uint8

const (
	elsewhere phase = iota // in another state
	waiting
	returned // it runs after the wait
)

// waiter is the key of the first thread that has waited at a monitor, in the upper 31 bits; 0 is none. The lowest bit
// is set if others have, too.
type waiter uint32

// Observe accepts the next record.
func (f *Finder) Observe(r trace.Record) {
	switch r := r.(type) {
	case *trace.ModelThread:
		f.define(r)
	case *trace.ModelEvent:
		if r.Type.IsState() && r.Type != trace.DeadLock {
			f.enter(r)
		}
	case *trace.Binding:
		if t := f.threads.At(int(r.Thread)); t.phase == returned {
			if f.submits(r.Replaces, t) {
				t.submitted--
			}
			if f.submits(r.Cause, t) {
				t.submitted++
			}
		}
	}
}

// define numbers the thread's pool.
func (f *Finder) define(defined *trace.ModelThread) {
	f.idle = nil
	for int(defined.Key) >= f.threads.Len() {
		f.threads.Add(thread{})
	}
	if f.names == nil {
		f.names, f.pools = map[poolName]uint32{}, make([]pool, 1)
	}
	name := poolName{trace.PoolOf(defined.Name), defined.OfJVM()}
	number, known := f.names[name]
	if !known && len(f.pools) < maxPools {
		number = uint32(len(f.pools))
		f.names[poolName{strings.Clone(name.name), name.ofJVM}] = number
		f.pools = append(f.pools, pool{})
	}
	f.threads.At(int(defined.Key)).pool = number
}

// enter handles a state event: it may begin a wait, and end one.
func (f *Finder) enter(e *trace.ModelEvent) {
	t := f.threads.At(int(e.Thread.Key))
	if t.phase == waiting {
		t.ended++
	}
	switch {
	case t.phase == waiting && e.Type == trace.Running:
		t.phase = returned
		if f.submits(e.Cause, t) {
			t.submitted++
		}
	case e.Type == trace.WaitingForObject && !e.Park && e.IO == trace.NoIO && !e.IsIdle():
		t.phase = waiting
		f.waitAt(e, t)
	default:
		t.phase = elsewhere
	}
	f.idle = nil
}

// submits reports whether the cause is a notification from a thread of another pool than the thread's.
func (f *Finder) submits(c trace.Cause, t *thread) bool {
	return (c.Type == trace.Notify || c.Type == trace.NotifyAll) && c.ID != 0 &&
		f.threads.At(int(c.Thread)).pool != t.pool
}

// waitAt adds the thread to those that wait at the object of the event.
func (f *Finder) waitAt(e *trace.ModelEvent, t *thread) {
	if !e.Object.IsObject() {
		f.pools[t.pool].apart = true // it is not known whether others wait there
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
		if pool := f.threads.At(int(first)).pool; pool != t.pool {
			f.pools[pool].shared, f.pools[t.pool].shared = true, true
		}
	}
}

// IsIdle reports whether the thread's pool is idle by its notifications, as far as the records show that came so far.
func (f *Finder) IsIdle(key trace.ThreadKey) bool {
	if f.idle == nil {
		f.judge()
	}
	return int(key) < f.threads.Len() && f.idle[f.threads.At(int(key)).pool]
}

// judge computes which pools are idle.
func (f *Finder) judge() {
	pools := make([]pool, max(len(f.pools), 1))
	copy(pools, f.pools)
	for i := range f.threads.Len() {
		t := f.threads.At(i)
		p := &pools[t.pool]
		p.threads++
		p.ended += int(t.ended)
		p.submitted += int(t.submitted)
	}
	for i := range f.monitors.Len() {
		if at := *f.monitors.At(i); at != 0 && at&1 == 0 {
			pools[f.threads.At(int(at>>1)).pool].apart = true
		}
	}
	f.idle = make([]bool, len(pools))
	for i, p := range pools[1:] {
		f.idle[i+1] = p.threads > 1 && p.ended >= 2*p.threads && p.submitted == p.ended && !p.shared && !p.apart
	}
}
