package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var waitedWithoutWait = &Rule{
	ID: "waited-without-wait", Severity: trace.Error, Layer: Meaning,
	Summary: "monWaited without an open monWait; a warning for a thread's first monitor event in the trace",
	Explanation: `Only a wait that has begun can end. The thread's first monitor event in the trace is only a
warning: recording may have begun while it waited. A monWaited after the threadInterrupted that ended the wait
is valid.

Usually the monWait was lost, or the event has the id of another thread.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" time="1700000000.300000000" objIdRef="50" isTimedOut="0"/>
<monWaited threadIdRef="7" time="1700000000.400000000" objIdRef="50" isTimedOut="0"/>
</TRACE>
`,
}

// reportWaitedWithoutWait reports the current monWaited, of a thread that does not wait.
func (c *Checker) reportWaitedWithoutWait(t *thread) {
	c.reportAs(unlessFirst(t), waitedWithoutWait, trace.AttrThreadIDRef, func() string {
		return fmt.Sprintf("thread %s does not wait: a monWait of object %s has to come first", c.threadText(),
			c.text(trace.AttrObjIDRef))
	})
}
