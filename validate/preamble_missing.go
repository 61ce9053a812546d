package validate

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/trcx/trcx/trace"
)

var preambleMissing = &Rule{
	ID: "preamble-missing", Severity: trace.Warning, Layer: Meaning,
	Summary: "events before node, processCreate, agentCreate and traceStart; reported once",
	Explanation: `A trace begins with the machine, the process, the agent and the beginning of the recording,
in this order. trcx does not need them; TPTP loads nothing without them. 'trcx convert' to trcxml puts
placeholders where they are missing.

Usually the file is the rest of a longer one, or was put together by hand.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
</TRACE>
`,
}

// preamble has bit k set for each kind k that must have an element before all events.
const preamble = 1<<trace.Node | 1<<trace.ProcessCreate | 1<<trace.AgentCreate | 1<<trace.TraceStart

// checkPreamble reports the first event if the preamble is not complete.
func (c *Checker) checkPreamble(p *kindChecks) {
	if !p.event {
		c.document.lacking &^= 1 << c.event.Kind
		return
	}
	lacking := c.document.lacking
	c.document.lacking = 0
	c.report(preambleMissing, trace.NoAttr, func() string {
		var names []string
		for ; lacking != 0; lacking &= lacking - 1 {
			names = append(names, trace.Kind(bits.TrailingZeros32(lacking)).String())
		}
		return fmt.Sprintf("%s comes before %s, without which TPTP does not load the trace", c.event.Name(),
			strings.Join(names, ", "))
	})
}
