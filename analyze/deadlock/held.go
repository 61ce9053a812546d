package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Who holds what is a belief, as in enrich: a thread holds a monitor from when something shows that it does until
// something shows that another one does. Such are being let in, waiting, notifying, and being named by a thread that
// finds the monitor taken.
//
// A thread that is blocked cannot let go of anything, nor get anything. So what contradicts the belief in a monitor of
// a blocked thread, while it is blocked, shows that the thread had let go of it before: the lock order is no order
// then. And if another thread finds the monitor taken meanwhile, and the JVM names this thread as its owner, the belief
// is knowledge. That it was named before it was blocked proves nothing: between the two it may have let go, and threads
// that come by take a monitor before those that wait for it. Of a program that takes two monitors one after the other
// this was measured in 12 of 12 runs.

// thread is a thread that is not dead, or does something still.
type thread struct {
	Thread
	held   []holding // the monitor that it got last is the last one; at most mostHeld
	block  block
	inWait *monitor // it waits on this
	joined *thread  // it waits for the end of this, without a timeout
	since  trace.Time
	caller trace.Frame
	stack  *trace.Stack
	dead   bool
}

// blocked says whether the thread tries to enter a monitor.
func (t *thread) blocked() bool { return t.block.monitor != nil }

// monitor is an object of which somebody has been the owner, or wanted to be.
type monitor struct {
	Monitor
	owner   *thread
	blocked []*thread // who tries to enter it
	node    *node     // in the graph of orders
	awaited bool      // somebody waits on it; see sweep
}

// holder is the owner, who may have so many monitors that this one is not among its held ones; nil if nobody is, or the
// dead.
func (m *monitor) holder() *thread {
	if m.owner == nil || m.owner.dead {
		return nil
	}
	return m.owner
}

// held says whether the monitor is among those that its owner is believed to hold.
func (m *monitor) held() bool { return m.owner != nil && m.owner.holding(m) != nil }

// holding is a monitor that a thread is believed to hold.
type holding struct {
	*monitor
	taken trace.Frame  // where it got it
	stack *trace.Stack // … if it was let in there, having been blocked; else nil
}

// block is an attempt to enter a monitor.
type block struct {
	monitor *monitor // nil if there is none
	place   int      // in who is blocked on it
	at      trace.Time
	caller  trace.Frame
	stack   *trace.Stack
	beneath []claim // what the thread held meanwhile; at most mostClaims
}

// claim is that a blocked thread holds a monitor.
type claim struct {
	holding
	by *thread // who said so; nil if it is only supposed
	at trace.Time
}

func (c *claim) evidence() Evidence {
	if c.by != nil {
		return Seen
	}
	return Supposed
}

const (
	// mostHeld is how many monitors a thread is believed to hold at most: those that it got last. Programs seldom nest
	// deeper, but a thread that goes through many monitors, one after the other, seems to hold them all.
	mostHeld = 16
	// mostClaims is how many monitors a thread holds at most while it is blocked: those it is believed to, and others
	// that it is found to hold then.
	mostClaims = 4 * mostHeld
)

// own makes the thread the owner of the monitor, or nobody. Who was it before is not: it has let go of it.
func (f *Finder) own(m *monitor, t *thread) {
	if m.owner != nil && m.owner != t {
		m.owner.lose(m)
	}
	m.owner = t
	if t == nil || t.holding(m) != nil {
		return
	}
	if len(t.held) >= mostHeld {
		t.forgetOne()
	}
	t.held = append(t.held, holding{monitor: m})
}

// forgetOne drops the oldest belief that nobody is concerned about. Where there is none it drops the oldest one, but
// the thread stays the owner, for those who are blocked there are stuck behind it.
func (t *thread) forgetOne() {
	oldest := slices.IndexFunc(t.held, func(h holding) bool { return len(h.blocked) == 0 })
	if oldest >= 0 {
		t.held[oldest].owner = nil
	}
	oldest = max(oldest, 0)
	t.held = slices.Delete(t.held, oldest, oldest+1)
}

// lose: the thread does not hold the monitor, and if it is blocked has not held it since it is.
func (t *thread) lose(m *monitor) {
	t.held = slices.DeleteFunc(t.held, func(h holding) bool { return h.monitor == m })
	t.block.beneath = slices.DeleteFunc(t.block.beneath, func(c claim) bool { return c.monitor == m })
}

// waitingForLock: the thread wants a monitor.
func (f *Finder) waitingForLock(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	m := f.monitor(e)
	if m == nil {
		return
	}
	owner := f.threads[e.Other.Key]
	f.own(m, owner)
	t.block = block{monitor: m, at: e.Time, caller: e.Caller, stack: e.Stack}
	if owner != nil && !e.Inferred {
		f.named(owner, m, t, e.Time)
	}
	f.dropLeft(t, e.Stack)
	for _, h := range t.held {
		t.block.beneath = append(t.block.beneath, claim{holding: h})
	}
	t.block.place = len(m.blocked)
	m.blocked = append(m.blocked, t)
}

// leave: the thread does not try to enter any more.
func (m *monitor) leave(t *thread) {
	last := len(m.blocked) - 1
	m.blocked[t.block.place] = m.blocked[last]
	m.blocked[t.block.place].block.place = t.block.place
	m.blocked[last] = nil
	m.blocked = m.blocked[:last]
}

// named: another thread says that this one holds the monitor.
func (f *Finder) named(t *thread, m *monitor, by *thread, at trace.Time) {
	if !t.blocked() || t.block.monitor == m {
		return
	}
	b := &t.block
	known := slices.IndexFunc(b.beneath, func(c claim) bool { return c.monitor == m })
	switch {
	case known >= 0 && b.beneath[known].by == nil:
		b.beneath[known].by, b.beneath[known].at = by, at
	case known >= 0:
	case len(b.beneath) < mostClaims:
		b.beneath = append(b.beneath, claim{holding{monitor: m}, by, at})
	default:
		f.orders.dropped[Seen]++
	}
}

// dropLeft drops what the thread got in calls that it has left meanwhile: Java lets go of a monitor at the end of the
// method or block that took it.
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

// hasLeft says whether the innermost call of the first stack is certainly over in the second one, of the same thread.
// Stacks may lack their outermost frames; those that begin with the same call can be compared.
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
	return !a[0].Method.Same(b[deeper].Method) // which may be in another line by now
}

// running: the thread has got what it wanted, if it wanted something.
func (f *Finder) running(t *thread, e *trace.ModelEvent) {
	waited := t.inWait
	b := t.block
	f.leave(t, e.Time)
	switch {
	case b.monitor != nil:
		f.own(b.monitor, t)
		h := t.holding(b.monitor)
		h.taken, h.stack = b.caller, b.stack
	case waited != nil && (waited.holder() == nil || e.ReacquiredFrom.Key != 0):
		f.own(waited, t) // else it may have timed out, and want to enter before long
	}
}

// holding is what is known of a monitor that the thread holds, or nil.
func (t *thread) holding(m *monitor) *holding {
	if at := slices.IndexFunc(t.held, func(h holding) bool { return h.monitor == m }); at >= 0 {
		return &t.held[at]
	}
	return nil
}

// waiting: only an owner can wait, and it lets go.
func (f *Finder) waiting(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	if m := f.monitor(e); m != nil {
		f.own(m, nil)
		t.inWait = m
	}
	if e.Type == trace.WaitingForJoin && e.Timeout <= 0 {
		t.joined = f.threads[e.Other.Key]
		t.since, t.caller, t.stack = e.Time, e.Caller, e.Stack
	}
}

func (f *Finder) sleeping(t *thread, e *trace.ModelEvent) { f.leave(t, e.Time) }

// handedOff: the receiver has the monitor. That it runs was told before, unless nobody knew that it was blocked.
func (f *Finder) handedOff(_ *thread, e *trace.ModelEvent) {
	if m, receiver := f.monitor(e), f.threads[e.Other.Key]; m != nil && receiver != nil {
		f.own(m, receiver)
	}
}

// notifies: only an owner can notify.
func (f *Finder) notifies(t *thread, e *trace.ModelEvent) {
	if m := f.monitor(e); m != nil && !t.blocked() {
		f.own(m, t)
	}
}

// dead: the thread has let go of everything.
func (f *Finder) dead(t *thread, e *trace.ModelEvent) {
	f.leave(t, e.Time)
	for len(t.held) > 0 {
		f.own(t.held[0].monitor, nil)
	}
	t.dead = true
	delete(f.threads, t.Key)
}

// leave ends the state that the thread was in.
func (f *Finder) leave(t *thread, at trace.Time) {
	t.inWait, t.joined = nil, nil
	if t.blocked() {
		f.unblock(t, at)
	}
}

// unblock ends the attempt to enter a monitor. What the thread still seems to have held then, it has held all the time.
func (f *Finder) unblock(t *thread, at trace.Time) {
	b := &t.block
	for i := range b.beneath {
		if c := &b.beneath[i]; c.monitor != b.monitor {
			f.orders.add(t, c, at)
		}
	}
	b.monitor.leave(t)
	t.block = block{}
}
