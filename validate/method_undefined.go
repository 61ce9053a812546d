package validate

import (
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

var methodUndefined = &Rule{
	ID: "method-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "a reference to a method id, in a call stack too, with no methodDef before it, or after the " +
		"classUnload of its class; said once for an id",
	Explanation: `The method has no name then, nor a signature.

Usually recording began in the middle, or the methodDef was lost; also the exits that follow an exception name methods that were never
defined, in some real traces. Agents send a methodDef before the first element that needs it.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="main" groupName="main" parentName="system" objIdRef="11"/>
<classDef name="app/Main" sourceName="Main.java" classId="100" time="1700000000.100000000"/>
<methodEntry threadIdRef="7" time="1700000000.200000000" methodIdRef="200" classIdRef="100" ticket="1" stackDepth="1"/>
</TRACE>
`,
}

// checkFrames looks for methods in the call stack of the element at hand that nothing has defined. A log has no
// definitions, but what its reader makes of all that it knows of methods: it says itself what it does not know.
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

// methodDef lists a method with its class.
func (c *Checker) methodDef(e *trace.Event, _ *thread) {
	class, method := c.ids[classSpace], threadstate.KeyOf(e.Value(trace.AttrMethodID))
	if !c.fresh || !method.Names() || !class.Names() || c.listed >= mostListed {
		return
	}
	if c.methods == nil {
		c.methods = map[threadstate.Key][]threadstate.Key{}
	}
	c.methods[class] = append(c.methods[class], method)
	c.listed++
}
