package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var blockedThreadActs = &Rule{
	ID: "blocked-thread-acts", Severity: trace.Error, Layer: Meaning,
	Summary: "a thread that is blocked or waiting does something else than leave that state, be interrupted or end",
	Explanation: `Between monContendedEnter and monContendedEntered, and between monWait and monWaited, a
thread does not run: it calls no methods, allocates nothing, notifies nobody. Events of other threads may name
it, and a classDef, which is about the past, may come. After the finding the state of the thread is unknown
until its next monitor event.

Usually the event that ends the wait or lets the thread in was lost, or events of two threads have the same
id.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="50" timeout="0"/>
<callNotify threadId="7" time="1700000000.300000000" objIdRef="51" isNotifyAll="0"/>
</TRACE>
`,
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
