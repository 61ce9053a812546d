package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var threadUndefined = &Rule{
	ID: "thread-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "a thread id that no threadStart has defined; reported once for an id",
	Explanation: `The thread then has no name, and its start is unknown. Its events are checked like those of
any other thread.

Usually recording began when the thread was already running, or thread events were switched off in the agent.
In a trace that has threadStart elements for all others, the id may be wrong.`,
	Example: `<TRACE>
<monWait threadIdRef="7" time="1700000000.100000000" objIdRef="-1" timeout="5"/>
</TRACE>
`,
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
