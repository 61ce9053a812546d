package validate

import (
	"fmt"
	"time"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	threadDead      = ruleOf("thread-dead")
	threadRedefined = ruleOf("thread-redefined")
	threadUndefined = ruleOf("thread-undefined")
	timeBackwards   = ruleOf("time-backwards")
)

// thread is a live thread.
type thread struct {
	id    threadstate.Key
	last  trace.Time // of its latest event; 0 before the first
	calls threadstate.Calls
	threadstate.Thread
	moved     *movedObject // the thread's object, once the trace has moved one; nil if it names none
	started   bool         // its threadStart has come
	monitored bool         // the trace has had a monitor event of the thread
	forEver   bool         // the open wait has the timeout 0
	begun     trace.Time   // when the open wait or block began
	due       trace.Time   // when it times out at the earliest; 0 if unknown
}

const (
	// maxThreads limits the live threads that are followed. Nothing is reported about others.
	maxThreads = 1 << 18
	// maxStrangers limits those without a threadStart. Of others only the missing threadStart is reported.
	maxStrangers = 1 << 12
	// maxDead limits the words that keep ids of dead threads: enough for two million threads numbered without gaps. A
	// forgotten id counts as never seen.
	maxDead = 1 << 16
)

// threads has the threads of a recording, live and dead.
type threads struct {
	live      threadstate.Table[thread]
	strangers int  // live threads that have not started
	full      bool // a thread was not added, because there were too many
	dead      idSet
	reported  idSet // reported as not started
	owners    idSet // reported as unknown owners
}

func newThreads() threads {
	return threads{
		dead: newIDSet(maxDead, true), reported: newIDSet(maxReported, true), owners: newIDSet(maxReported, true),
	}
}

// add adds a live thread, or returns nil if there are too many.
func (x *threads) add(i threadstate.Key, started bool) *thread {
	if x.live.Len() >= maxThreads {
		x.full = true
		return nil
	}
	if !started {
		if x.strangers >= maxStrangers {
			return nil
		}
		x.strangers++
	}
	t := x.live.Add(i)
	t.calls.Reset()
	*t = thread{id: i, calls: t.calls, started: started}
	return t
}

// end removes a live thread and keeps only its id, among the dead threads' ids.
func (x *threads) end(t *thread) {
	const maxReused = 1 << 8 // calls
	x.dead.add(t.id)
	if !t.started {
		x.strangers--
	}
	x.live.Remove(t.id, t.calls.Cap() <= maxReused)
}

// involve returns the thread that the current element names, or nil if it need not be known or cannot be followed.
func (c *Checker) involve(part part, i threadstate.Key) *thread {
	t := c.threads.live.Get(i)
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
	if part == acts && t.State != threadstate.Runnable {
		c.advance(t, threadstate.Act)
	}
	return t
}

// meet adds a thread that acts but is not live. A dead thread is reported and becomes live again.
func (c *Checker) meet(i threadstate.Key) *thread {
	if !i.Names() {
		return nil
	}
	if c.threads.dead.has(i) {
		c.reportDead()
		t := c.threads.add(i, false)
		if t != nil {
			c.threads.dead.remove(i)
		}
		return t
	}
	c.checkStarted(i)
	return c.threads.add(i, false)
}

// threadStart begins a thread. A live thread goes on, and may have restarted.
func (c *Checker) threadStart(e *trace.Event, _ *thread) {
	i := threadstate.KeyOf(e.Value(trace.AttrThreadID))
	if i == threadstate.None {
		return
	}
	t := c.threads.live.Get(i)
	switch {
	case t == nil:
		c.threads.dead.remove(i)
		c.threads.reported.remove(i)
		c.threads.owners.remove(i)
		if t = c.threads.add(i, true); t == nil {
			return
		}
	case t.started:
		c.reportRedefined()
		t.State = t.State.Doubted()
	default:
		c.threads.strangers--
		t.started = true
	}
	c.checkClock(t)
}

// threadEnd ends a thread, whatever its state.
func (c *Checker) threadEnd(e *trace.Event, _ *thread) {
	i := threadstate.KeyOf(e.Value(trace.AttrThreadIDRef))
	t := c.threads.live.Get(i)
	switch {
	case t != nil:
		c.checkClock(t)
		if t.moved != nil {
			c.aliases.remove(t)
		}
		c.frames -= t.calls.Len()
		c.threads.end(t)
	case c.threads.dead.has(i):
		c.reportDead()
	default:
		c.checkStarted(i)
		if i.Names() {
			c.threads.dead.add(i)
		}
	}
}

// reportDead reports the current event, of a dead thread.
func (c *Checker) reportDead() {
	c.report(threadDead, c.event.Kind.Element().Thread(), func() string {
		return fmt.Sprintf("%s of thread %s, which has had its threadEnd; only a threadStart can use the id again",
			c.event.Name(), c.threadText())
	})
}

// reportRedefined reports the current threadStart.
func (c *Checker) reportRedefined() {
	c.report(threadRedefined, trace.AttrThreadID, func() string {
		return fmt.Sprintf("thread %s was started before and has not ended; its threadEnd has to come first",
			c.threadText())
	})
}

// checkStarted reports a thread of the current event that no threadStart has defined, once.
func (c *Checker) checkStarted(i threadstate.Key) {
	if !i.Names() || c.threads.full || !c.threads.reported.add(i) {
		return
	}
	c.report(threadUndefined, c.event.Kind.Element().Thread(), func() string {
		return fmt.Sprintf("no threadStart has defined thread %s", c.threadText())
	})
}

// backwards is the number of nanoseconds that times of a thread may go back: what real traces show, and a little more.
const backwards = 2_000_000

// checkClock compares the time of the current event with the time of the thread's previous event.
func (c *Checker) checkClock(t *thread) {
	e := c.event
	if !e.Timed() {
		return
	}
	if back := t.last - e.Time; back > backwards {
		c.report(timeBackwards, trace.AttrTime, func() string {
			return fmt.Sprintf(
				"the time is %v before the previous event of thread %s; agents let times go back by up to %v",
				time.Duration(back), c.threadText(), time.Duration(backwards))
		})
	}
	t.last = e.Time
}
