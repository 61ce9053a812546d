package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdRequired = &Rule{
	ID: dtd.RuleRequired, Severity: trace.Error, Layer: Grammar,
	Summary: "an attribute that the grammar requires (#REQUIRED) is missing",
	Explanation: `The DTD declares the attribute as #REQUIRED: a validating XML parser rejects the element
without it.

The grammar of the trace format requires none, so this is found only with another DTD. The rule
attribute-missing reports attributes that an event needs.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ATTLIST TRACE version CDATA #REQUIRED>
]>
<TRACE/>
`,
}
