package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var nestedTrace = &Rule{
	ID: trcxml.RuleNestedTrace, Severity: trace.Error, Layer: Meaning,
	Summary: "a TRACE inside of TRACE; its elements are read as the outer one's",
	Explanation: `Ids are unique within a recording only, so two recordings in one document cannot be told
apart: threads of the inner one count as the outer one's.

Usually two traces were joined, and '</TRACE>' of the first was missing. Keep each in a file of its own, or in
an entry of a zip.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
<TRACE>
<gcFinish time="1700000000.200000000"/>
</TRACE>
</TRACE>
`,
}
