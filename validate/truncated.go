package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var truncated = &Rule{
	ID: trcxml.RuleTruncated, Severity: trace.Error, Layer: Syntax,
	Summary: "the input ends inside a tag or an open element; everything complete before the cut is used",
	Explanation: `The last element is not complete, so the end of the recording is lost. If only '</TRACE>' is
missing, as in files that a Workbench saved, the rule is trace-unfinished.

Usually the recording program was killed, the disk was full, or the copy was interrupted. This rule cannot be
switched off.`,
	Example: `<TRACE>
<threadStart threadId="7" time="1700000000.100000000" threadName="ma
`,
}
