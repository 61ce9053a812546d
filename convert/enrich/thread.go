package enrich

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// thread is one incarnation of a thread id. Little is kept of a dead one.
type thread struct {
	ref     trace.ThreadRef
	started bool // its threadStart has come
	dead    bool
	place   int32           // in the scope's active threads; -1 if it is none of them
	object  uint64          // its java.lang.Thread object: see objectNumber
	segment trace.SegmentID // the current one
	open    *trace.Interval // nil if it has had no state event, or is dead
	lastAt  uint32          // the number of its at among the names while it has no activity
	owns    int32           // objects whose owner it is
	number  uint32          // among the deadThreads; 0 if it has never been one of them
	// waitPlace is the place of its open wait in the object's wait set.
	waitPlace  int32
	deadlocked bool   // and quiet
	quiet      *quiet // nil unless the activity is packed
	*activity         // nil if it is packed, or the thread is dead
}

// activity is the state of a thread, and what can still be bound to it.
type activity struct {
	state    trace.ModelType
	hasState bool
	hasRun   bool // it has had a Running event
	// blockedInferred: the owner of the blocked monitor is known from the owner map alone.
	blockedInferred bool
	// first is the first Running event of the thread; nil if it has had none, or when nothing can be bound to it any
	// more.
	first *running
	// later is the Running event that opened the current state, unless that is the first; nil if there is none.
	later *running
	last  trace.EventID // the Running event that opened the current state; 0 if the thread does not run

	contends     *object // at which its open WaitingForLock interval is
	blocked      *object // the monitor that the thread tries to enter
	blockedAt    trace.Time
	blockedOrder uint64

	wait  wait
	marks *marks // nil if it has none

	at    trace.Frame     // the call of the program in which it was last seen, by a call stack
	calls threadstate.Key // of its open calls: its id
}

// marks are the notifications and interrupts that have come for a thread, and may yet end a wait. Few threads have any
// at a time.
type marks struct {
	notifiedBy       cause // the notification that removed the thread from the wait set
	interruptInWait  cause // the first interrupt during the open wait
	pendingInterrupt cause // the latest interrupt while it did not wait: the thread's interrupt status is set
	soon             cause // the notification that ends the thread's next state, if that is a park on its object
}

// wait is an open wait.
type wait struct {
	open    bool
	sleep   bool
	outside bool    // of the wait set: a park, or a wait for input or output
	io      bool    // a wait for input or output
	object  *object // nil if it sleeps, or the object is not known
	at      trace.Time
	timeout int64 // in milliseconds; see trace.NoTimeout
	order   uint64
}

// unmarked are the marks of threads without any. They are only read.
var unmarked marks

// marked returns the marks of the thread, to be read.
func (t *thread) marked() *marks {
	if t.activity == nil || t.marks == nil {
		return &unmarked
	}
	return t.marks
}

// mark returns the marks of the thread, to be changed.
func (e *Enricher) mark(t *thread) *marks {
	if e.wake(t); t.marks == nil {
		t.marks = e.reused.marks.get()
	}
	return t.marks
}

// dropMarks drops the marks of the thread if none is set.
func (e *Enricher) dropMarks(t *thread) {
	if t.marks != nil && *t.marks == (marks{}) {
		e.reused.marks.put(t.marks)
		t.marks = nil
	}
}

// thread returns the incarnation that the id names, a new one if there is none.
func (e *Enricher) thread(id trace.ThreadID) *thread {
	if t := e.scope.thread(id.ID); t != nil {
		if t.activity == nil {
			e.ensureActivity(t)
		}
		return t
	}
	t := e.newThread(id)
	e.putThread(t, trace.ModelThread{})
	return t
}

// ensureActivity wakes a quiet thread, and gives a dead one an activity: it may still do something, and be interrupted.
func (e *Enricher) ensureActivity(t *thread) {
	if e.wake(t); t.activity == nil {
		t.activity = &activity{state: trace.Dead, hasState: true, at: e.at(t), calls: threadKey(t.ref.ID)}
	}
}

// newThread opens a new incarnation of the id.
func (e *Enricher) newThread(id trace.ThreadID) *thread {
	e.numbers.threads++
	a := e.reused.activities.get()
	*a = activity{calls: threadKey(id)}
	t := &thread{ref: trace.ThreadRef{Key: e.numbers.threads, ID: id}, activity: a, place: -1}
	e.scope.threads.set(id.ID, t)
	e.scope.activate(t)
	e.scope.awake.add(t, e.maxAwake)
	return t
}

// activate adds the thread to the active ones, if it is none of them.
func (s *scope) activate(t *thread) {
	if t.place < 0 {
		t.place = int32(len(s.active))
		s.active = append(s.active, t)
	}
}

func (s *scope) deactivate(t *thread) {
	last := len(s.active) - 1
	s.active[t.place] = s.active[last]
	s.active[t.place].place = t.place
	s.active[last] = nil
	s.active = s.active[:last]
	t.place = -1
}

// putThread puts the description of a thread, after completing it.
func (e *Enricher) putThread(t *thread, description trace.ModelThread) {
	e.putSession()
	description.Key, description.ID = t.ref.Key, t.ref.ID
	description.Started, description.Session = t.started, e.session.Index
	e.reused.thread = description
	e.put(&e.reused.thread)
}

// blockOn makes o the monitor that the thread tries to enter; nil for none.
func (t *thread) blockOn(o *object) {
	if t.blocked != nil {
		t.blocked.blocked--
	}
	if t.blocked = o; o != nil {
		o.blocked++
	}
}

// enterState keeps the state that the event opens.
func (e *Enricher) enterState(t *thread, event *trace.ModelEvent) {
	t.state, t.hasState, t.last = event.Type, true, 0
	e.dropRunning(&t.later)
	if t.first != nil && t.first.cause.known() && t.first.unbound == nil {
		e.dropRunning(&t.first)
	}
	if event.Type != trace.Running {
		return
	}
	t.last = event.ID
	run := e.reused.runnings.get()
	*run = running{runningRef: runningRef{event.ID, t.segment}, at: event.Time}
	if t.hasRun {
		t.later = run
	} else {
		t.first, t.hasRun = run, true
	}
}

// at returns the call of the program in which the thread was last seen.
func (e *Enricher) at(t *thread) trace.Frame {
	if t.activity == nil {
		return e.scope.dead.names.frames.value(t.lastAt)
	}
	return t.at
}

// setAt sets the call of the program in which the thread was last seen.
func (e *Enricher) setAt(t *thread, at trace.Frame) {
	if t.activity == nil {
		t.lastAt = e.scope.dead.names.frames.of(at)
	} else {
		t.at = at
	}
}

// dropActivity drops the activity of a thread that has ended.
func (e *Enricher) dropActivity(t *thread) {
	e.dropRunning(&t.first)
	e.dropRunning(&t.later)
	if t.marks != nil {
		*t.marks = marks{}
		e.dropMarks(t)
	}
	t.lastAt = e.scope.dead.names.frames.of(t.at)
	e.reused.activities.put(t.activity)
	t.activity = nil
}

// dropRunning drops a Running event, to which nothing can be bound any more.
func (e *Enricher) dropRunning(run **running) {
	if *run != nil {
		e.reused.runnings.put(*run)
		*run = nil
	}
}
