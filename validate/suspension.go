package validate

import "github.com/trcx/trcx/trace"

// standing is what a thread does, as far as its monitor events tell.
type standing uint8

const (
	runs     standing = iota // or nothing is known of it
	returned                 // runs, and has done nothing since its monWaited
	blocked                  // tries to enter a monitor
	waits                    // waits on a monitor, or sleeps
)

// suspension is what a thread is blocked on or waits for, or has just come back from.
type suspension struct {
	stands standing
	// doubtful says that something did not fit what the thread was at, or that an InterruptedException has ended it:
	// then whatever comes fits, until a monitor event tells anew what the thread is at.
	doubtful  bool
	monitored bool   // the trace has had a monitor event of the thread
	forEver   bool   // the open wait has the timeout 0
	object    id     // the monitor, sleepID, or noID if it is not known
	crowd     *crowd // all that are at the same monitor, once the trace has moved an object
}

// suspended says whether the thread certainly stands still.
func (s *suspension) suspended() bool { return s.stands >= blocked && !s.doubtful }

// first says whether this is the thread's first monitor event, so that recording may have begun in the middle of
// something.
func (s *suspension) first() bool { return !s.monitored }

// object is that of the monitor event at hand, or noID if it is not known.
func (c *Checker) object() id {
	if i := c.ids[objectSpace]; i != zeroID {
		return i
	}
	return noID
}

// differ says whether two objects certainly are two.
func differ(a, b id) bool { return a != b && a != noID && b != noID }

// suspend lets the thread stand in a relation to an object.
func (c *Checker) suspend(t *thread, stands standing, object id) {
	c.resume(t)
	t.stands, t.object = stands, object
	if c.crowds != nil {
		c.crowds.join(t)
	}
}

// resume lets the thread run.
func (c *Checker) resume(t *thread) {
	t.stands, t.doubtful = runs, false
	if t.crowd != nil {
		c.crowds.leave(t)
	}
}

// stir notes that a thread that does not just run does something.
func (c *Checker) stir(t *thread) {
	if t.stands == returned {
		c.resume(t)
	} else if c.checkSuspended(t) {
		t.doubtful = true
	}
}

// at is the object that the thread stands in a relation to: the id that it has now.
func (t *thread) at() id {
	if t.crowd != nil {
		return t.crowd.root().object
	}
	return t.object
}

// The places of what monitor events often have, so that they need not be looked up.
var (
	ownerPosition   = trace.MonContendedEnter.Element().Position(trace.AttrThreadOwner)
	timeoutPosition = trace.MonWait.Element().Position(trace.AttrTimeout)
)

// valueAt is the value at the position of the element's row, or nil if it is not there.
func valueAt(e *trace.Event, position int) []byte {
	if e.Positions()>>position&1 == 0 {
		return nil
	}
	return e.At(position)
}

func (c *Checker) monContendedEnter(e *trace.Event, t *thread) {
	c.checkOwner(e, t)
	if t == nil {
		return
	}
	wrong := c.checkEnter(t) || c.checkSuspended(t)
	c.suspend(t, blocked, c.object())
	t.doubtful, t.monitored = wrong, true
}

func (c *Checker) monContendedEntered(_ *trace.Event, t *thread) {
	if t == nil {
		return
	}
	object := c.object()
	switch {
	case t.stands == blocked && c.checkEntered(t, object):
		t.doubtful = true // and still blocked
	case t.stands == blocked, t.stands == waits && t.doubtful, t.stands == returned && !differ(object, t.at()):
		c.resume(t)
	default:
		c.reportUnentered(t)
		t.doubtful = t.stands == waits
	}
	t.monitored = true
}

func (c *Checker) monWait(e *trace.Event, t *thread) {
	if t == nil {
		return
	}
	wrong := c.checkWait(t) || c.checkSuspended(t)
	c.suspend(t, waits, c.object())
	t.doubtful, t.monitored = wrong, true
	timeout := valueAt(e, timeoutPosition)
	t.forEver = len(timeout) > 0 && timeout[0] == '0' && (len(timeout) == 1 || e.Timeout() == 0)
}

func (c *Checker) monWaited(e *trace.Event, t *thread) {
	if t == nil {
		return
	}
	object := c.object()
	switch {
	case t.stands == waits && c.checkWaited(t, object):
		t.doubtful = true // and still waits
	case t.stands == waits:
		c.checkTimedOut(e, t)
		c.suspend(t, returned, object)
	case t.stands == blocked && t.doubtful:
		c.suspend(t, returned, object)
	default:
		c.reportUnwaited(t)
		if t.stands == blocked {
			t.doubtful = true
		} else {
			c.suspend(t, returned, object)
		}
	}
	t.monitored = true
}

// threadInterrupted: the InterruptedException is thrown, so what the thread was at is over, whether its end was told,
// is still told, or never will be.
func (c *Checker) threadInterrupted(_ *trace.Event, t *thread) {
	if t != nil && t.stands >= blocked {
		t.doubtful = true
	}
}
