package deadlock

import (
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// Finder is a sink of the model. It needs the records of enrich.Options.Objects; without them it takes a new object
// with the id of an old one for the old one. Its memory depends on live threads, monitors in use and lock orders, not
// on the length of the trace. A thread holds at most maxHeld monitors, and each kind of evidence has at most maxOrders
// lock orders. The time for a record is constant, except if an object moves to the id of another one: then it depends
// on the number of threads blocked on that one.
type Finder struct {
	report   Report
	last     trace.Time // the latest time of the recording
	threads  map[trace.ThreadKey]*thread
	monitors map[trace.ObjectID]*monitor
	sweepAt  int // the number of monitors at which unused ones are dropped
	orders   orders
	unowned  map[trace.ObjectID]bool // tasks not done, and locks of readers, when their states were read
	// members are in the next cycle. Their DeadLock events precede their DeadlockLoop, unless it has Init.
	members []*thread
	cycles  []closedCycle
}

// NewFinder returns a Finder without records.
func NewFinder() *Finder {
	f := &Finder{}
	f.reset()
	return f
}

// reset prepares for a recording.
func (f *Finder) reset() {
	f.threads, f.monitors = map[trace.ThreadKey]*thread{}, map[trace.ObjectID]*monitor{}
	f.members, f.cycles, f.last, f.sweepAt = nil, nil, 0, fewMonitors
	f.orders, f.unowned = orders{known: map[pair]*order{}}, map[trace.ObjectID]bool{}
}

// maxUnowned limits the tasks and locks in unowned.
const maxUnowned = 1 << 12

// Report returns the report, which is complete after the trace.Summary.
func (f *Finder) Report() *Report { return &f.report }

// free drops what is known of the object of the id. Another object can get the id from now on.
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

// move changes the id of an object. Threads blocked on the object that had the new id are now blocked on this one.
func (f *Finder) move(from, to trace.ObjectID) {
	m := f.monitors[from]
	if m == nil || !to.IsObject() || from == to {
		return
	}
	f.free(to)
	if other := f.monitors[to]; other != nil {
		for _, t := range other.blocked {
			t.block.monitor = m
			m.add(t)
		}
	}
	delete(f.monitors, from)
	m.ID = to
	f.monitors[to] = m
}

// Put consumes the record. A SessionEnd ends a recording, and so does the Summary.
func (f *Finder) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		f.event(r)
	case *trace.ObjectEnd:
		f.free(r.Object)
	case *trace.Move:
		f.move(r.From, r.To)
	case *trace.Origin:
		f.report.Start = r.Time
	case *trace.ModelThread:
		t := f.thread(trace.ThreadRef{Key: r.Key, ID: r.ID})
		t.Name, t.Group, t.Session = r.Name, r.Group, r.Session
	case *trace.DeadlockLoop:
		f.addLoop(r)
	case *trace.ObjectState:
		readers, _ := r.Number("readers")
		if done, isTask := r.Number("done"); readers == 0 && (!isTask || done != 0) {
			delete(f.unowned, r.Object)
		} else if len(f.unowned) < maxUnowned {
			f.unowned[r.Object] = true
		}
	case *trace.SessionEnd:
		f.last = r.Last
		f.end()
	case *trace.Summary:
		f.report.CutOff = r.CutOff
		f.end()
	}
	return nil
}

// end ends the recording.
func (f *Finder) end() {
	f.conclude()
	f.reset()
}

// thread returns the thread, which is new if it was unknown or dead.
func (f *Finder) thread(ref trace.ThreadRef) *thread {
	t := f.threads[ref.Key]
	if t == nil {
		t = &thread{Thread: Thread{ThreadRef: ref}}
		f.threads[ref.Key] = t
	}
	return t
}

// monitor returns the monitor of the event's object, a new one if it was unknown; nil if the event names no object.
func (f *Finder) monitor(e *trace.ModelEvent) *monitor {
	if !e.Object.IsObject() {
		return nil
	}
	m := f.monitors[e.Object]
	if m == nil {
		if len(f.monitors) >= f.sweepAt {
			f.sweep()
		}
		m = &monitor{Monitor: Monitor{ID: e.Object}}
		f.monitors[e.Object] = m
	}
	if e.Class != "" {
		m.Class = e.Class
	}
	return m
}

// sweep drops the monitors that no thread holds, wants or waits on, and that no order names.
func (f *Finder) sweep() {
	kept := map[trace.ObjectID]*monitor{}
	for _, t := range f.threads {
		for _, m := range []*monitor{t.inWait, t.classOf()} {
			if m != nil && f.monitors[m.ID] == m {
				kept[m.ID] = m
			}
		}
	}
	for id, m := range f.monitors {
		if m.held() || len(m.blocked) > 0 || m.node != nil {
			kept[id] = m
		}
	}
	f.monitors = kept
	f.sweepAt = 2*len(f.monitors) + len(f.threads) + fewMonitors
}

// fewMonitors is the number of monitors below which a sweep is not worth its time.
const fewMonitors = 1024

// handlers infer from each type of event which thread owns which monitor. Other types are irrelevant.
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

// event handles an event. Of a dead thread, only events that it is blocked or deadlocked count.
func (f *Finder) event(e *trace.ModelEvent) {
	f.report.OwnedLocks = f.report.OwnedLocks || ofOwnedLocks(e)
	handle := handlers[e.Type]
	if handle == nil {
		return
	}
	t := f.threads[e.Thread.Key]
	if t == nil && (e.Type == trace.WaitingForLock || e.Type == trace.DeadLock || e.Init) {
		t = f.thread(e.Thread)
	}
	if t != nil || e.Type == trace.HandoffLock {
		handle(f, t, e)
	}
}

// ofOwnedLocks reports whether the event proves that the trace has waits for locks of java.util.concurrent. Some
// formats have parks without the object that a thread parks for.
func ofOwnedLocks(e *trace.ModelEvent) bool {
	return e.Park && e.Object.Known() ||
		e.Type == trace.WaitingForLock && strings.HasPrefix(e.Class, "java/util/concurrent/locks/")
}

// conclude adds the deadlocks and inversions of the recording to the report.
func (f *Finder) conclude() {
	deadlocks := f.reportDeadlocks()
	keys := make([]trace.ThreadKey, 0, len(f.threads))
	for key, t := range f.threads {
		if awaited := t.awaited(); f.unowned[awaited] {
			f.report.Awaited++
			delete(f.unowned, awaited)
		}
		if t.blocked() {
			keys = append(keys, key)
			if t.block.monitor.holder() == nil {
				f.report.Unowned++
			}
		}
	}
	slices.Sort(keys) // so that a limit always keeps the same orders
	for _, key := range keys {
		f.unblock(f.threads[key], f.last)
	}
	f.orders.conclude(deadlocks, &f.report)
}
