package enrich

import (
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// thread is the state of an incarnation that lives, and what can still be bound to it.
type thread struct {
	*incarnation      // nil after the recording; see openThreads
	started      bool // its threadStart has come
	dead         bool // it is dead, and has acted since
	lost         bool // its id has begun anew: its threadEnd was lost
	hasRun       bool // it has had a Running event
	// blockedInferred: the owner of the blocked monitor is known from the owner map alone. blockedTimed: the thread
	// waits for it until a timeout. blockedOlder: a look at all threads found it BLOCKED.
	blockedInferred, blockedTimed, blockedOlder bool
	waitsAtOwn                                  bool            // it waits, and own is the stack of the wait's record
	state                                       trace.ModelType // the latest
	open                                        trace.Interval  // zero if it has no open interval
	// first is the first Running event of the thread; zero if it has had none, or nothing can be bound to it any more.
	first running
	// later is the Running event that opened the current state; zero if that is the first one, or the thread does not
	// run.
	later running

	contends     *object // at which its open WaitingForLock interval is
	blocked      *object // the monitor that the thread tries to enter
	blockedAt    trace.Time
	blockedOrder uint64
	// holds are the contended objects that the thread holds.
	holds map[*object]struct{}

	wait             wait
	notifiedBy       cause // the notification that removed the thread from the wait set
	interruptInWait  cause // the first interrupt during the open wait
	pendingInterrupt cause // the latest interrupt while it did not wait, which set its interrupt status
	soon             cause // ends the thread's next state, should that be a park on the object

	own sighting // the latest stack of its own records
	// sampled is where samplers have seen it; nil if none has.
	sampled *samples
	calls   threadstate.Key // by which its open calls are found
}

// wait is an open wait.
type wait struct {
	open    bool
	sleep   bool
	outside bool    // of the wait set: a park, or a wait for input, output or a class
	parked  bool    // a park
	object  *object // nil for a sleep, and if it is unknown
	at      trace.Time
	timeout int64 // in milliseconds; see trace.NoTimeout
	order   uint64
	// initialiser is the known thread that initialises the class for which this one waits; nil for other waits.
	initialiser *incarnation
	// previous and next are the neighbours in the object's wait set.
	previous, next *thread
}

// thread returns the state of the incarnation that the id names. It opens a new incarnation if the id is unknown.
func (e *Enricher) thread(id trace.ThreadID) *thread {
	if i := e.scope.incarnation(id); i != nil {
		return e.revive(i)
	}
	t := e.newThread(id)
	e.putThread(t, trace.ModelThread{})
	return t
}

// revive returns the state of the incarnation. A dead one gets a new state, since the trace lets it act again.
func (e *Enricher) revive(i *incarnation) *thread {
	if i.live == nil {
		at := e.at(i)
		t := e.addThread(i)
		t.dead, t.state, t.own.stack = true, trace.Dead, stackAt(at)
	}
	return i.live
}

// newThread opens a new incarnation of the id.
func (e *Enricher) newThread(id trace.ThreadID) *thread {
	key := e.scope.incarnations.Add()
	i := e.scope.incarnations.At(key)
	i.id, i.key = id, key
	e.scope.threads.set(id.ID, key)
	return e.addThread(i)
}

// addThread makes the incarnation live. It reuses the memory of a dead one: where threads live one after the other, new
// memory for each would take a third more time.
func (e *Enricher) addThread(i *incarnation) (t *thread) {
	if last := len(e.scope.spare) - 1; last >= 0 {
		t, e.scope.spare = e.scope.spare[last], e.scope.spare[:last]
	} else {
		t = &thread{}
	}
	*t = thread{incarnation: i, calls: threadKey(i.id)}
	i.live = t
	e.scope.live[t] = struct{}{}
	return t
}

// bury drops the state of a thread that has ended. The pending event still ends its open interval.
func (e *Enricher) bury(t *thread) {
	delete(e.scope.live, t)
	t.live = nil
	if seen := t.seen(); seen != nil {
		t.lastAt = e.scope.frames.Of(seen.Caller())
	}
	e.scope.spare = append(e.scope.spare, t)
}

// putThread puts the description of a thread, after completing it.
func (e *Enricher) putThread(t *thread, description trace.ModelThread) {
	e.putSession()
	description.Key, description.ID = t.key, t.id
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
	t.state = event.Type
	t.later = running{}
	if t.first.cause.known() && t.first.unbound == nil {
		t.first = running{}
	}
	if event.Type != trace.Running {
		return
	}
	run := running{runningRef: refOf(event), at: event.Time}
	if t.hasRun {
		t.later = run
	} else {
		t.first, t.hasRun = run, true
	}
}

// current returns the Running event that opened the state of a thread that runs.
func (t *thread) current() *running {
	if t.later.id != 0 {
		return &t.later
	}
	return &t.first
}
