package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var unreadEntity = &Rule{
	ID: trcxml.RuleUnreadEntity, Severity: trace.Warning, Layer: Syntax,
	Summary: "a reference to an entity that is declared outside of the input, and not read; it is left out",
	Explanation: `The document's DOCTYPE names an external DTD, and a reference such as '&host;' can only be
declared there. Nothing external is fetched, so the reference is replaced by nothing.

Write the text itself instead of the reference, declare the entity in the document, or open the folder in which
the DTD lies with --allow-external.`,
	Example: `<!DOCTYPE TRACE SYSTEM "site.dtd">
<TRACE>
<node nodeId="n1" hostname="&host;" time="1700000000.000000000"/>
</TRACE>
`,
}
