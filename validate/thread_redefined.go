package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var threadRedefined = &Rule{
	ID: "thread-redefined", Severity: trace.Error, Layer: Meaning,
	Summary: "threadStart for a thread that is alive",
	Explanation: `An id names one thread from its threadStart to its threadEnd. After that it may be used
again. A thread that has had events but no threadStart may get one later.

Usually the agent lists the live threads when it begins and then reports their starts, too, or a threadEnd was
lost, or two recordings were joined into one.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<threadStart threadId="7" time="1700000000.200000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
</TRACE>
`,
}

// reportRedefined reports the current threadStart.
func (c *Checker) reportRedefined() {
	c.report(threadRedefined, trace.AttrThreadID, func() string {
		return fmt.Sprintf("thread %s was started before and has not ended; its threadEnd has to come first",
			c.threadText())
	})
}
