package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var timedOutUntimed = &Rule{
	ID: "timed-out-untimed", Severity: trace.Error, Layer: Meaning,
	Summary: "isTimedOut=\"1\" on a wait whose timeout is 0",
	Explanation: `The timeout 0 means for ever: such a wait ends by a notification or an interrupt. A sleep
of 0 milliseconds is no such wait, and not reported.

Usually the agent has lost the timeout, which is an attribute of the monWait, or computes isTimedOut from times.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="0"/>
<monWaited threadIdRef="7" time="1700000000.300000000" objIdRef="50" timeout="100" isTimedOut="1"/>
</TRACE>
`,
}

// checkUntimed reports a time-out of a wait without a timeout.
func (c *Checker) checkUntimed() {
	c.report(timedOutUntimed, trace.AttrIsTimedOut, func() string {
		return fmt.Sprintf("the wait of thread %s had the timeout 0, which is for ever, and cannot have timed out",
			c.threadText())
	})
}
