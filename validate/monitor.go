package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// misfit is an event that does not fit the state of its thread.
type misfit struct {
	in  threadstate.Input
	fit threadstate.Fit
}

// misfits has the function that reports each misfit. It is called before the thread's state changes.
var misfits = map[misfit]func(*Checker, *thread){
	{threadstate.Enter, threadstate.Twice}:         reportEnterTwice,
	{threadstate.Enter, threadstate.Suspended}:     (*Checker).reportActs,
	{threadstate.Entered, threadstate.NoStart}:     (*Checker).reportEnteredWithoutEnter,
	{threadstate.Entered, threadstate.OtherObject}: reportEnteredMismatch,
	{threadstate.Wait, threadstate.Twice}:          reportWaitTwice,
	{threadstate.Wait, threadstate.Suspended}:      (*Checker).reportActs,
	{threadstate.Waited, threadstate.NoStart}:      (*Checker).reportWaitedWithoutWait,
	{threadstate.Waited, threadstate.OtherObject}:  reportWaitedMismatch,
	{threadstate.Act, threadstate.Suspended}:       (*Checker).reportActs,
}

// reportMisfit returns a function that reports the rule. The format has the thread, %[1]s, and the object, %[2]s.
func reportMisfit(rule *Rule, format string) func(*Checker, *thread) {
	return func(c *Checker, _ *thread) {
		c.report(rule, trace.AttrObjIDRef, func() string {
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
