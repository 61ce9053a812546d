package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var attributeMissing = &Rule{
	ID: trcxml.RuleAttributeMissing, Severity: trace.Error, Layer: Meaning,
	Summary: "a thread or monitor event without thread id or time, or (threadStart, threadEnd, threadInterrupted " +
		"apart) without objIdRef",
	Explanation: `Without the attribute the thread, the time or the object of the event is unknown, so nothing
follows from it. The grammar allows this. An empty id counts as a missing one. The id 0 means that the agent
does not know the object, and is valid.

Usually an option of the agent was off, or the writer spells the attribute differently.`,
	Example: `<TRACE>
<monWait threadIdRef="7" time="1700000000.100000000" timeout="0"/>
</TRACE>
`,
}
