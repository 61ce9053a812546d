package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var xmlSyntax = &Rule{
	ID: trcxml.RuleSyntax, Severity: trace.Error, Layer: Syntax,
	Summary: "the input is not well-formed XML; reading goes on at the next element where that is safe",
	Explanation: `The text breaks a rule of XML 1.0: a value without quotes, an end tag without its start tag,
a character that XML does not allow, a name twice in one tag. Its meaning is then uncertain, so the element at
this place is not used.

Usually the writer does not escape values (& is '&amp;' in XML, < is '&lt;'), two programs wrote into one file
at the same time, or the file was edited by hand. Correct the program that writes it. This rule cannot be
switched off.`,
	Example: `<TRACE>
<threadEnd threadIdRef="7" time=1700000000.100000000/>
</TRACE>
`,
}
