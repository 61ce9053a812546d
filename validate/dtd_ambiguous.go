package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdAmbiguous = &Rule{
	ID: dtd.RuleAmbiguous, Severity: trace.Warning, Layer: Grammar,
	Summary: "a content model that is not deterministic: it can match in more than one way; it is matched correctly " +
		"all the same",
	Explanation: `XML requires content models in which each child can be matched without looking ahead. Some
parsers reject other models, or match them wrongly; trcx matches them correctly. The model of 'TRACE' that was
published in 2004 is one of them.

Rewrite the model so that the next child decides how it is matched, such as '(node, (filter | option))'
instead of the one below.`,
	Example: `<!DOCTYPE TRACE [
<!ELEMENT TRACE ((node, filter) | (node, option))>
<!ELEMENT node EMPTY>
<!ELEMENT filter EMPTY>
<!ELEMENT option EMPTY>
]>
<TRACE><node/><option/></TRACE>
`,
}
