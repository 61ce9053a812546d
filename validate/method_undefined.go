package validate

import (
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var methodUndefined = &Rule{
	ID: "method-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "a reference to a method id, in a call stack too, with no methodDef before it, or after the " +
		"classUnload of its class; reported once for an id",
	Explanation: `The method then has no name and no signature.

Usually recording began in the middle, or the methodDef was lost; in some real traces the exits that follow an
exception name methods that were never defined. Agents send a methodDef before the first element that needs
it.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<classDef name="app/Main" sourceName="Main.java" classId="100" time="1700000000.100000000"/>
<methodEntry threadIdRef="7" time="1700000000.200000000" methodIdRef="200" classIdRef="100" ticket="1" stackDepth="1"/>
</TRACE>
`,
}

// checkFrames reports the undefined methods in a stack trace of the current event. The reader of a log makes its
// definitions and reports unknown methods itself.
func (c *Checker) checkFrames(stack []byte) {
	if c.Logs {
		return
	}
	for method := range trace.Frames(stack) {
		if i := threadstate.KeyOf(method); !c.known[methodSpace].defined.has(i) && c.lacks(methodSpace, i) {
			c.report(methodUndefined, trace.NoAttr, func() string {
				return undefinedWords(methodSpace, sanitize.Clip(method, maxQuoted), "the call stack of "+
					c.event.Name())
			})
		}
	}
}

// methodDef adds a method to its class.
func (c *Checker) methodDef(e *trace.Event, _ *thread) {
	class, method := c.ids[classSpace], threadstate.KeyOf(e.Value(trace.AttrMethodID))
	if c.fresh && method.Names() && class.Names() {
		c.members.add(class, method)
	}
}
