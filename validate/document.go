package validate

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/trcx/trcx/trace"
)

var (
	preambleMissing = ruleOf("preamble-missing")
	traceUnfinished = ruleOf("trace-unfinished")
)

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

// root notes a TRACE, which must be closed.
func (c *Checker) root(*trace.Event, *thread) { c.document.rooted = true }

// finish notes an event that ends the trace.
func (c *Checker) finish(*trace.Event, *thread) { c.document.finished = true }

// checkFinished reports a trace without such an event or without its end tag.
func (c *Checker) checkFinished(ending trace.Ending) {
	var missing string
	switch closed := ending.Closed || !c.document.rooted; {
	case closed && c.document.finished, !c.document.met: // a document that is not a trace does not end like one
		return
	case closed:
		missing = "neither traceEnd nor agentDestroy nor runtimeShutdown"
	case c.document.finished:
		missing = "no </TRACE>"
	default:
		missing = "no </TRACE>, and neither traceEnd nor agentDestroy nor runtimeShutdown"
	}
	c.findings.Add(trace.Finding{
		Rule: traceUnfinished.ID, Severity: traceUnfinished.Severity, Place: ending.Place,
		Message: "the trace has " + missing + ": it may have lost its end",
	})
}
