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
	place   int // in the scope's active threads; -1 if it is none of them
	object  *object
	segment trace.SegmentID // the current one
	open    *trace.Interval // nil if it has had no state event, or is dead
	at      trace.Frame     // the call of the program in which it was last seen, by a call stack
	calls   threadstate.Key // of its open calls: its id
	owns    int32           // objects whose owner it is
	number  uint32          // among the deadThreads; 0 if it has never been one of them
	*activity
}

// activity is the state of a thread, and what can still be bound to it.
type activity struct {
	state    trace.ModelType
	hasState bool
	first    running // the first Running event of the thread
	// the one that opened the current state, unless that is the first; with id 0 if there is none
	later running
	last  trace.EventID // the Running event that opened the current state; 0 if the thread does not run

	contends        *object // at which its open WaitingForLock interval is
	blocked         *object // the monitor that the thread tries to enter
	blockedInferred bool    // its owner is known from the owner map alone
	blockedAt       trace.Time
	blockedOrder    uint64

	wait             wait
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
	place   int // in the object's wait set
}

// thread returns the incarnation that the id names, a new one if there is none.
func (e *Enricher) thread(id trace.ThreadID) *thread {
	if t := e.scope.thread(id.ID); t != nil {
		t.ensureActivity()
		return t
	}
	t := e.newThread(id)
	e.putThread(t, trace.ModelThread{})
	return t
}

// ensureActivity gives a dead thread an activity: it may still do something, and be interrupted.
func (t *thread) ensureActivity() {
	if t.activity == nil {
		t.activity = &activity{state: trace.Dead, hasState: true}
	}
}

// newThread opens a new incarnation of the id.
func (e *Enricher) newThread(id trace.ThreadID) *thread {
	e.numbers.threads++
	a := e.reused.activities.get()
	*a = activity{}
	t := &thread{ref: trace.ThreadRef{Key: e.numbers.threads, ID: id}, activity: a, place: -1, calls: threadKey(id)}
	e.scope.threads.set(id.ID, t)
	e.scope.activate(t)
	return t
}

// activate adds the thread to the active ones, if it is none of them.
func (s *scope) activate(t *thread) {
	if t.place < 0 {
		t.place = len(s.active)
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
func (t *thread) enterState(event *trace.ModelEvent) {
	t.state, t.hasState = event.Type, true
	t.last, t.later.id = 0, 0
	if event.Type != trace.Running {
		return
	}
	t.last = event.ID
	run := running{runningRef: runningRef{event.ID, t.segment}, at: event.Time}
	if t.first.id == 0 {
		t.first = run
	} else {
		t.later = run
	}
}
