package synthetic

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

const (
	millisecond = trace.Time(1_000_000)
	maxTimeout  = 12 * millisecond
)

// monitor is an object that threads synchronize on. Entering a free one and leaving one writes no event: a trace has
// only the contended enters.
type monitor struct {
	object uint64
	owner  *thread
	// waiters is the wait set, the longest-waiting first. A notified thread has left it, but waits until the monitor is
	// free.
	waiters []*thread
}

func (m *monitor) remove(t *thread) {
	m.waiters = slices.DeleteFunc(m.waiters, func(other *thread) bool { return other == t })
}

func (t *thread) take(m *monitor) { t.holds, m.owner = m, t }

func (t *thread) release() {
	if t.holds != nil {
		t.holds.owner, t.holds = nil, nil
	}
}

// canSuspend reports whether enough threads run for one to be suspended.
func (m *machine) canSuspend() bool { return len(m.running) > m.workload.awake() }

// lock lets threads use monitors until an event was written.
func (m *machine) lock() {
	for {
		if m.chance(200) && m.wakeOne(maxSearched) || m.act(m.anyRunning()) {
			return
		}
	}
}

// maxSearched is the limit of threads that are tested for one that can be woken.
const maxSearched = 64

// wakeOne ends the wait of a thread that is ready, and reports whether there was one. It tests at most most threads,
// from a random one on, so that all have a chance.
func (m *machine) wakeOne(most int) bool {
	first := m.random.IntN(len(m.threads))
	for i := range min(most, len(m.threads)) {
		if t := &m.threads[(first+i)%len(m.threads)]; m.ready(t) {
			m.wake(t)
			return true
		}
	}
	return false
}

func (m *machine) ready(t *thread) bool {
	due := t.deadline > 0 && m.now >= t.deadline
	switch t.state {
	case blocked:
		return t.monitor.owner == nil
	case waiting:
		// A notified or interrupted thread returns when it owns the monitor again; a timeout is written at once.
		return (t.notified || t.interrupted) && t.monitor.owner == nil || due && !t.notified && !t.interrupted
	case sleeping:
		return due || t.interrupted
	case joining:
		return due || t.interrupted || t.joined.dead
	default:
		return false
	}
}

func (m *machine) wake(t *thread) {
	switch t.state {
	case blocked:
		m.monContendedEntered(t)
	case waiting:
		m.endWait(t)
	case sleeping:
		m.endSleep(t)
	case joining:
		m.endJoin(t)
	}
}

// act makes a running thread continue with its monitor, or enter one. It reports whether an event was written.
func (m *machine) act(t *thread) bool {
	switch {
	case t.ending:
		return false
	case t.holds != nil:
		return m.actAsOwner(t)
	case m.canSuspend() && m.chance(30):
		m.beginSleep(t)
		return true
	case m.canSuspend() && m.chance(100) && m.beginJoin(t):
		return true
	}
	wanted := &m.monitors[m.random.IntN(len(m.monitors))]
	if wanted.owner == nil {
		t.take(wanted)
		return false
	}
	if !m.canSuspend() {
		return false
	}
	m.monContendedEnter(t, wanted)
	return true
}

func (m *machine) actAsOwner(t *thread) bool {
	switch held := t.holds; {
	case m.chance(400):
		t.release()
		return false
	case len(held.waiters) > 0 && m.chance(200) || m.chance(5):
		m.callNotify(t, held, m.chance(150))
		return true
	case m.canSuspend() && m.chance(250):
		m.beginWait(t, held)
		return true
	case m.canSuspend() && m.chance(20):
		m.beginSleep(t)
		return true
	default:
		return false
	}
}

func (m *machine) monContendedEnter(t *thread, wanted *monitor) {
	m.suspend(t, blocked)
	t.monitor = wanted
	m.out.start(trace.MonContendedEnter).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrObjIDRef, wanted.object).number(trace.AttrThreadOwner, wanted.owner.id).finish()
}

func (m *machine) monContendedEntered(t *thread) {
	t.take(t.monitor)
	m.resume(t)
	m.out.start(trace.MonContendedEntered).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrObjIDRef, t.monitor.object).finish()
}

func (m *machine) callNotify(t *thread, on *monitor, all bool) {
	count := min(1, len(on.waiters))
	if all {
		count = len(on.waiters)
	}
	for _, woken := range on.waiters[:count] {
		woken.notified = true
	}
	on.waiters = slices.Delete(on.waiters, 0, count)
	m.out.start(trace.CallNotify).number(trace.AttrThreadID, t.id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrObjIDRef, on.object).flag(trace.AttrIsNotifyAll, all).finish()
}

// anyTimeout returns a random timeout in milliseconds; in forEver of 1000 cases it is 0, no timeout.
func (m *machine) anyTimeout(forEver int) uint64 {
	if m.chance(forEver) {
		return 0
	}
	return 1 + m.random.Uint64N(uint64(maxTimeout/millisecond)-2)
}

// monWait suspends a thread and writes its monWait.
func (m *machine) monWait(t *thread, into state, object, timeout uint64) {
	m.suspend(t, into)
	t.notified, t.interrupted = false, false
	t.since, t.deadline = m.tick(), 0
	if timeout > 0 {
		t.deadline = t.since + trace.Time(timeout)*millisecond
	}
	e := m.out.start(trace.MonWait).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, t.since)
	appendObject(e, object).number(trace.AttrTimeout, timeout).finish()
}

// monWaited writes the end of a thread's wait, and the InterruptedException if that ended it.
func (m *machine) monWaited(t *thread, object uint64, timedOut bool) {
	now := m.tick()
	e := m.out.start(trace.MonWaited).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, now)
	appendObject(e, object).number(trace.AttrTimeout, uint64((now-t.since)/millisecond)).
		flag(trace.AttrIsTimedOut, timedOut).finish()
	if t.interrupted {
		m.out.start(trace.ThreadInterrupted).number(trace.AttrThreadID, t.id).moment(trace.AttrTime, m.tick()).finish()
	}
}

// noObject is the objIdRef of Thread.sleep, which waits on no object.
const noObject = "-1"

// appendObject appends what a thread waits on; 0 is no object.
func appendObject(e *elementWriter, object uint64) *elementWriter {
	if object == 0 {
		return e.text(trace.AttrObjIDRef, noObject)
	}
	return e.number(trace.AttrObjIDRef, object)
}

func (m *machine) beginWait(t *thread, on *monitor) {
	t.release()
	t.monitor = on
	on.waiters = append(on.waiters, t)
	m.monWait(t, waiting, on.object, m.anyTimeout(400))
}

// endWait ends a wait. A thread that timed out may be blocked on the monitor then.
func (m *machine) endWait(t *thread) {
	on := t.monitor
	timedOut := !t.notified && !t.interrupted
	on.remove(t)
	m.resume(t)
	m.monWaited(t, on.object, timedOut)
	if on.owner != nil {
		m.monContendedEnter(t, on)
		return
	}
	t.take(on)
}

func (m *machine) beginSleep(t *thread) { m.monWait(t, sleeping, 0, m.anyTimeout(0)) }

func (m *machine) endSleep(t *thread) {
	m.resume(t)
	m.monWaited(t, 0, !t.interrupted)
}

// beginJoin makes a thread join one that is about to end, and reports whether there is one.
func (m *machine) beginJoin(t *thread) bool {
	if len(m.dying) == 0 {
		return false
	}
	other := slices.MinFunc(m.dying, func(a, b *thread) int { return a.slot - b.slot })
	t.joined = other
	other.joiners++
	m.monWait(t, joining, other.object.id, m.anyTimeout(700))
	return true
}

func (m *machine) endJoin(t *thread) {
	m.resume(t)
	m.monWaited(t, t.joined.object.id, !t.interrupted && !t.joined.dead)
	t.joined.joiners--
	m.forget(t.joined)
}
