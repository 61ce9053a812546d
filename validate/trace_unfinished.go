package validate

import "github.com/trcx/trcx/trace"

var traceUnfinished = &Rule{
	ID: "trace-unfinished", Severity: trace.Warning, Layer: Meaning,
	Summary: "no </TRACE>, or no traceEnd, agentDestroy or runtimeShutdown before it",
	Explanation: `Nothing says that the recording is complete: it may go on, or have lost its end. Elements
without a 'TRACE' around them need no '</TRACE>'.

Usually a Workbench saved the file: it writes none of these. Otherwise the recording program was killed, or
still records.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
</TRACE>
`,
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
