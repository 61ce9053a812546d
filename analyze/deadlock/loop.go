package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// mostStuck is how many threads are listed behind a deadlock.
const mostStuck = 1000

// deadlocked: the thread is one of a loop.
func (f *Finder) deadlocked(t *thread, e *trace.ModelEvent) {
	m := f.monitor(e)
	if m == nil {
		return
	}
	if !t.blocked() { // it is, or there would be no loop
		t.block = block{monitor: m, place: len(m.blocked), at: e.Time}
		m.blocked = append(m.blocked, t)
	}
	if owner := f.threads[e.Other.Key]; owner != nil {
		f.own(m, owner)
	}
	f.members = append(f.members, t)
}

// Deadlock reports the loop whose members were told before.
func (f *Finder) Deadlock(loop *trace.DeadlockLoop) error {
	found := Deadlock{Time: loop.Time}
	var wanted []*monitor
	for i, t := range f.members {
		b := t.blockUntil(f.last)
		before := f.members[(i+len(f.members)-1)%len(f.members)]
		if h := t.holding(before.block.monitor); h != nil {
			b.Taken = h.taken
		}
		found.Members = append(found.Members, b)
		wanted = append(wanted, t.block.monitor)
	}
	found.Stuck, found.More = f.stuckBehind(f.members)
	f.report.Deadlocks = append(f.report.Deadlocks, found)
	f.loops = append(f.loops, wanted)
	f.members = nil
	return nil
}

// stuckBehind lists who waits for the members, and for those who wait for them, and so on.
func (f *Finder) stuckBehind(members []*thread) (stuck []Stuck, more int) {
	waiting := f.whoWaits()
	known := map[*thread]bool{}
	for _, t := range members {
		known[t] = true
	}
	for queue := slices.Clone(members); len(queue) > 0; queue = queue[1:] {
		for _, t := range waiting[queue[0]] {
			if known[t] {
				continue
			}
			known[t] = true
			queue = append(queue, t)
			if len(stuck) >= mostStuck {
				more++
				continue
			}
			stuck = append(stuck, f.stuck(t, queue[0]))
		}
	}
	return stuck, more
}

func (f *Finder) stuck(t, behind *thread) Stuck {
	s := Stuck{Joins: !t.blocked(), Behind: behind.Thread}
	if s.Joins {
		s.Block = Block{Thread: t.Thread, Since: t.since, Until: f.last, Caller: t.caller, Stack: t.stack}
		if t.inWait != nil {
			s.Monitor = t.inWait.Monitor
		}
	} else {
		s.Block = t.blockUntil(f.last)
	}
	return s
}

// whoWaits lists for each thread who is blocked on what it holds, or waits for its end, in the order in which they were first seen.
func (f *Finder) whoWaits() map[*thread][]*thread {
	waiting := map[*thread][]*thread{}
	for _, t := range f.threads {
		if t.blocked() {
			if owner := t.block.monitor.owner; owner != nil && owner != t {
				waiting[owner] = append(waiting[owner], t)
			}
		}
	}
	for _, t := range f.joining {
		waiting[t.joined] = append(waiting[t.joined], t)
	}
	for _, list := range waiting {
		slices.SortFunc(list, func(a, b *thread) int { return int(a.Key) - int(b.Key) })
	}
	return waiting
}
