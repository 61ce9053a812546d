package deadlock

import (
	"cmp"
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

// loop is one of threads that wait for each other.
type loop struct {
	closed  trace.Time
	members []*thread
}

// addLoop keeps the loop whose DeadLock events came before. It is reported at the end of the recording, when all of them
// are known, so that it has to be found out only once who waits for whom.
func (f *Finder) addLoop(d *trace.DeadlockLoop) {
	f.loops = append(f.loops, loop{d.Time, f.members})
	f.members = nil
}

// reportLoops reports the deadlocks of the recording, and returns what the members of each are blocked on. As nobody
// waits for two threads, it takes no longer than there are threads, however many loops there are.
func (f *Finder) reportLoops() (wanted [][]*monitor) {
	if len(f.loops) == 0 {
		return nil
	}
	waiting := f.whoWaits()
	for _, l := range f.loops {
		found := Deadlock{Time: l.closed}
		var monitors []*monitor
		for i, t := range l.members {
			b := t.blockUntil(f.last)
			before := l.members[(i+len(l.members)-1)%len(l.members)]
			if h := t.holding(before.block.monitor); h != nil {
				b.Taken = h.taken
			}
			found.Members = append(found.Members, b)
			monitors = append(monitors, t.block.monitor)
		}
		found.Stuck, found.More = f.stuckBehind(l.members, waiting)
		f.report.Deadlocks = append(f.report.Deadlocks, found)
		wanted = append(wanted, monitors)
	}
	return wanted
}

// stuckBehind lists who waits for the members, and for those who wait for them, and so on.
func (f *Finder) stuckBehind(members []*thread, waiting map[*thread][]*thread) (stuck []Stuck, more int) {
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

// whoWaits lists for each thread who is blocked on what it holds, or waits for its end, in the order in which they were
// first seen.
func (f *Finder) whoWaits() map[*thread][]*thread {
	waiting := map[*thread][]*thread{}
	for _, t := range f.threads {
		other := t.joined
		if t.blocked() {
			other = t.block.monitor.holder()
		}
		if other != nil && other != t {
			waiting[other] = append(waiting[other], t)
		}
	}
	for _, list := range waiting {
		slices.SortFunc(list, func(a, b *thread) int { return cmp.Compare(a.Key, b.Key) })
	}
	return waiting
}
