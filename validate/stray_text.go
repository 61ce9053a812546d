package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var strayText = &Rule{
	ID: trcxml.RuleStrayText, Severity: trace.Warning, Layer: Meaning,
	Summary: "text between the elements, which is left out; reported once",
	Explanation: `Only white space is allowed between the elements of a trace. Only the first such text is
reported.

Usually a program printed into the same file. If it printed in the middle of an element, xml-syntax finds
that.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
Heap is low
<gcFinish time="1700000000.200000000"/>
</TRACE>
`,
}
