package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdEntity = &Rule{
	ID: dtd.RuleEntity, Severity: trace.Error, Layer: Grammar,
	Summary: "a reference to an entity or notation that no declaration declares, or an unparsed entity that is misused",
	Explanation: `The value of an ENTITY, ENTITIES or NOTATION attribute names nothing that the DTD
declares, or a reference in the text has no declaration that a validating parser could find.

Usually the declaration was left out of the DTD or comes too late, or the name is misspelled.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE EMPTY>
<!ATTLIST TRACE picture ENTITY #IMPLIED>
]>
<TRACE picture="logo"/>
`,
}
