package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

var badStack = &Rule{
	ID: "bad-stack", Severity: trace.Warning, Layer: Meaning,
	Summary: "an annotation named stack whose value is not a list of frames",
	Explanation: `The value lists the calls of the thread, the innermost first, separated by blanks. Each is
the id of a method and, if the line is known, a colon and the line, a decimal integer: 200:17 201:42 202. Any
other value is ignored, and the next annotation of this name, if any, is used.

Usually another program wrote the annotation and means something else by it.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<monWait threadIdRef="7" time="1700000000.200000000" objIdRef="900" timeout="0"><annotation name="stack" value="app.Main.run(Main.java:17), line 17"/></monWait>
</TRACE>
`,
}

// checkStacks checks the stack traces of the current event. The first well-formed one counts.
func (c *Checker) checkStacks(stacks [][]byte) {
	for _, stack := range stacks {
		if trace.IsStack(stack) {
			c.checkFrames(stack)
			return
		}
		c.report(badStack, trace.NoAttr, func() string {
			return fmt.Sprintf("the call stack %q of %s is not a list of frames such as 200:17 201",
				sanitize.Clip(stack, maxQuoted),
				c.event.Name())
		})
	}
}
