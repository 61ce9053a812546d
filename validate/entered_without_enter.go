package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var enteredWithoutEnter = &Rule{
	ID: "entered-without-enter", Severity: trace.Error, Layer: Meaning,
	Summary: "monContendedEntered without an open monContendedEnter; a warning for a thread's first monitor event " +
		"in the trace",
	Explanation: `Only a thread that is blocked on a monitor can enter it with this event. There are two
exceptions. The thread's first monitor event in the trace is only a warning: recording may have begun while it
was blocked. Right after a monWaited of the same monitor the event is valid: on JDK 25 a virtual thread that
returns from a wait and queues for the monitor again posts only this one.

Usually the monContendedEnter was lost, or the event has the id of another thread.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monContendedEnter threadIdRef="7" time="1700000000.200000000" objIdRef="50"/>
<monContendedEntered threadIdRef="7" time="1700000000.300000000" objIdRef="50"/>
<monContendedEntered threadIdRef="7" time="1700000000.400000000" objIdRef="50"/>
</TRACE>
`,
}

// reportEnteredWithoutEnter reports the current monContendedEntered, of a thread that is not blocked.
func (c *Checker) reportEnteredWithoutEnter(t *thread) {
	c.reportAs(unlessFirst(t), enteredWithoutEnter, trace.AttrThreadIDRef, func() string {
		return fmt.Sprintf("thread %s is not blocked: a monContendedEnter of object %s has to come first",
			c.threadText(),
			c.text(trace.AttrObjIDRef))
	})
}

// unlessFirst returns the severity for a monitor event that ends a wait or block whose begin is not in the trace.
func unlessFirst(t *thread) trace.Severity {
	if !t.monitored {
		return trace.Warning
	}
	return trace.Error
}
