package validate

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

var classUndefined = &Rule{
	ID: "class-undefined", Severity: trace.Warning, Layer: Meaning,
	Summary: "a reference to a class id with no classDef before it, or after its classUnload; reported once for an id",
	Explanation: `The class then has no name. The ids 0 and -1 name no class.

Usually recording began in the middle, or the classDef was lost. Agents send a classDef before the first
element that needs it.`,
	Example: `<TRACE>
<objAlloc objId="50" classIdRef="100" time="1700000000.100000000"/>
</TRACE>
`,
}

// undefinedWords returns the message about an undefined id.
func undefinedWords(in space, text, element string) string {
	return fmt.Sprintf("%s %s of %s is not defined: %s", in, text, element, definers[in])
}

// definers has, for each space, the elements that define and end its ids.
var definers = [spaces]string{
	classSpace:  "no classDef comes before, or its classUnload does",
	methodSpace: "no methodDef comes before, or the classUnload of its class does",
	objectSpace: "no objAlloc, objDef or objMove comes before, or its objFree does",
}

// String returns what an id of the space names.
func (s space) String() string {
	return [spaces]string{classSpace: "class", methodSpace: "method", objectSpace: "object"}[s]
}

// classUnload ends a class, with its methods.
func (c *Checker) classUnload(_ *trace.Event, _ *thread) {
	for _, method := range c.members.remove(c.ids[classSpace]) {
		c.known[methodSpace].defined.remove(method)
	}
}
