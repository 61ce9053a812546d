package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var badTime = &Rule{
	ID: trcxml.RuleBadTime, Severity: trace.Error, Layer: Meaning,
	Summary: "a time that is not decimal seconds",
	Explanation: `Times are decimal seconds since the Unix epoch, UTC, up to the year 2262: '1700000000', or
'1700000000.123456789'. An event whose time cannot be read is not used.

Usually the writer formatted the time for people, with a decimal comma, or in milliseconds with an exponent.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time="12:30:00"/>
</TRACE>
`,
}
