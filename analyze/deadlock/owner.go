package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Which thread owns which monitor is inferred, as in enrich: a thread is considered the owner of a monitor from the
// first event that proves it until another event disproves it. It is proved by entering, waiting, notifying, and by
// another thread's monContendedEnter that names the thread.
//
// A blocked thread neither releases nor enters a monitor. So an event that disproves ownership while the owner is
// blocked proves that it had released the monitor before, and there was no lock order. If another thread finds the
// monitor owned meanwhile, and the JVM names this thread as its owner, ownership is certain. To have been named before
// it was blocked proves nothing: it can have released the monitor since, and passing threads enter a monitor before
// those that wait for it. For a program that enters two monitors one after the other this happened in 12 of 12 runs.

// thread is a live thread.
type thread struct {
	Thread
	held   []holding      // in the order entered; at most maxHeld
	block  *block         // nil if it is not blocked
	init   *block         // a wait for the initialisation of a class by another thread, or nil
	inWait *monitor       // on which it waits, or nil
	parked trace.ObjectID // for which it is parked
	join   *join          // a join without a timeout, or nil
	ended  bool
}

// blocked reports whether the thread is blocked on a monitor.
func (t *thread) blocked() bool { return t.block != nil }

// awaited returns the object on which the thread is blocked, or for which it is parked.
func (t *thread) awaited() trace.ObjectID {
	if t.block != nil {
		return t.block.monitor.ID
	}
	return t.parked
}

// stuck returns what the thread waits for, a monitor or the initialisation of a class; nil for neither.
func (t *thread) stuck() *block {
	if t.init != nil {
		return t.init
	}
	return t.block
}

// classOf returns the object of the class for whose initialisation the thread waits; nil for other states.
func (t *thread) classOf() *monitor {
	if t.init == nil {
		return nil
	}
	return t.init.monitor
}

// blocker returns the thread for which t waits, or nil.
func (t *thread) blocker() *thread {
	switch {
	case t.init != nil:
		return t.init.by
	case t.block != nil:
		return t.block.monitor.holder()
	case t.join != nil:
		return t.join.joined
	}
	return nil
}

// monitor is an object that threads own or want.
type monitor struct {
	Monitor
	owner   *thread
	blocked []*thread // threads blocked on it, in no order
	node    *node     // in the graph of orders, or nil
}

// holder returns the live owner, or nil. thread.held may lack this monitor if the owner has very many.
func (m *monitor) holder() *thread {
	if m.owner == nil || m.owner.ended {
		return nil
	}
	return m.owner
}

// held reports whether the monitor is in its owner's thread.held.
func (m *monitor) held() bool { return m.owner != nil && m.owner.holding(m) != nil }

// holding is a monitor that a thread owns, as far as inferred.
type holding struct {
	*monitor
	taken trace.Frame  // where it entered
	stack *trace.Stack // where it entered after having been blocked; else nil
}

// block is a thread's attempt to enter a monitor that is owned by another one, or its wait for a class.
type block struct {
	monitor *monitor
	by      *thread // initialises the class; nil if unknown
	place   int     // its index in monitor.blocked
	at      trace.Time
	caller  trace.Frame
	stack   *trace.Stack
	claims  []claim // the monitors that the thread holds meanwhile; at most maxClaims
}

// join is a wait for the end of a thread.
type join struct {
	joined *thread // nil if it is unknown
	since  trace.Time
	caller trace.Frame
	stack  *trace.Stack
}

// claim is the conclusion that a blocked thread holds a monitor.
type claim struct {
	holding
	by *thread // whose monContendedEnter named the holder; nil if it is only supposed
	at trace.Time
}

func (c *claim) evidence() Evidence {
	if c.by != nil {
		return Seen
	}
	return Supposed
}

const (
	// maxHeld limits the monitors that a thread is considered to hold to the last ones that it entered. Programs rarely
	// nest deeper, but a thread that enters many monitors one after the other seems to hold them all.
	maxHeld = 16
	// maxClaims limits the monitors that a blocked thread holds: those in thread.held, and those seen while it is
	// blocked.
	maxClaims = 4 * maxHeld
)

// own makes the thread, nil for none, the owner of the monitor. The previous owner has released it.
func (f *Finder) own(m *monitor, t *thread) {
	if m.owner != nil && m.owner != t {
		m.owner.lose(m)
	}
	m.owner = t
	if t == nil || t.holding(m) != nil {
		return
	}
	if len(t.held) >= maxHeld {
		t.forgetOne()
	}
	t.held = append(t.held, holding{monitor: m})
}

// forgetOne drops the oldest monitor on which no thread is blocked, or else the oldest one. The thread remains its
// owner, so the blocked threads stay stuck.
func (t *thread) forgetOne() {
	oldest := slices.IndexFunc(t.held, func(h holding) bool { return len(h.blocked) == 0 })
	if oldest >= 0 {
		t.held[oldest].owner = nil
	}
	oldest = max(oldest, 0)
	t.held = slices.Delete(t.held, oldest, oldest+1)
}

// lose removes the monitor from those that the thread holds or held while it was blocked.
func (t *thread) lose(m *monitor) {
	t.held = slices.DeleteFunc(t.held, func(h holding) bool { return h.monitor == m })
	if t.blocked() {
		t.block.claims = slices.DeleteFunc(t.block.claims, func(c claim) bool { return c.monitor == m })
	}
}

// waitingForLock handles WaitingForLock: the thread is blocked on a monitor.
func (f *Finder) waitingForLock(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	m := f.monitor(e)
	if m == nil {
		return
	}
	owner := f.threads[e.Other.Key]
	f.own(m, owner)
	t.block = &block{monitor: m, at: e.Time, caller: e.Caller, stack: e.Stack}
	if owner != nil && !e.Inferred {
		f.named(owner, m, t, e.Time)
	}
	f.dropLeft(t, e.Stack)
	for _, h := range t.held {
		t.block.claims = append(t.block.claims, claim{holding: h})
	}
	m.add(t)
}

// add adds the thread to those blocked on the monitor.
func (m *monitor) add(t *thread) {
	t.block.place = len(m.blocked)
	m.blocked = append(m.blocked, t)
}

// leave removes the thread from those blocked on the monitor.
func (m *monitor) leave(t *thread) {
	last := len(m.blocked) - 1
	m.blocked[t.block.place] = m.blocked[last]
	m.blocked[t.block.place].block.place = t.block.place
	m.blocked[last] = nil
	m.blocked = m.blocked[:last]
}

// named handles a monContendedEnter of the thread by that names t as the owner of the monitor.
func (f *Finder) named(t *thread, m *monitor, by *thread, at trace.Time) {
	if !t.blocked() || t.block.monitor == m {
		return
	}
	b := t.block
	known := slices.IndexFunc(b.claims, func(c claim) bool { return c.monitor == m })
	switch {
	case known >= 0 && b.claims[known].by == nil:
		b.claims[known].by, b.claims[known].at = by, at
	case known >= 0:
	case len(b.claims) < maxClaims:
		b.claims = append(b.claims, claim{holding{monitor: m}, by, at})
	default:
		f.orders.dropped[Seen]++
	}
}

// dropLeft drops the monitors that the thread entered in calls that have returned: Java releases a monitor at the end
// of the method or block that entered it.
func (f *Finder) dropLeft(t *thread, stack *trace.Stack) {
	if stack == nil {
		return
	}
	for i := len(t.held) - 1; i >= 0; i-- {
		if h := t.held[i]; h.stack != nil && hasLeft(h.stack, stack) {
			f.own(h.monitor, nil)
		}
	}
}

// hasLeft reports whether the innermost call of the first stack has certainly returned by the time of the second one,
// of the same thread. Stacks can lack their outermost frames, so only those with the same outermost call are compared.
func hasLeft(before, now *trace.Stack) bool {
	a, b := before.Frames, now.Frames
	if before.Omitted > 0 || now.Omitted > 0 || len(a) == 0 || len(b) == 0 ||
		!a[len(a)-1].Method.Same(b[len(b)-1].Method) {
		return false
	}
	deeper := len(b) - len(a)
	if deeper < 0 {
		return true
	}
	for i := len(a) - 1; i > 0; i-- {
		if !a[i].Method.Same(b[i+deeper].Method) || a[i].Line != b[i+deeper].Line {
			return true
		}
	}
	return !a[0].Method.Same(b[deeper].Method) // the same method may be at another line by now
}

// running handles Running: the thread has entered the monitor that it was blocked on, if any, unless it gave up.
func (f *Finder) running(t *thread, e *trace.ModelEvent) {
	waited := t.inWait
	b := t.block
	f.leave(t, e.Time)
	switch {
	case e.GaveUp:
	case b != nil:
		f.own(b.monitor, t)
		h := t.holding(b.monitor)
		h.taken, h.stack = b.caller, b.stack
	case waited != nil && (waited.holder() == nil || e.ReacquiredFrom != 0):
		f.own(waited, t) // else it can have timed out and still wait for the monitor
	}
}

// holding returns the thread's holding of the monitor, or nil.
func (t *thread) holding(m *monitor) *holding {
	if at := slices.IndexFunc(t.held, func(h holding) bool { return h.monitor == m }); at >= 0 {
		return &t.held[at]
	}
	return nil
}

// waiting handles WaitingForObject and WaitingForJoin: only an owner can wait, and it releases the monitor. A park and
// a wait for input or output involve no monitor.
func (f *Finder) waiting(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	switch {
	case e.Init:
		f.waitingForClass(t, e)
		return
	case e.Park:
		t.parked = e.Object
		return
	case e.IO != trace.NoIO:
		return
	}
	if m := f.monitor(e); m != nil {
		f.own(m, nil)
		t.inWait = m
	}
	if e.Type == trace.WaitingForJoin && !e.HasTimeout() {
		t.join = &join{f.threads[e.Other.Key], e.Time, e.Caller, e.Stack}
	}
}

// waitingForClass handles a wait for the initialisation of a class.
func (f *Finder) waitingForClass(t *thread, e *trace.ModelEvent) {
	m := f.monitor(e)
	if m == nil {
		m = &monitor{Monitor: Monitor{Class: e.Class}}
	}
	t.init = &block{monitor: m, by: f.threads[e.Other.Key], at: e.Time, caller: e.Caller, stack: e.Stack}
}

// sleeping handles Sleeping.
func (f *Finder) sleeping(t *thread, e *trace.ModelEvent) { f.leave(t, e.Time) }

// handedOff handles HandoffLock: the receiver owns the monitor. Its Running event came before, unless it was not known
// to be blocked.
func (f *Finder) handedOff(_ *thread, e *trace.ModelEvent) {
	if m, receiver := f.monitor(e), f.threads[e.Other.Key]; m != nil && receiver != nil {
		f.own(m, receiver)
	}
}

// notifies handles Notify and NotifyAll: only an owner can notify.
func (f *Finder) notifies(t *thread, e *trace.ModelEvent) {
	if m := f.monitor(e); m != nil && !t.blocked() {
		f.own(m, t)
	}
}

// dead handles Dead: the thread has released all monitors.
func (f *Finder) dead(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	for len(t.held) > 0 {
		f.own(t.held[0].monitor, nil)
	}
	t.ended = true
	delete(f.threads, t.Key)
}

// leave ends the state that the thread was in.
func (f *Finder) leave(t *thread, at trace.Time) {
	t.inWait, t.join, t.init, t.parked = nil, nil, nil, trace.ObjectID{}
	if t.blocked() {
		f.unblock(t, at)
	}
}

// unblock ends the attempt to enter a monitor. The claims that are left were true all the time, and become lock orders.
func (f *Finder) unblock(t *thread, at trace.Time) {
	b := t.block
	for i := range b.claims {
		if c := &b.claims[i]; c.monitor != b.monitor {
			f.orders.add(t, c, at)
		}
	}
	b.monitor.leave(t)
	t.block = nil
}
