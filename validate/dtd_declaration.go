package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdDeclaration = &Rule{
	ID: dtd.RuleDeclaration, Severity: trace.Error, Layer: Grammar,
	Summary: "the DTD itself breaks a rule, such as an element declared twice",
	Explanation: `The declarations are well-formed, but contradict each other or XML: an element declared
twice, two ID attributes at one element, a notation that is not declared, a default that is not of the
attribute's type, a declaration that begins in one entity and ends in another.

Correct the DTD. Documents are judged by the first of two declarations.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ELEMENT TRACE ANY>
]>
<TRACE/>
`,
}
