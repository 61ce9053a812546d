package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var (
	blockedThreadActs = ruleOf("blocked-thread-acts")
	againLate         = ruleOf("again-late")
)

// misfit is an event that does not fit the state of its thread.
type misfit struct {
	in  threadstate.Input
	fit threadstate.Fit
}

// misfits has the function that reports each misfit. It is called before the thread's state changes.
var misfits = map[misfit]func(*Checker, *thread){
	{threadstate.Enter, threadstate.Twice}: reportMisfit(ruleOf("enter-twice"),
		"thread %[1]s is blocked already; it has to get that monitor (monContendedEntered) before it can try another"),
	{threadstate.Enter, threadstate.Suspended}: (*Checker).reportActs,
	{threadstate.Entered, threadstate.NoStart}: reportUnbegun(ruleOf("entered-without-enter"),
		"thread %s is not blocked: a monContendedEnter of object %s has to come first"),
	{threadstate.Entered, threadstate.OtherObject}: reportMisfit(ruleOf("entered-mismatch"),
		"thread %[1]s is blocked on another object than %[2]s, and can get no other"),
	{threadstate.Wait, threadstate.Twice}: reportMisfit(ruleOf("wait-twice"),
		"thread %[1]s waits already; that wait has to end (monWaited) before the next can begin"),
	{threadstate.Wait, threadstate.Suspended}: (*Checker).reportActs,
	{threadstate.Waited, threadstate.NoStart}: reportUnbegun(ruleOf("waited-without-wait"),
		"thread %s does not wait: a monWait of object %s has to come first"),
	{threadstate.Waited, threadstate.OtherObject}: reportMisfit(ruleOf("waited-mismatch"),
		"thread %[1]s waits on another object than %[2]s, and can come back from no other"),
	{threadstate.Act, threadstate.Suspended}: (*Checker).reportActs,
}

// reportMisfit returns a function that reports the rule. The format has the thread, %[1]s, and the object, %[2]s.
func reportMisfit(rule *Rule, format string) func(*Checker, *thread) {
	return func(c *Checker, _ *thread) {
		c.report(rule, trace.AttrObjIDRef, func() string {
			return fmt.Sprintf(format, c.threadText(), c.text(trace.AttrObjIDRef))
		})
	}
}

// reportUnbegun returns a function that reports the end of a wait or block whose begin is not in the trace. It is a
// warning if it is the thread's first monitor event, because recording may have begun in between. The format has the
// thread and the object.
func reportUnbegun(rule *Rule, format string) func(*Checker, *thread) {
	return func(c *Checker, t *thread) {
		severity := trace.Error
		if !t.monitored {
			severity = trace.Warning
		}
		c.reportAs(severity, rule, trace.AttrThreadIDRef, func() string {
			return fmt.Sprintf(format, c.threadText(), c.text(trace.AttrObjIDRef))
		})
	}
}

// advance updates the thread's state by the current event. It reports whether the event fits, and adds a finding if it
// does not.
func (c *Checker) advance(t *thread, in threadstate.Input) bool {
	object := c.object()
	step := t.Next(in, same(object, t.monitor()))
	if step.Fit != threadstate.OK {
		misfits[misfit{in, step.Fit}](c, t)
	}
	replaced := t.Apply(in, step, object)
	if t.moved != nil && (replaced || t.State == threadstate.Runnable) {
		c.aliases.remove(t)
	}
	if replaced && c.aliases != nil {
		c.aliases.add(t)
	}
	return step.Fit == threadstate.OK
}

// object returns the object of the current event, or None if it is unknown.
func (c *Checker) object() threadstate.Key {
	if i := c.ids[objectSpace]; i != threadstate.Zero {
		return i
	}
	return threadstate.None
}

// same reports whether two objects can be the same.
func same(a, b threadstate.Key) bool { return a == b || a == threadstate.None || b == threadstate.None }

// monitor returns the current id of the thread's object, which may have moved since.
func (t *thread) monitor() threadstate.Key {
	if t.moved != nil {
		return t.moved.find().object
	}
	return t.Object
}

// The positions of common attributes of monitor events, so that they need not be looked up.
var (
	ownerPosition   = trace.MonContendedEnter.Element().Position(trace.AttrThreadOwner)
	timeoutPosition = trace.MonWait.Element().Position(trace.AttrTimeout)
)

// valueAt returns the value at the position of the element's row, or nil if it is absent.
func valueAt(e *trace.Event, position int) []byte {
	if e.Positions()>>position&1 == 0 {
		return nil
	}
	return e.At(position)
}

func (c *Checker) monContendedEnter(e *trace.Event, t *thread) {
	c.checkWord(trace.NotePark)
	if e.IsAgain() { // the owner may be the thread itself, which has just got in
		if owner := threadstate.KeyOf(valueAt(e, ownerPosition)); owner.Names() {
			c.checkOwnerKnown(owner)
		}
		return
	}
	c.checkOwner(e, t)
	if t != nil {
		c.advance(t, threadstate.Enter)
		t.begun, t.monitored = e.Time, true
	}
}

func (c *Checker) monContendedEntered(_ *trace.Event, t *thread) {
	c.checkWord(trace.NoteGaveUp)
	c.checkThreads(trace.NoteCausedBy)
	if t != nil {
		c.advance(t, threadstate.Entered)
		t.monitored = true
	}
}

func (c *Checker) monWait(e *trace.Event, t *thread) {
	c.checkWord(trace.NotePark)
	c.checkWord(trace.NoteSampled)
	if e.Known().Init.String() != "0" { // unknown
		c.checkThreads(trace.NoteInit)
	}
	if t == nil {
		return
	}
	c.advance(t, threadstate.Wait)
	timeout := valueAt(e, timeoutPosition)
	t.forEver = len(timeout) > 0 && timeout[0] == '0' && (len(timeout) == 1 || e.Timeout() == 0)
	t.begun, t.due = e.Time, 0
	if len(timeout) > 0 && !t.forEver {
		t.due = dueTime(e)
	}
	t.monitored = true
}

func (c *Checker) monWaited(e *trace.Event, t *thread) {
	c.checkThreads(trace.NoteLockFrom)
	if t == nil {
		return
	}
	waits, sleeps := t.State == threadstate.Waiting, t.Object == threadstate.Sleep
	if fits := c.advance(t, threadstate.Waited); fits && waits && e.Flag(trace.AttrIsTimedOut) {
		if t.forEver && !sleeps {
			c.checkUntimed()
		}
		c.checkEarly(e, t)
	}
	t.monitored = true
}

func (c *Checker) callNotify(_ *trace.Event, _ *thread) {
	c.checkWord(trace.NotePark)
	c.checkThreads(trace.NoteWakes)
}

func (c *Checker) threadInterrupted(_ *trace.Event, t *thread) {
	if t != nil {
		c.advance(t, threadstate.Interrupted)
	}
}

// reportActs reports the current event, of a thread that is blocked or waits.
func (c *Checker) reportActs(t *thread) {
	c.report(blockedThreadActs, c.event.Kind.Element().Thread(), func() string {
		if t.State == threadstate.Blocked {
			return fmt.Sprintf(
				"%s of thread %s, which is blocked: it has to get the monitor first (monContendedEntered)",
				c.event.Name(), c.threadText())
		}
		return fmt.Sprintf("%s of thread %s, which waits: the wait has to end first (monWaited)", c.event.Name(),
			c.threadText())
	})
}

// isLate reports whether an element for which IsAgain is true comes too late: its thread is not blocked on the object.
func (c *Checker) isLate(e *trace.Event) bool {
	id, object := threadstate.KeyOf(e.Value(trace.AttrThreadIDRef)), threadstate.KeyOf(e.Value(trace.AttrObjIDRef))
	t := c.threads.live.Get(id)
	switch {
	case !id.Names() || !object.Names(): // which is another rule's
		return false
	case t == nil:
		return !c.threads.full
	case t.State == threadstate.MaybeBlocked:
		return false
	}
	return t.State != threadstate.Blocked || !same(object, t.monitor()) || e.Timed() && e.Time < t.begun
}

// reportLate reports the current element, for which isLate is true.
func (c *Checker) reportLate() {
	c.report(againLate, trace.AttrObjIDRef, func() string {
		return fmt.Sprintf("thread %s is not blocked on object %s, or not yet: this owner was read too late", c.threadText(),
			c.text(trace.AttrObjIDRef))
	})
}
