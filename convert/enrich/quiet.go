package enrich

import "github.com/trcx/trcx/trace"

// A program may have a hundred thousand threads that wait for long. A thread that has not been among the last maxAwake
// ones to begin or to act again is quiet: its activity and its open interval are packed until they are needed.

// maxAwake is how many threads have an activity that is not packed: 15 MB. Where more act in turn, an event takes
// nearly half as many instructions more.
const maxAwake = 1 << 15

// quiet is the activity of a quiet thread, and its open interval.
type quiet struct {
	// object is the one that the thread waits for or is blocked on, or of the notification by which it runs; nil if
	// there is none.
	object *object
	stack  *trace.Stack // of the interval
	packed string       // the rest; see packing
}

// awakeThreads are the threads with an activity, but for the dead, about in the order in which they got it.
type awakeThreads struct {
	ring    []*thread // longer than the limit by those that could not be packed
	next    int       // the place of the first one in the ring
	resting []*thread // no more in the ring; to be packed at the end of the element
}

// names number what recurs in what is kept of threads; start is that of their recording.
type names struct {
	frames  numbering[trace.Frame]
	classes numbering[string]
	start   trace.Time
}

// openThreads are those of a recording that has ended, whose intervals may be open.
type openThreads struct {
	threads []*thread
	end     trace.Time
	names   *names
}

// add adds a thread that has an activity now. If there are as many as the limit, the first one is to be packed for it.
func (a *awakeThreads) add(t *thread, limit int) {
	if len(a.ring) < limit {
		a.ring = append(a.ring, t)
		return
	}
	a.rest(a.ring[a.next])
	a.ring[a.next] = t
	a.next = (a.next + 1) % len(a.ring)
}

// shorten takes the first thread out of the ring; it is to be packed.
func (a *awakeThreads) shorten() {
	a.rest(a.ring[a.next])
	last := len(a.ring) - 1
	a.ring[a.next], a.ring[last] = a.ring[last], nil
	a.ring = a.ring[:last]
	a.next %= last
}

// rest notes that the thread, which is not in the ring any more, is to be packed.
func (a *awakeThreads) rest(t *thread) {
	if t.activity != nil && !t.dead {
		a.resting = append(a.resting, t)
	}
}

// wake restores the activity of a thread if it is quiet.
func (e *Enricher) wake(t *thread) {
	if t.quiet != nil {
		e.unpack(t)
	}
}

// unpack restores the activity of a thread that is quiet.
func (e *Enricher) unpack(t *thread) {
	a := e.reused.activities.get()
	*a = activity{at: e.at(t), calls: threadKey(t.ref.ID)}
	t.activity = a
	open := e.reused.intervals.get()
	if e.scope.dead.names.unpack(t, &e.reused.packing, t.activity, open, &e.reused.runnings) {
		t.open = open
	} else {
		e.reused.intervals.put(open)
	}
	t.quiet = nil
	e.scope.awake.add(t, e.maxAwake)
}

// rest packs the activities of the threads that are to be quiet. It is to be called at the end of an element. Those
// that cannot be packed are added to the ring, in place of no other. While there are such, each element tries one
// thread more.
func (e *Enricher) rest() {
	s := &e.scope.awake
	if len(s.ring) > e.maxAwake {
		s.shorten()
	}
	for i, t := range s.resting {
		s.resting[i] = nil
		switch {
		case t.activity == nil || t.dead:
		case e.pack(t):
			if t.open != nil {
				e.reused.intervals.put(t.open)
				t.open = nil
			}
			e.dropActivity(t)
		default:
			s.ring = append(s.ring, t)
		}
	}
	s.resting = s.resting[:0]
}

// pack makes the thread quiet, unless something is to be bound to it, or it refers to several objects.
func (e *Enricher) pack(t *thread) (ok bool) {
	if t.marks != nil {
		return false
	}
	n := e.scope.dead.names
	n.start = e.session.Start
	t.quiet, ok = n.pack(t, &e.reused.packing)
	return ok
}

// blockedOn returns the object that the thread is blocked on; nil if it is not blocked.
func (t *thread) blockedOn() *object {
	switch {
	case t.activity != nil:
		return t.blocked
	case t.quiet != nil && t.quiet.flag(isBlocked):
		return t.quiet.object
	}
	return nil
}

// waitsOn reports whether the thread waits on the object: Object.wait has released the monitor then.
func (t *thread) waitsOn(o *object) bool {
	if t.quiet != nil {
		return t.quiet.object == o && t.quiet.flag(isWaiting)
	}
	return t.activity != nil && t.wait.open && t.wait.object == o
}

// peek returns the activity of a thread, which may be quiet, to be read, and its open interval; nil if it has none.
func (e *Enricher) peek(t *thread, n *names) (*activity, *trace.Interval) {
	if t.quiet == nil {
		return t.activity, t.open
	}
	a, open := &e.reused.quiet, &e.reused.open
	*a = activity{}
	hasOpen := n.unpack(t, &e.reused.packing, a, open, &e.reused.runnings)
	e.dropRunning(&a.first)
	e.dropRunning(&a.later)
	if !hasOpen {
		return a, nil
	}
	open.Deadlocked = open.Deadlocked || t.deadlocked && open.Type == trace.WaitingForLock
	return a, open
}
