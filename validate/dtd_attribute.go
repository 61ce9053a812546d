package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdAttribute = &Rule{
	ID: dtd.RuleAttribute, Severity: trace.Error, Layer: Grammar,
	Summary: "an attribute that the grammar does not declare for its element; a warning for elements whose " +
		"attribute lists are not established",
	Explanation: `The DTD has no such attribute at this element. For some elements of the trace format no
public document lists all attributes; there this is a warning.

Usually the name is misspelled, or an attribute of another element was used. A call* element names its thread
'threadId', all others 'threadIdRef': the other spelling is understood, but reported by this rule.`,
	Example: `<TRACE>
<callStart threadIdRef="1" time="1700000000.100000000" objIdRef="11"/>
</TRACE>
`,
}
