package deadlock

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// maxStuck limits the threads that are listed as stuck because of a deadlock.
const maxStuck = 1000

// deadlocked handles DeadLock: the thread is in the cycle that the next DeadlockLoop closes.
func (f *Finder) deadlocked(t *thread, e *trace.ModelEvent) {
	m := f.monitor(e)
	if m == nil {
		return
	}
	if !t.blocked() { // it is, or there would be no cycle
		t.block = &block{monitor: m, at: e.Time}
		m.add(t)
	}
	if owner := f.threads[e.Other.Key]; owner != nil {
		f.own(m, owner)
	}
	f.members = append(f.members, t)
}

// closedCycle is a cycle of threads that wait for each other.
type closedCycle struct {
	loop    trace.DeadlockLoop
	members []*thread
}

// addLoop keeps the cycle of the preceding DeadLock events. All cycles are reported at the end of the recording, so
// that the waiters of all threads are collected only once.
func (f *Finder) addLoop(d *trace.DeadlockLoop) {
	members := f.members
	f.members = nil
	if d.Init { // without DeadLock events
		members = nil
		for _, ref := range d.Threads {
			if t := f.threads[ref.Key]; t != nil && t.stuck() != nil {
				members = append(members, t)
			}
		}
	}
	if len(members) == len(d.Threads) {
		f.cycles = append(f.cycles, closedCycle{*d, members})
	}
}

// reportDeadlocks reports the deadlocks of the recording, and returns the monitors that the members of each want. It
// visits each thread once, however many cycles there are: no thread waits for two others.
func (f *Finder) reportDeadlocks() (wanted [][]*monitor) {
	if len(f.cycles) == 0 {
		return nil
	}
	waiting := f.waiters()
	for _, c := range f.cycles {
		found := Deadlock{Loop: c.loop}
		var monitors []*monitor
		for i, t := range c.members {
			b := t.blockUntil(f.last)
			before := c.members[(i+len(c.members)-1)%len(c.members)]
			if h := t.holding(before.stuck().monitor); h != nil {
				b.Taken = h.taken
			}
			found.Members = append(found.Members, b)
			monitors = append(monitors, t.stuck().monitor)
		}
		found.Stuck, found.More = f.stuckOf(c.members, waiting)
		f.report.Deadlocks = append(f.report.Deadlocks, found)
		wanted = append(wanted, monitors)
	}
	return wanted
}

// stuckOf returns the threads that wait for the members, the nearest first, and the number of those beyond the limit.
func (f *Finder) stuckOf(members []*thread, waiting map[*thread][]*thread) (stuck []Stuck, more int) {
	for t, blocker := range behind(members, waiting) {
		if len(stuck) >= maxStuck {
			more++
			continue
		}
		stuck = append(stuck, f.stuck(t, blocker))
	}
	return stuck, more
}

// behind yields the threads that wait for the members, directly or through other threads, the nearest first. Each comes
// with the thread that it waits for.
func behind[T comparable](members []T, waiting map[T][]T) iter.Seq2[T, T] {
	return func(yield func(T, T) bool) {
		known := map[T]bool{}
		for _, t := range members {
			known[t] = true
		}
		for queue := slices.Clone(members); len(queue) > 0; queue = queue[1:] {
			for _, t := range waiting[queue[0]] {
				if known[t] {
					continue
				}
				if known[t], queue = true, append(queue, t); !yield(t, queue[0]) {
					return
				}
			}
		}
	}
}

func (f *Finder) stuck(t, blocker *thread) Stuck {
	s := Stuck{Joins: t.stuck() == nil, Blocker: blocker.Thread}
	if s.Joins {
		j := t.join
		s.Block = Block{Thread: t.Thread, Since: j.since, Until: f.last, Caller: j.caller, Stack: j.stack}
		if t.inWait != nil {
			s.Monitor = t.inWait.Monitor
		}
	} else {
		s.Block = t.blockUntil(f.last)
	}
	return s
}

// waiters returns, for each thread, the threads that are blocked on its monitors, wait for its classes or join it, in
// the order first seen.
func (f *Finder) waiters() map[*thread][]*thread {
	waiting := map[*thread][]*thread{}
	for _, t := range f.threads {
		if other := t.blocker(); other != nil {
			waiting[other] = append(waiting[other], t)
		}
	}
	for _, list := range waiting {
		slices.SortFunc(list, func(a, b *thread) int { return cmp.Compare(a.Key, b.Key) })
	}
	return waiting
}

// Signature is the deadlock signature. It names the deadlock by what each thread of the cycle wants, and where, without
// ids and names of threads, so that the same deadlock in another run has the same signature: java.util.Map at
// shop.Cart.add > shop.Stock at shop.Order.take. Of all rotations, it is the least one.
func (d *Deadlock) Signature() string {
	ring := make([]string, len(d.Members))
	for i := range d.Members {
		m := &d.Members[i]
		ring[i] = cmp.Or(javaname.Class(m.Monitor.Class), "(unknown class)")
		if method := m.Caller.Method; method != nil && method.Title() != "" {
			ring[i] += " at " + method.Title()
		}
	}
	least := ring
	for i := range ring {
		if rotated := slices.Concat(ring[i:], ring[:i]); slices.Compare(rotated, least) < 0 {
			least = rotated
		}
	}
	return strings.Join(least, " > ")
}
