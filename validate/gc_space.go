package validate

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/trace"
)

var gcSpace = &Rule{
	ID: "gc-space", Severity: trace.Error, Layer: Meaning,
	Summary: "usedObjSpace is above totalObjSpace",
	Explanation: `The bytes of the objects that are left after a collection are a part of the bytes of the
heap.

Usually the writer confused the two attributes, or their units.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
<gcFinish time="1700000000.200000000" usedObjSpace="65536" totalObjSpace="1024"/>
</TRACE>
`,
}

// checkSpace checks the sizes of a gcFinish.
func (c *Checker) checkSpace(e *trace.Event) {
	used, err := strconv.ParseUint(string(e.Value(trace.AttrUsedObjSpace)), 10, 64)
	total, err2 := strconv.ParseUint(string(e.Value(trace.AttrTotalObjSpace)), 10, 64)
	if err == nil && err2 == nil && used > total {
		c.report(gcSpace, trace.AttrUsedObjSpace, func() string {
			return fmt.Sprintf("%d bytes are used of a heap of %d", used, total)
		})
	}
}
