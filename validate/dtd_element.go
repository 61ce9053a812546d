package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdElement = &Rule{
	ID: dtd.RuleElement, Severity: trace.Error, Layer: Grammar,
	Summary: "an element that the grammar does not declare",
	Explanation: `The DTD has no such element. A reader of traces keeps it and goes on; a validating XML
parser rejects the document.

Usually the name is misspelled (names are case-sensitive), or an agent has added an element of its own. Give that to the grammar with
--dtd, or switch the rule off with --rules -dtd-element.`,
	Example: `<TRACE>
<monWaiting threadIdRef="7" time="1700000000.100000000"/>
</TRACE>
`,
}
