package validate

import "github.com/trcx/trcx/trace"

// thread is what is known of a thread that lives.
type thread struct {
	id    id
	last  trace.Time // of its latest event; 0 before the first
	calls calls
	suspension
	started bool // its threadStart has come
}

const (
	// mostThreads is how many threads are followed at a time. Of others nothing is said.
	mostThreads = 1 << 18
	// mostStrangers is how many of them may be without a threadStart. Of others it is only said that they have none.
	mostStrangers = 1 << 12
	// mostDead is how many words of ids are kept as those of dead threads: two million threads that are numbered
	// without gaps. An id that was forgotten counts as one that was never seen.
	mostDead = 1 << 16
)

const threadBits = 8

// threads finds threads by their ids.
type threads struct {
	live   map[id]*thread
	recent [1 << threadBits]*thread // where those are found without a search that did something last
	spare  []*thread                // to be used again

	strangers int // live threads that have not started
	crowded   bool
	dead      idSet
	reported  idSet // those that no threadStart has defined, as has been said
	owners    idSet // … as has been said of an owner
}

func newThreads() threads {
	return threads{
		live: map[id]*thread{}, dead: newIDSet(mostDead, true),
		reported: newIDSet(mostReported, true), owners: newIDSet(mostReported, true),
	}
}

// get is the thread of the id that lives, or nil.
func (x *threads) get(i id) *thread {
	slot := &x.recent[i.slot(threadBits)]
	if t := *slot; t != nil && t.id == i {
		return t
	}
	t := x.live[i]
	if t != nil {
		*slot = t
	}
	return t
}

// admit opens a thread, or returns nil if there are too many.
func (x *threads) admit(i id, started bool) *thread {
	if len(x.live) >= mostThreads {
		x.crowded = true
		return nil
	}
	if !started {
		if x.strangers >= mostStrangers {
			return nil
		}
		x.strangers++
	}
	t := x.blank()
	t.id, t.started = i, started
	x.live[i] = t
	return t
}

// blank is a thread of which nothing is known. It has the room for calls that a dead one had.
func (x *threads) blank() *thread {
	last := len(x.spare) - 1
	if last < 0 {
		return &thread{}
	}
	t := x.spare[last]
	x.spare = x.spare[:last]
	*t = thread{calls: calls{open: t.calls.open[:0]}}
	return t
}

// bury forgets a thread but for the fact that it is dead.
func (x *threads) bury(t *thread) {
	x.dead.add(t.id)
	delete(x.live, t.id)
	x.recent[t.id.slot(threadBits)] = nil
	if !t.started {
		x.strangers--
	}
	const mostSpare, mostRoom = 1 << 10, 1 << 8
	if len(x.spare) < mostSpare && cap(t.calls.open) <= mostRoom {
		x.spare = append(x.spare, t)
	}
}

// involve is the thread that the element at hand names, or nil if it need not be known, or cannot be followed.
func (c *Checker) involve(part part, i id) *thread {
	t := c.threads.get(i)
	if part == named {
		if t == nil && !c.threads.dead.has(i) {
			c.checkStarted(i)
		}
		return nil
	}
	if t == nil {
		if t = c.meet(i); t == nil {
			return nil
		}
	}
	c.checkClock(t)
	if part == acts && t.stands != runs {
		c.stir(t)
	}
	return t
}

// meet opens a thread that does something but does not live. A dead one, about which that is said, is taken to live
// again.
func (c *Checker) meet(i id) *thread {
	if !i.names() {
		return nil
	}
	if c.threads.dead.has(i) {
		c.reportDead()
		t := c.threads.admit(i, false)
		if t != nil {
			c.threads.dead.remove(i)
		}
		return t
	}
	c.checkStarted(i)
	return c.threads.admit(i, false)
}

// threadStart begins a thread, unless it lives: then it goes on, and may have begun anew.
func (c *Checker) threadStart(e *trace.Event, _ *thread) {
	i := idOf(e.Value(trace.AttrThreadID))
	if i == noID {
		return
	}
	t := c.threads.get(i)
	switch {
	case t == nil:
		c.threads.dead.remove(i)
		c.threads.reported.remove(i)
		c.threads.owners.remove(i)
		if t = c.threads.admit(i, true); t == nil {
			return
		}
	case t.started:
		c.reportRedefined()
		t.doubtful = true
	default:
		c.threads.strangers--
		t.started = true
	}
	c.checkClock(t)
}

// threadEnd ends a thread, whatever it does.
func (c *Checker) threadEnd(e *trace.Event, _ *thread) {
	i := idOf(e.Value(trace.AttrThreadIDRef))
	t := c.threads.get(i)
	switch {
	case t != nil:
		c.checkClock(t)
		c.resume(t)
		c.frames -= len(t.calls.open)
		c.threads.bury(t)
	case c.threads.dead.has(i):
		c.reportDead()
	default:
		c.checkStarted(i)
		if i.names() {
			c.threads.dead.add(i)
		}
	}
}
