package pools

import (
	"maps"
	"math"

	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Finder is a sink of the records of a whole trace. It uses some two hundred bytes for each live thread of a pool.
type Finder struct {
	window  selection.Window
	bounds  bounds
	start   trace.Time
	workers map[trace.ThreadKey]*worker // the live threads of pools
	byID    map[trace.ThreadID]*worker  // the newest of these, by their ids
	byName  map[poolName]*pool
	all     []*pool
	starts  starts
	working map[trace.ThreadKey]string // see Working
	unnamed bool                       // there were threads without a name, which are not observed
}

type poolName struct {
	name    string
	session int
}

// maxPools limits the pools. Threads of further pools are not observed.
const maxPools = 1 << 16

// worker is a thread of a pool.
type worker struct {
	key   trace.ThreadKey
	id    trace.ThreadID
	name  string
	pool  *pool
	at    int // index in the pool's live threads, from 1 on; 0 before its first state
	idle  bool
	timed bool // it waits with a timeout
	state trace.State
	since trace.Time // when the state began
	class string     // of what it waits for
	place trace.Frame
	stack *trace.Stack // of the state
	group *group       // of threads that the same place starts; nil if unknown
}

// bounds are the times of the selected part of the trace.
type bounds struct{ since, until trace.Time }

// cut returns the time, moved into the bounds.
func (b *bounds) cut(t trace.Time) trace.Time { return min(max(t, b.since), b.until) }

// NewFinder returns a Finder for the part of a trace in the window. Times in which pools were saturated are cut at its
// bounds.
func NewFinder(window selection.Window) *Finder {
	return &Finder{window: window, bounds: bounds{math.MinInt64, math.MaxInt64}, byName: map[poolName]*pool{},
		workers: map[trace.ThreadKey]*worker{}, byID: map[trace.ThreadID]*worker{}, starts: newStarts(),
		working: map[trace.ThreadKey]string{}}
}

// Start returns the time from which the trace's times are counted.
func (f *Finder) Start() trace.Time { return f.start }

// Put accepts the next record. It returns no error.
func (f *Finder) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		switch {
		case r.Type == trace.StartsThread:
			f.starts.put(r)
		case r.Type.IsState() && r.Type != trace.DeadLock:
			f.enter(r)
		}
	case *trace.Binding:
		if r.Cause.Type == trace.StartsThread {
			f.bindStart(r.Thread, r.Cause.ID)
		}
	case *trace.ModelThread:
		f.define(r)
	case *trace.Origin:
		f.start = r.Time
		f.bounds.since, f.bounds.until = f.window.Bounds(r.Time)
	case *trace.SessionEnd:
		f.end(r.Index, r.Last)
	}
	return nil
}

// define adds the thread to its pool.
func (f *Finder) define(t *trace.ModelThread) {
	known := f.workers[t.Key]
	if before := f.byID[t.ID]; before != nil && before.key != t.Key && t.ID.Known() { // its end is not recorded
		before.endInGroup()
		delete(f.byID, t.ID)
	}
	f.unnamed = f.unnamed || t.Name == "" || t.Unnamed
	if known != nil && known.at > 0 || t.Name == "" || t.Unnamed || t.Aside || t.OfJVM() {
		return
	}
	name := poolName{threads.ExecutorOf(t.Name), t.Session}
	p := f.byName[name]
	if p == nil {
		if len(f.all) == maxPools {
			return
		}
		p = &pool{session: t.Session, bounds: &f.bounds}
		f.byName[name] = p
		f.all = append(f.all, p)
	}
	p.names.Add(t.Name)
	w := &worker{key: t.Key, id: t.ID, name: t.Name, pool: p}
	f.workers[t.Key], f.byID[t.ID] = w, w
}

// enter handles a state event.
func (f *Finder) enter(e *trace.ModelEvent) {
	w := f.workers[e.Thread.Key]
	if w == nil {
		return
	}
	if e.Type == trace.Running && e.Cause.ID != 0 {
		switch e.Cause.Type {
		case trace.StartsThread:
			f.bindStart(w.key, e.Cause.ID)
		case trace.Notify, trace.NotifyAll:
			if by := f.workers[e.Cause.Thread]; by != nil && by.pool != w.pool {
				by.pool.answered(w, e.Time)
			}
		}
	}
	p := w.pool
	if e.Type == trace.Dead {
		delete(f.workers, w.key)
		if f.byID[w.id] == w {
			delete(f.byID, w.id)
		}
		w.endInGroup()
		p.leave(w, e.Time)
		return
	}
	idle := e.IsIdle()
	if idle {
		p.observeIdle(e.Stack)
	}
	p.works = p.works || worksInPool(e.Stack)
	p.ticks = p.ticks || !idle && runsTimer(e.Stack)
	p.enter(w, e, idle)
}

// Working returns the threads that ran a task of an executor of java.util.concurrent when their recordings ended, with
// its class. Call it after the last record.
func (f *Finder) Working() map[trace.ThreadKey]string { return f.working }

// end closes what is open at the end of a recording.
func (f *Finder) end(session int, last trace.Time) {
	for _, p := range f.all {
		if p.session == session {
			p.finish(last)
		}
	}
	f.selfWaits(session, last)
	for key, w := range f.workers {
		if w.pool.session != session || w.idle || w.at == 0 {
			continue
		}
		if of := executorIn(w.stack); of != "" {
			f.working[key] = of
		}
	}
	maps.DeleteFunc(f.workers, func(_ trace.ThreadKey, w *worker) bool { return w.pool.session == session })
	clear(f.byID)
}
