package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdStandalone = &Rule{
	ID: dtd.RuleStandalone, Severity: trace.Error, Layer: Grammar,
	Summary: "standalone=\"yes\" although declarations outside of the document change what it says",
	Explanation: `The XML declaration promises that a parser need not read the external DTD. But that has a
default for an attribute which is left out here, an entity which is used, a type by which a value is
normalised, or it says that white space between elements means nothing.

Write standalone="no", or remove it.`,
	Example: `<?xml version="1.0" standalone="yes"?>
<!DOCTYPE TRACE SYSTEM "trace.dtd">
<TRACE>
<gcStart time="1700000000.100000000"/>
</TRACE>
`,
}
