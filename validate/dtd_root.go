package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdRoot = &Rule{
	ID: dtd.RuleRoot, Severity: trace.Error, Layer: Grammar,
	Summary: "the root element is not the one that the DOCTYPE names, or that the grammar begins with",
	Explanation: `The root element is where a grammar begins. The root of a trace is 'TRACE'.

Usually the document is a part of another one, or is to be judged by another grammar: see --dtd.`,
	Example: `<!DOCTYPE TRACE>
<node nodeId="n1" hostname="build-7" time="1700000000.000000000"/>
`,
}
