package validate

import (
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/trace"
)

var contentTooLarge = &Rule{
	ID: trcxml.RuleTooLarge, Severity: trace.Error, Layer: Input,
	Summary: "an element has more than 8 MiB inside, which are left out",
	Explanation: `The content of an element, such as the annotations of an event, is kept in memory until the
element ends, and therefore limited. The element itself was read; its content was not.

No known agent writes so much. Usually an end tag is missing, so that a large part of the trace becomes the
content of one element.`,
}
