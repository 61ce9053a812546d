package validate

import "github.com/trcx/trcx/trace"

var attributeMissing = &Rule{
	ID: trace.RuleAttributeMissing, Severity: trace.Error, Layer: Meaning,
	Summary: "a thread or monitor event without thread id or time, or (threadStart, threadEnd, threadInterrupted " +
		"apart) without objIdRef",
	Explanation: `Without the attribute the event means nothing: nobody knows who did it, when, or to what.
The grammar allows it all the same. An empty id is as good as none; the id 0 says that the agent does not know
the object, and is fine.

Usually an option of the agent was off, or the writer spells the attribute in another way.`,
	Example: `<TRACE>
<monWait threadIdRef="7" time="1700000000.100000000" timeout="0"/>
</TRACE>
`,
}
