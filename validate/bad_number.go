package validate

import (
	"fmt"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

var badNumber = &Rule{
	ID: "bad-number", Severity: trace.Error, Layer: Meaning,
	Summary: "ticket, stackDepth, timeout, line numbers or sizes that are not decimal integers",
	Explanation: `These attributes are numbers of 0 or more, in decimal digits. Only a line number can be -1,
which JVMs use for unknown lines. Any other value is not used.

Usually the writer formatted the number for people, with separators or units.`,
	Example: `<TRACE>
<gcFinish time="1700000000.200000000" usedObjects="1500" usedObjSpace="48 kB" totalObjSpace="67108864"/>
</TRACE>
`,
}

// checkNumber checks the number at the position.
func (c *Checker) checkNumber(position int) {
	text, attribute := c.event.At(position), c.event.Kind.Element().Attributes[position]
	if isDecimal(text) || string(text) == "-1" && (attribute.Attr == trace.AttrStartLineNumber ||
		attribute.Attr == trace.AttrEndLineNumber) {
		return
	}
	c.report(badNumber, attribute.Attr, func() string {
		return fmt.Sprintf("the %s %q of %s is not a decimal integer", attribute.Name, sanitize.Clip(text, maxQuoted),
			c.event.Name())
	})
}

// isDecimal reports whether the text is one or more decimal digits.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if c-'0' > 9 {
			return false
		}
	}
	return len(text) > 0
}
