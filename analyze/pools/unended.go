package pools

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// leastUnended is the number of threads from which a group counts.
const leastUnended = 21

// Unended is a group of threads that one place started in the recording. None of them ended.
type Unended struct {
	Name    string // what the threads' names have in common: poller-*
	Place   trace.Frame
	Threads int
	// First and Last are the times at which the first and the last of them were started.
	First, Last trace.Time
}

// group is the threads whose names differ only in numbers and that one place started.
type group struct {
	names       threads.PoolNames
	place       trace.Frame
	first, last trace.Time
	started     int
	ended       int
	pool        *pool // of the first one
	pools       bool  // they are of several pools
}

type groupName struct {
	name    string
	session int
	place   trace.Frame
}

// starts are the calls that start threads.
type starts struct {
	unbound map[trace.EventID]start
	groups  map[groupName]*group
	order   []*group
}

type start struct {
	place  trace.Frame
	at     trace.Time
	worker bool // ThreadPoolExecutor starts it
}

// maxUnbound limits the calls whose thread has not begun, and maxGroups the groups.
const (
	maxUnbound = 1 << 16
	maxGroups  = 1 << 14
)

func newStarts() starts {
	return starts{map[trace.EventID]start{}, map[groupName]*group{}, nil}
}

// put keeps where a thread is started.
func (s *starts) put(e *trace.ModelEvent) {
	if e.Caller.Method == nil || len(s.unbound) == maxUnbound {
		return
	}
	s.unbound[e.ID] = start{e.Caller, e.Time, e.Stack != nil && slices.ContainsFunc(e.Stack.Frames, isAddWorker)}
}

func isAddWorker(f trace.Frame) bool {
	return f.Method.Name == "addWorker" && (f.Method.Class == "java/util/concurrent/ThreadPoolExecutor" ||
		f.Method.Class == "java.util.concurrent.ThreadPoolExecutor")
}

// bindStart notes that the call of the event has started the thread.
func (f *Finder) bindStart(key trace.ThreadKey, by trace.EventID) {
	call, known := f.starts.unbound[by]
	if !known {
		return
	}
	delete(f.starts.unbound, by)
	w := f.workers[key]
	if w == nil {
		return
	}
	if call.worker {
		w.pool.isPool = true
	}
	name := groupName{threads.PoolOf(w.name), w.pool.session, call.place}
	g := f.starts.groups[name]
	if g == nil {
		if len(f.starts.order) == maxGroups {
			return
		}
		g = &group{place: call.place, first: call.at, pool: w.pool}
		f.starts.groups[name] = g
		f.starts.order = append(f.starts.order, g)
	}
	g.names.Add(w.name)
	g.started++
	g.last = call.at
	g.pools = g.pools || g.pool != w.pool
	w.group = g
}

// endInGroup counts the end of the thread in its group.
func (w *worker) endInGroup() {
	if w.group != nil {
		w.group.ended++
	}
}

// Unended returns the groups of many threads that were started and never ended, the largest first. It leaves out the
// workers of a single pool, because they are kept for later tasks.
func (f *Finder) Unended() []*Unended {
	var found []*Unended
	for _, g := range f.starts.order {
		if g.ended > 0 || g.started < leastUnended || g.pool.isPool && !g.pools {
			continue
		}
		found = append(found, &Unended{g.names.String(), g.place, g.started, g.first, g.last})
	}
	slices.SortStableFunc(found, func(a, b *Unended) int { return cmp.Compare(b.Threads, a.Threads) })
	return found
}
