package enrich

import "github.com/trcx/trcx/trace"

// thread is one incarnation of a thread id. Of a dead one little is kept.
type thread struct {
	ref     trace.ThreadRef
	started bool // its threadStart has come
	dead    bool
	place   int // in the scope's active threads; -1 if it is none of them
	object  *object
	segment trace.SegmentID // the current one
	open    *trace.Interval // nil if it has had no state event, or is dead
	at      trace.Frame     // the call of the program in which it was last seen, by a call stack
	*activity
}

// activity is what a thread does.
type activity struct {
	state    trace.ModelType
	hasState bool
	first    running // the first Running event of the thread
	last     running // the state event at hand, if that is a Running

	blocked         *object // the monitor that the thread tries to enter
	blockedInferred bool    // … from an owner that the map gave
	blockedAt       trace.Time
	blockedOrder    uint64

	wait   wait
	mark   cause // the notification that has taken the thread out of the wait set
	during cause // the first interrupt that came during the open wait
	before cause // the newest interrupt that came while it was not waiting
}

// running is a Running event of a thread.
type running struct {
	appended
	at     trace.Time
	waited bool    // a monWaited has appended it
	cause  cause   // what it is bound to
	woken  *object // it is an entry of this object's woken
}

// appended is a Running event as causes are bound to it.
type appended struct {
	id      trace.EventID
	segment trace.SegmentID
}

// wait is an open wait.
type wait struct {
	open    bool
	sleep   bool
	object  *object // nil if it sleeps, or the object is not known
	at      trace.Time
	timeout int64
	order   uint64
	place   int // in the object's queue
}

// cause is an event of one thread that can make another one run. The zero cause is none.
type cause struct {
	trace.Cause
	object *object // the notified one
}

func (c cause) known() bool { return c.ID != 0 }

// causeOf makes a cause of an event that was appended.
func causeOf(event *trace.ModelEvent, o *object) cause {
	return cause{trace.Cause{ID: event.ID, Thread: event.Thread.Key, Type: event.Type, Segment: event.Segment,
		Time: event.Time}, o}
}

// thread is the incarnation that the id names, a new one if there is none.
func (e *Enricher) thread(id trace.ThreadID) *thread {
	if t := e.scope.threads.get(id.ID); t != nil {
		t.stir()
		return t
	}
	t := e.incarnate(id)
	e.tellThread(t, trace.ModelThread{})
	return t
}

// stir makes sure that the thread has an activity: a dead one may still do something, and be interrupted.
func (t *thread) stir() {
	if t.activity == nil {
		t.activity = &activity{state: trace.Dead, hasState: true}
	}
}

// incarnate opens a new incarnation of the id.
func (e *Enricher) incarnate(id trace.ThreadID) *thread {
	e.threads++
	t := &thread{ref: trace.ThreadRef{Key: e.threads, ID: id}, activity: e.newActivity(), place: -1}
	e.scope.threads.set(id.ID, t)
	e.scope.activate(t)
	return t
}

// newActivity is an activity of which nothing is known. Those of dead threads are used again.
func (e *Enricher) newActivity() *activity {
	last := len(e.spare) - 1
	if last < 0 {
		return &activity{}
	}
	a := e.spare[last]
	e.spare = e.spare[:last]
	*a = activity{}
	return a
}

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

// tellThread tells the sink of a thread, completing its description.
func (e *Enricher) tellThread(t *thread, description trace.ModelThread) {
	e.tellSession()
	description.Key, description.ID = t.ref.Key, t.ref.ID
	description.Started, description.Session = t.started, e.session.Index
	e.description = description
	e.put(&e.description)
}

// threadStart: the first one adopts an incarnation that was opened without it; one that has had it, or is dead, is
// another thread.
func (e *Enricher) threadStart(event *trace.Event) {
	id := event.Thread()
	if !id.Known() || !event.Timed() {
		return
	}
	t := e.scope.threads.get(id.ID)
	switch {
	case t == nil:
		t = e.incarnate(id)
	case t.started || t.dead:
		e.scope.calls.forget(id)
		t = e.incarnate(id)
	}
	t.started = true
	object := event.Object(trace.AttrObjIDRef)
	description := trace.ModelThread{
		Name: event.Text(trace.AttrThreadName), Group: event.Text(trace.AttrGroupName),
		Parent: event.Text(trace.AttrParentName),
	}
	if object.IsObject() {
		description.Object = object
	}
	e.tellThread(t, description)
	run := e.run(t, event.Time)
	e.acted(t, event.Time)
	if !object.IsObject() {
		return
	}
	o := e.object(object)
	o.thread, o.isThread, t.object = t, true, o
	if len(o.starts) > 0 {
		e.bind(o.starts[0], t, run)
		o.starts = o.starts[1:]
	}
}

// threadEnd: what the thread owned stays on record, for the next thread's monContendedEntered is often posted after its
// last owner's end.
func (e *Enricher) threadEnd(event *trace.Event, t *thread) {
	if t.dead {
		return
	}
	e.append(t, trace.Dead, event.Time)
	e.scope.calls.forget(t.ref.ID)
	t.blockOn(nil)
	e.closeWait(t, false)
	t.dead = true
	e.scope.deactivate(t)
	if !t.before.known() { // else nothing that it did matters any more
		e.spare = append(e.spare, t.activity)
		t.activity = nil
	}
	if t.object != nil && t.object.thread == t {
		t.object.rest()
	}
}

// blockOn makes o the monitor that the thread tries to enter, or none.
func (t *thread) blockOn(o *object) {
	if t.blocked != nil {
		t.blocked.blocked--
	}
	if t.blocked = o; o != nil {
		o.blocked++
	}
}

// entered keeps the state that an event has put the thread in.
func (t *thread) entered(state trace.ModelType, id trace.EventID, at trace.Time) {
	t.state, t.hasState = state, true
	if state == trace.Running {
		t.last = running{appended: appended{id, t.segment}, at: at}
		if t.first.id == 0 {
			t.first = t.last
		}
	} else {
		t.last.id = 0
	}
}

// bound notes that the Running event has a cause, and returns the one it had before.
func (t *thread) bound(id trace.EventID, c cause) (replaced cause) {
	if t.activity == nil {
		return cause{}
	}
	for _, r := range []*running{&t.first, &t.last} {
		if r.id != id {
			continue
		}
		if r.cause.known() {
			replaced = r.cause
		}
		r.cause = c
		if r.woken != nil {
			r.woken.explained(id)
			r.woken = nil
		}
	}
	return replaced
}

func removeAt[E any](list []E, i int) []E {
	return append(list[:i], list[i+1:]...)
}
