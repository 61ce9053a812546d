package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Finder is a trace.Sink. Its memory does not depend on the length of the trace, but on the number of
// threads and monitors that are known at a time, of each thread mostHeld and mostClaims at most, and of the lock orders
// that it finds, which are at most mostOrders of each evidence. An event takes no longer the more threads and monitors
// there are; only an object that is moved to where threads are blocked takes as long as these are many.
type Finder struct {
	report   Report
	session  int
	last     trace.Time // the latest time of the recording
	threads  map[trace.ThreadKey]*thread
	monitors map[trace.ObjectID]*monitor
	sweepAt  int // how many monitors are so many that some can be forgotten
	orders   orders
	members  []*thread // of the loop that is being told
	loops    []loop    // that were told
}

// NewFinder returns a Finder that knows nothing yet.
func NewFinder() *Finder {
	f := &Finder{}
	f.forget()
	return f
}

// forget begins a recording.
func (f *Finder) forget() {
	f.threads, f.monitors = map[trace.ThreadKey]*thread{}, map[trace.ObjectID]*monitor{}
	f.members, f.loops, f.last, f.sweepAt = nil, nil, 0, fewMonitors
	f.orders = orders{known: map[pair]*order{}}
}

// Report is what was found. It is complete after the Summary.
func (f *Finder) Report() *Report { return &f.report }

// Begin begins the recording of the index, and ends the one before. It is to be called where Element is.
func (f *Finder) Begin(session int) {
	if session != f.session {
		f.conclude()
		f.forget()
		f.session = session
	}
}

// Element takes an element of the input before its events come. Objects whose ids change, or are used again, are in
// elements only, and so is the time at which a recording ends. Without it both are missed, and nothing else.
func (f *Finder) Element(e *trace.Event) {
	if e.Timed() {
		f.last = max(f.last, e.Time)
	}
	switch e.Kind {
	case trace.ObjAlloc, trace.ObjDef:
		f.free(e.Object(trace.AttrObjID))
	case trace.ObjFree:
		f.free(e.Object(trace.AttrObjIDRef))
	case trace.ObjMove:
		f.move(e.Object(trace.AttrObjIDRef), e.Object(trace.AttrNewObjID))
	}
}

// free makes the id that of another object, if anybody uses it again.
func (f *Finder) free(id trace.ObjectID) {
	m := f.monitors[id]
	if m == nil {
		return
	}
	f.own(m, nil)
	if len(m.blocked) == 0 {
		delete(f.monitors, id)
	}
}

// move gives an object another id. Who is blocked on what had that id before is blocked on this object.
func (f *Finder) move(from, to trace.ObjectID) {
	m := f.monitors[from]
	if m == nil || !to.IsObject() || from == to {
		return
	}
	f.free(to)
	if other := f.monitors[to]; other != nil {
		for _, t := range other.blocked {
			t.block.monitor, t.block.place = m, len(m.blocked)
			m.blocked = append(m.blocked, t)
		}
	}
	delete(f.monitors, from)
	m.ID = to
	f.monitors[to] = m
}

// Put follows the record. The Summary ends the last recording.
func (f *Finder) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		f.event(r)
	case *trace.Activity: // the time, for traces whose elements are not passed to Element
		f.last = max(f.last, r.Time)
	case *trace.Origin:
		f.report.Start = r.Time
	case *trace.Session: // begins the recording, unless Begin has
		f.Begin(r.Index)
	case *trace.ModelThread:
		t := f.thread(trace.ThreadRef{Key: r.Key, ID: r.ID})
		t.Name, t.Group = r.Name, r.Group
	case *trace.DeadlockLoop:
		f.addLoop(r)
	case *trace.Summary:
		f.conclude()
		f.forget()
	}
	return nil
}

// thread is what is known of the thread, from here on something if there was nothing. Of the dead there is nothing.
func (f *Finder) thread(ref trace.ThreadRef) *thread {
	t := f.threads[ref.Key]
	if t == nil {
		t = &thread{Thread: Thread{ThreadRef: ref, Session: f.session}}
		f.threads[ref.Key] = t
	}
	return t
}

// monitor is what is known of the event's object, or nil if it names none.
func (f *Finder) monitor(e *trace.ModelEvent) *monitor {
	if !e.Object.IsObject() {
		return nil
	}
	m := f.monitors[e.Object]
	if m == nil {
		if len(f.monitors) >= f.sweepAt {
			f.sweep()
		}
		m = &monitor{Monitor: Monitor{ID: e.Object, Session: f.session}}
		f.monitors[e.Object] = m
	}
	if e.Class != "" {
		m.Class = e.Class
	}
	return m
}

// sweep forgets the monitors of which there is nothing to be known any more.
func (f *Finder) sweep() {
	for _, t := range f.threads {
		if t.inWait != nil {
			t.inWait.awaited = true
		}
	}
	for id, m := range f.monitors {
		if !m.held() && len(m.blocked) == 0 && m.node == nil && !m.awaited {
			delete(f.monitors, id)
		}
		m.awaited = false
	}
	f.sweepAt = 2*len(f.monitors) + len(f.threads) + fewMonitors
}

// fewMonitors are not worth a sweep.
const fewMonitors = 1024

// handlers are what the types of events mean for who holds what. The others mean nothing.
var handlers = [trace.ModelTypeCount]func(*Finder, *thread, *trace.ModelEvent){
	trace.Running:          (*Finder).running,
	trace.WaitingForLock:   (*Finder).waitingForLock,
	trace.WaitingForObject: (*Finder).waiting,
	trace.WaitingForJoin:   (*Finder).waiting,
	trace.Sleeping:         (*Finder).sleeping,
	trace.HandoffLock:      (*Finder).handedOff,
	trace.Notify:           (*Finder).notifies,
	trace.NotifyAll:        (*Finder).notifies,
	trace.Dead:             (*Finder).dead,
	trace.DeadLock:         (*Finder).deadlocked,
}

// event follows the event. The dead hold nothing, and who is let in after a thread's end is let in by nobody; but if
// the trace says so, even they can be blocked.
func (f *Finder) event(e *trace.ModelEvent) {
	handle := handlers[e.Type]
	if handle == nil {
		return
	}
	t := f.threads[e.Thread.Key]
	if t == nil && (e.Type == trace.WaitingForLock || e.Type == trace.DeadLock) {
		t = f.thread(e.Thread)
	}
	if t != nil || e.Type == trace.HandoffLock {
		handle(f, t, e)
	}
}

// conclude reports what the recording has to say.
func (f *Finder) conclude() {
	deadlocks := f.reportLoops()
	keys := make([]trace.ThreadKey, 0, len(f.threads))
	for key, t := range f.threads {
		if t.blocked() {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys) // or what is dropped when there are too many would depend on chance
	for _, key := range keys {
		f.unblock(f.threads[key], f.last)
	}
	f.orders.conclude(deadlocks, &f.report)
}
