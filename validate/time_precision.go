package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var timePrecision = &Rule{
	ID: trcxml.RuleTimePrecision, Severity: trace.Warning, Layer: Meaning,
	Summary: "a time that has more than nine decimals; those beyond nanoseconds are dropped",
	Explanation: `Times are kept exactly, as nanoseconds. What comes after the ninth decimal is dropped, not
rounded.

No agent writes more decimals; usually a program has printed a floating-point number, whose last digits mean
nothing.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="1700000000.1234567890123"/>
</TRACE>
`,
}
