package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var threadDead = &Rule{
	ID: "thread-dead", Severity: trace.Error, Layer: Meaning,
	Summary: "an event by a thread after its threadEnd",
	Explanation: `A thread that has ended has no events, until a threadStart uses its id again. Events of
others may name it, as the last known owner of a monitor or as the loader of a class. After the finding the
thread is considered alive.

Usually the agent posts events of different threads out of order, or a threadStart was lost.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<threadEnd threadIdRef="7" time="1700000000.200000000"/>
<callNotify threadId="7" time="1700000000.300000000" objIdRef="12" isNotifyAll="0"/>
</TRACE>
`,
}

// reportDead reports the current event, of a dead thread.
func (c *Checker) reportDead() {
	c.report(threadDead, c.event.Kind.Element().Thread(), func() string {
		return fmt.Sprintf("%s of thread %s, which has had its threadEnd; only a threadStart can use the id again",
			c.event.Name(), c.threadText())
	})
}
