package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdContent = &Rule{
	ID: dtd.RuleContent, Severity: trace.Error, Layer: Grammar,
	Summary: "children or text that the element's content model does not allow",
	Explanation: `The DTD declares what an element contains: in most elements of a trace nothing, in thread
and monitor events annotations, in 'TRACE' the other elements in any order, and no text.

Usually an end tag, or the slash of an empty element, is missing, or there is text between the elements.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="1700000000.100000000"><annotation name="reason" value="done"/></threadEnd>
</TRACE>
`,
}
