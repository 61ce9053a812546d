package validate

import (
	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

var dtdValue = &Rule{
	ID: dtd.RuleValue, Severity: trace.Error, Layer: Grammar,
	Summary: "a value that is outside of the attribute's type, enumeration or #FIXED default",
	Explanation: `The DTD says what the value can be; a validating XML parser rejects any other.

In traces this concerns 'isTimedOut' and 'isNotifyAll', which are 1 or 0; 'true' and 'false' are understood, and
reported here. With other DTDs also ids that are no names or occur twice, references to ids that do not exist,
and the like.`,
	Example: `<TRACE>
<callNotify threadId="1" time="1700000000.100000000" objIdRef="11" isNotifyAll="true"/>
</TRACE>
`,
}
