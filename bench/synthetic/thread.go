package synthetic

import (
	"slices"
	"strconv"

	"github.com/trcx/trcx/trace"
)

const (
	threadSize = 104 // bytes of a java.lang.Thread
	maxDepth   = 32  // of a stack, in frames
	maxEnding  = 4   // limit of threads that are ending
)

// state is a thread's state.
type state uint8

const (
	vacant   state = iota // the slot has no thread
	called                // Thread.start was called
	active                // runs
	blocked               // blocked on monitor
	waiting               // waits on monitor
	sleeping              // sleeps
	joining               // waits for joined to end
	departed              // has returned from its last method, or has ended
)

// thread is a slot for threads. When its thread has ended, the slot gets a new thread with a new id.
type thread struct {
	id     uint64
	slot   int    // index in the machine's threads
	object object // its java.lang.Thread
	state  state
	stack  []frame
	place  int // index in the machine's running, if the state is active

	holds   *monitor // at most one, so that there are no deadlocks
	monitor *monitor // the monitor that it is blocked on or waits for
	joined  *thread
	joiners int // number of threads that join this one

	wait
	ending bool // it only returns from its methods
	dead   bool // its threadEnd was written
}

// wait is the current wait, join or sleep of a thread.
type wait struct {
	since       trace.Time // start of the current wait, join or sleep
	deadline    trace.Time // time of its timeout; 0 for none
	notified    bool
	interrupted bool
}

// frame is a method that has been entered.
type frame struct {
	method method
	ticket uint64
}

// suspend removes a thread from the running ones.
func (m *machine) suspend(t *thread, into state) {
	last := m.running[len(m.running)-1]
	m.running[t.place] = last
	last.place = t.place
	m.running = m.running[:len(m.running)-1]
	t.state = into
}

func (m *machine) resume(t *thread) {
	t.state = active
	t.place = len(m.running)
	m.running = append(m.running, t)
}

func (m *machine) anyRunning() *thread { return m.running[m.random.IntN(len(m.running))] }

// scheduled returns the thread that has the processor: mostly the previous one, because threads do several things in a
// row.
func (m *machine) scheduled() *thread {
	if m.current.state != active || m.chance(60) {
		m.current = m.anyRunning()
	}
	return m.current
}

// call enters a method or returns from one.
func (m *machine) call() {
	t := m.scheduled()
	if !t.ending && m.wantsDeeper(len(t.stack)) {
		m.enter(t)
		return
	}
	m.exit(t)
	if t.ending && len(t.stack) == 0 {
		m.leave(t)
	}
}

// wantsDeeper decides so that stacks are mostly neither empty nor deep.
func (m *machine) wantsDeeper(depth int) bool {
	switch {
	case depth < 5:
		return depth == 0 || m.chance(650)
	case depth < 20:
		return m.chance(490)
	default:
		return depth < maxDepth && m.chance(300)
	}
}

func (m *machine) enter(t *thread) {
	m.ticket++
	called := frame{m.callee(t.stack), m.ticket}
	t.stack = append(t.stack, called)
	m.depth++
	m.out.start(trace.MethodEntry).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrMethodIDRef, called.method.id()).number(trace.AttrClassIDRef, called.method.classID()).
		number(trace.AttrTicket, called.ticket).number(trace.AttrStackDepth, uint64(len(t.stack))).finish()
}

func (m *machine) exit(t *thread) {
	top := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	m.depth--
	m.out.start(trace.MethodExit).number(trace.AttrThreadIDRef, t.id).number(trace.AttrMethodIDRef, top.method.id()).
		number(trace.AttrClassIDRef, top.method.classID()).number(trace.AttrTicket, top.ticket).moment(trace.AttrTime,
		m.tick()).moment(trace.AttrOverhead, trace.Time(300+m.random.IntN(12_000))).finish()
}

// live writes an event that is about neither calls nor monitors.
func (m *machine) live() {
	switch {
	case len(m.leaving) > 0:
		m.threadEnd()
	case len(m.starting) > 0 && m.chance(300):
		m.threadStart()
	case m.chance(100) && m.refill():
	case m.chance(40) && m.callInterrupt():
	case m.chance(100) && m.methods < programMethods:
		m.defineMethod()
	case m.chance(25):
		m.beginEnd()
		m.produce()
	default:
		m.produce()
	}
}

// refill starts a thread in a vacant slot, and reports whether there is one.
func (m *machine) refill() bool {
	for i := range m.threads {
		if m.threads[i].state == vacant {
			m.callStart(m.scheduled(), &m.threads[i])
			return true
		}
	}
	return false
}

func (m *machine) callStart(by, started *thread) {
	*started = thread{slot: started.slot, object: m.allocate(by, threadClass, threadSize), state: called,
		stack: started.stack[:0]}
	m.starting = append(m.starting, started)
	m.out.start(trace.CallStart).number(trace.AttrThreadID, by.id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrObjIDRef, started.object.id).finish()
}

// threadStart starts the thread whose callStart is the oldest.
func (m *machine) threadStart() {
	t := m.starting[0]
	m.starting = m.starting[1:]
	m.lastID++
	t.id = m.lastID
	m.out.start(trace.ThreadStart).number(trace.AttrThreadID, t.id).moment(trace.AttrTime, m.tick()).
		text(trace.AttrThreadName, threadName(t.id)).text(trace.AttrGroupName, "main").text(trace.AttrParentName,
		"system").number(trace.AttrObjIDRef, t.object.id).finish()
	m.resume(t)
}

func threadName(id uint64) string {
	if id == 1 {
		return "main"
	}
	return "pool-" + strconv.FormatUint(1+id%4, 10) + "-thread-" + strconv.FormatUint(id, 10)
}

// beginEnd chooses a thread to end, unless it is main, owns a monitor, or too many threads are ending.
func (m *machine) beginEnd() {
	t := m.anyRunning()
	if t == &m.threads[0] || t.ending || t.holds != nil || m.ending >= maxEnding || !m.canSuspend() {
		return
	}
	t.ending = true
	m.ending++
	m.dying = append(m.dying, t)
	if len(t.stack) == 0 {
		m.leave(t)
	}
}

// leave suspends a thread that has returned from its last method.
func (m *machine) leave(t *thread) {
	m.suspend(t, departed)
	m.leaving = append(m.leaving, t)
	if t.ending {
		m.ending--
	}
}

func (m *machine) threadEnd() {
	t := m.leaving[0]
	m.leaving = m.leaving[1:]
	t.dead = true
	m.dying = slices.DeleteFunc(m.dying, func(other *thread) bool { return other == t })
	m.out.start(trace.ThreadEnd).number(trace.AttrThreadIDRef, t.id).moment(trace.AttrTime, m.tick()).finish()
	m.forget(t)
}

// forget makes the slot of a dead thread vacant when no thread joins it any more. Its object becomes garbage.
func (m *machine) forget(t *thread) {
	if t.dead && t.joiners == 0 {
		t.state = vacant
		m.heap.garbage = append(m.heap.garbage, t.object)
	}
}

// callInterrupt interrupts a random thread if it sleeps, waits or joins, and reports whether it did. A notified thread
// is not interrupted.
func (m *machine) callInterrupt() bool {
	t := &m.threads[m.random.IntN(len(m.threads))]
	if t.state != waiting && t.state != sleeping && t.state != joining || t.notified || t.interrupted {
		return false
	}
	t.interrupted = true
	if t.state == waiting {
		t.monitor.remove(t)
	}
	m.out.start(trace.CallInterrupt).number(trace.AttrThreadID, m.scheduled().id).moment(trace.AttrTime, m.tick()).
		number(trace.AttrObjIDRef, t.object.id).finish()
	return true
}
