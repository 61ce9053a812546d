package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var stackUnbalanced = &Rule{
	ID: "stack-unbalanced", Severity: trace.Warning, Layer: Meaning,
	Summary: "methodExit that matches no open methodEntry of its thread (ticket, method)",
	Explanation: `A methodExit leaves a method that its thread has entered: both have the same ticket and the
same method. Calls above it have ended, too: an exception ends several at once, and agents do not report each.
Calls may be open when the trace ends. An agMethodExit ends an agMethodEntry of its thread and method likewise.

Usually recording began in the middle, when methods were open already; real agents also write some exits with
a wrong method after an exception.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<classDef name="app/Main" sourceName="Main.java" classId="100" time="1700000000.100000000"/>
<methodDef name="run" signature="()V" methodId="200" classIdRef="100"/>
<methodEntry threadIdRef="7" time="1700000000.200000000" methodIdRef="200" classIdRef="100" ticket="1" stackDepth="1"/>
<methodExit threadIdRef="7" methodIdRef="200" classIdRef="100" ticket="2" time="1700000000.300000000"/>
</TRACE>
`,
}

// reportUnbalanced reports the current methodExit.
func (c *Checker) reportUnbalanced(t *thread) {
	attribute := trace.AttrTicket
	if c.event.Kind == trace.AgMethodExit {
		attribute = trace.AttrMethodIDRef
	}
	c.report(stackUnbalanced, attribute, func() string {
		if t.calls.Len() == 0 {
			return fmt.Sprintf("thread %s has entered no method that it could leave", c.threadText())
		}
		if c.event.Kind == trace.AgMethodExit {
			return fmt.Sprintf("thread %s has no agMethodEntry of method %s that it could end", c.threadText(),
				c.text(trace.AttrMethodIDRef))
		}
		return fmt.Sprintf("thread %s has entered no method %s with ticket %s that it could leave", c.threadText(),
			c.text(trace.AttrMethodIDRef), c.text(trace.AttrTicket))
	})
}
