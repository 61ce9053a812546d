package monlog

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Events contradict each other if the thread of a hash code cannot execute an event in its state. The following prove
// that two threads have one hash code:
//
//   - A ThreadStarted of a live thread, because it is the first event of a thread. (After a ThreadEnded the hash code
//     is reused, which is not a contradiction.)
//   - An event after the ThreadEnded: it is of another thread, whose ThreadStarted is missing.
//   - A thread blocked by itself: no thread waits for a monitor that it owns, so the owner is another thread.
//   - The end of a wait that was assumed to be over, because its thread did something else: another thread did it.
//
// Other events during a wait, sleep or block, and ends without begins, prove nothing: either an event is missing or
// there are two threads. A missing event is likelier and is assumed until one of the above occurs.
//
// Not contradictions are: MonitorContendedEnter of a waiting thread on its object, because it needs the monitor to
// return; an owner that is dead, waits or is blocked by the same monitor, because it can have released the monitor
// between the query and the writing of the line; ThreadStart of a live thread, an error of the program. Two objects of
// one hash code are never noticed, because the log has no releases of monitors.

// thread is a thread that is alive according to the log.
type thread struct {
	hash, id  uint64 // the id is the hash code, or another number if the hash code is in use
	state     state
	object    uint64 // of its state, or of the wait that has just ended
	since     int    // line in which the state began
	beganLine int    // line in which the thread began
	waited    bool   // its last event was the return from a wait on the object
	// enclosing is the call, waiting or joining, in which its MonitorContendedEnter occurred and which will return;
	// else running.
	enclosing       state
	enclosingObject uint64
	assumed         assumedEnd
}

// assumedEnd is a state whose end is missing; it was assumed because the thread did something else in the line.
type assumedEnd struct {
	state  state
	object uint64
	since  int
	line   int
}

// canDo reports whether the thread can execute the event, which is no ThreadStarted, in its state.
func (t *thread) canDo(rec *record) bool {
	e := rec.event
	switch {
	case e.ends != running && t.state == e.ends:
		return t.object == rec.object
	case e.ends == blocked: // virtual threads of JDK 25 return from a wait like this
		return t.state == running && t.waited && t.object == rec.object
	case e.ends != running:
		return t.state == running && t.enclosing == e.ends && t.enclosingObject == rec.object
	case t.state == running:
		return true
	}
	return e.begins == blocked && (t.state == waiting || t.state == joining) && t.object == rec.object
}

// maxNamesakes limits the live threads of one hash code whose events are told apart. The time to find the thread of an
// event grows with them. No JVM has as many, but a log by a writer that did not know the hash codes may.
const maxNamesakes = 64

// findThread returns a thread of the hash code that can execute the event, or nil.
func (r *reader) findThread(rec *record) *thread {
	namesakes := r.threads[rec.thread]
	i := slices.IndexFunc(namesakes, func(t *thread) bool { return t.canDo(rec) })
	if i < 0 {
		return nil
	}
	t := namesakes[i]
	copy(namesakes[1:], namesakes[:i])
	namesakes[0] = t
	return t
}

// addThread adds a thread that begins, or has its first event, in the current line.
func (r *reader) addThread(hash uint64) *thread {
	id := hash + r.freeNumber(hash)<<32
	t := &thread{hash: hash, id: id, beganLine: r.lines.Number}
	r.threads[hash] = slices.Insert(r.threads[hash], 0, t)
	r.threadHashes.add(hash, 0)
	return t
}

// freeNumber returns the smallest number that the id of no live thread of the hash code has above its lowest 32 bits.
// Once there were more than maxNamesakes threads, numbers ascend, because the log may have events of all of them.
func (r *reader) freeNumber(hash uint64) uint64 {
	inUse, namesakes := uint64(0), r.threads[hash]
	for _, t := range namesakes {
		inUse |= 1 << ((t.id - hash) >> 32)
	}
	if len(namesakes) == maxNamesakes {
		r.forget(namesakes[maxNamesakes-1])
	}
	if number := r.nextNumbers[hash]; number > 0 {
		r.nextNumbers[hash]++
		return number
	}
	return uint64(bits.TrailingZeros64(^inUse))
}

// forget removes a thread from those of its hash code that can execute events. It does not end in the trace.
func (r *reader) forget(t *thread) {
	r.wrong(ruleCollision, 0, fmt.Sprintf("more than %d live threads have the hash code %08X: events are no longer "+
		"attributed to the one that began in line %d, which has none for longest", maxNamesakes, t.hash, t.beganLine))
	r.threads.drop(t)
	if r.nextNumbers == nil {
		r.nextNumbers = map[uint64]uint64{}
	}
	r.nextNumbers[t.hash] = max(r.nextNumbers[t.hash], maxNamesakes)
}

// threadOf returns the thread of an event other than ThreadStarted. It emits what is missing before the event.
func (r *reader) threadOf(rec *record) *thread {
	if t := r.findThread(rec); t != nil {
		return t
	}
	namesakes := r.threads[rec.thread]
	if len(namesakes) == 0 {
		return r.firstEvent(rec)
	}
	if t := r.undoAssumedEnd(rec, namesakes); t != nil {
		return t
	}
	r.repairUnpaired(rec, namesakes[0])
	return namesakes[0]
}

// firstEvent adds a thread without a ThreadStarted.
func (r *reader) firstEvent(rec *record) *thread {
	if line, dead := r.ended.find(rec.thread); dead {
		r.wrong(ruleCollision, 0, fmt.Sprintf("an event of thread %08X after its ThreadEnded in line %d: another "+
			"thread has the same hash code, and its ThreadStarted is missing", rec.thread, line))
	}
	t := r.addThread(rec.thread)
	r.putInferredStart(t, rec)
	r.putInferredBegin(t, rec)
	return t
}

// undoAssumedEnd handles the end of a state that was assumed to be over: another thread caused the assumption.
func (r *reader) undoAssumedEnd(rec *record, namesakes []*thread) *thread {
	for _, t := range namesakes {
		if rec.event.ends == running || t.assumed.state != rec.event.ends || t.assumed.object != rec.object {
			continue
		}
		r.wrong(ruleCollision, 0, fmt.Sprintf("two threads have the hash code %08X: one %s since line %d, and %s ends "+
			"that here; the one of line %d is another", rec.thread, describeState(t.assumed.state, t.assumed.object),
			t.assumed.since, rec.event.name, t.assumed.line))
		t.assumed = assumedEnd{}
		other := r.addThread(rec.thread)
		r.putInferredStart(other, rec)
		r.putInferredBegin(other, rec)
		return other
	}
	return nil
}

// repairUnpaired reports an event that the thread cannot execute in its state, and emits what is missing.
func (r *reader) repairUnpaired(rec *record, t *thread) {
	if t.state == running {
		r.wrong(ruleUnpaired, 0, fmt.Sprintf("%s of thread %08X without a %s before it: that line is missing, or "+
			"another thread has the same hash code; the time of the begin is unknown",
			rec.event.name, t.hash, beginning(rec.event.ends).name))
	} else {
		r.wrong(ruleUnpaired, 0, fmt.Sprintf("%s of thread %08X, which %s since line %d: the %s is missing, or "+
			"another thread has the same hash code",
			rec.event.name, t.hash, describeState(t.state, t.object), t.since, ending(t.state).name))
		r.putInferredEnd(t, rec)
	}
	r.putInferredBegin(t, rec)
}

// describeState describes a state, for people.
func describeState(s state, object uint64) string {
	if s == sleeping {
		return stateVerbs[s]
	}
	return fmt.Sprintf("%s %08X", stateVerbs[s], object)
}

// ownerOf returns the id of the thread that owns the monitor, and adds an unknown thread; 0 if the log names no owner.
func (r *reader) ownerOf(rec *record, t *thread) (id uint64) {
	if rec.owner == 0 {
		return 0
	}
	for _, owner := range r.threads[rec.owner] {
		if owner != t {
			return owner.id
		}
	}
	if rec.owner == t.hash {
		r.wrong(ruleCollision, 0, fmt.Sprintf("thread %08X is blocked by itself: the owner of %08X is another thread "+
			"of the same hash code", t.hash, rec.object))
	} else if _, dead := r.ended.find(rec.owner); dead {
		return rec.owner
	}
	owner := r.addThread(rec.owner)
	r.putInferredStart(owner, rec)
	return owner.id
}

// threadIndex has the threads of each hash code, the one whose event was found last first.
type threadIndex map[uint64][]*thread

// drop removes the thread.
func (h threadIndex) drop(t *thread) {
	left := slices.DeleteFunc(h[t.hash], func(namesake *thread) bool { return namesake == t })
	if h[t.hash] = left; len(left) == 0 {
		delete(h, t.hash)
	}
}

// hashCodes is a limited set of hash codes, each with a line. Older ones are removed.
type hashCodes struct{ recent, older map[uint64]int }

// maxHashCodes limits each half.
const maxHashCodes = 1 << 16

func (m *hashCodes) add(hash uint64, line int) {
	if m.recent == nil || len(m.recent) >= maxHashCodes {
		m.recent, m.older = map[uint64]int{}, m.recent
	}
	m.recent[hash] = line
}

func (m *hashCodes) find(hash uint64) (line int, ok bool) {
	if line, ok = m.recent[hash]; !ok {
		line, ok = m.older[hash]
	}
	return line, ok
}

func (m *hashCodes) remove(hash uint64) {
	delete(m.recent, hash)
	delete(m.older, hash)
}

// state is the state of a thread.
type state uint8

const (
	running state = iota
	waiting
	joining
	sleeping
	blocked
)

// stateVerbs describe the states, for people.
var stateVerbs = [...]string{running: "runs", waiting: "waits on", joining: "joins", sleeping: "sleeps",
	blocked: "is blocked on"}

// eventKind is a kind of events.
type eventKind struct {
	name    string
	fields  string // fields after the time, for messages
	element trace.Kind
	// operands is the number of hash codes after the name.
	operands int
	// begins and ends are the states that the event begins or ends; running for none.
	begins, ends state
	// hasName is set if a thread's name is the rest of the line.
	hasName   bool
	notifyAll bool
	// call is the annotation that lets a trace become the same log again. It is used for each join, and for waits on a
	// thread's object, which would otherwise mean a join.
	call string
}

// eventKinds are all kinds of events.
var eventKinds = []eventKind{
	{name: "ObjectWait", fields: "thread, object", element: trace.MonWait, operands: 2, begins: waiting, call: trace.CallWait},
	{name: "ObjectWaited", fields: "thread, object", element: trace.MonWaited, operands: 2, ends: waiting,
		call: trace.CallWait},
	{name: "ObjectNotify", fields: "thread, object", element: trace.CallNotify, operands: 2},
	{name: "ObjectNotifyAll", fields: "thread, object", element: trace.CallNotify, operands: 2, notifyAll: true},
	{name: "ThreadStart", fields: "thread, started thread", element: trace.CallStart, operands: 2},
	{name: "ThreadJoin", fields: "thread, joined thread", element: trace.MonWait, operands: 2, begins: joining,
		call: trace.CallJoin},
	{name: "ThreadJoined", fields: "thread, joined thread", element: trace.MonWaited, operands: 2, ends: joining,
		call: trace.CallJoin},
	{name: "ThreadSleep", fields: "thread", element: trace.MonWait, operands: 1, begins: sleeping},
	{name: "ThreadSlept", fields: "thread", element: trace.MonWaited, operands: 1, ends: sleeping},
	{name: "MonitorContendedEnter", fields: "thread, monitor, owner", element: trace.MonContendedEnter, operands: 3,
		begins: blocked},
	{name: "MonitorContendedEntered", fields: "thread, monitor", element: trace.MonContendedEntered, operands: 2,
		ends: blocked},
	{name: "ThreadStarted", fields: "thread, name", element: trace.ThreadStart, operands: 1, hasName: true},
	{name: "ThreadEnded", fields: "thread", element: trace.ThreadEnd, operands: 1},
}

// byName has the kinds of events.
var byName = func() map[string]*eventKind {
	kinds := map[string]*eventKind{}
	for i := range eventKinds {
		kinds[eventKinds[i].name] = &eventKinds[i]
	}
	return kinds
}()

// kindOf returns the kind of events of the name, or nil. Blanks may surround the name.
func kindOf(name []byte) *eventKind { return byName[string(bytes.TrimSpace(name))] }

// ending returns the kind of events that ends a state other than running.
func ending(s state) *eventKind {
	return &eventKinds[slices.IndexFunc(eventKinds, func(e eventKind) bool { return e.ends == s })]
}

// beginning returns the kind of events that begins a state other than running.
func beginning(s state) *eventKind {
	return &eventKinds[slices.IndexFunc(eventKinds, func(e eventKind) bool { return e.begins == s })]
}
