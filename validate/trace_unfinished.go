package validate

import "github.com/trcx/trcx/trace"

var traceUnfinished = &Rule{
	ID: "trace-unfinished", Severity: trace.Warning, Layer: Meaning,
	Summary: "no </TRACE>, or no traceEnd, agentDestroy or runtimeShutdown before it",
	Explanation: `Nothing says that the recording is complete: it may go on, or have lost its end. Elements without a 'TRACE' around them need no
'</TRACE>'.

Usually a Workbench saved the file: it writes none of these. Otherwise the recording program was killed, or still records.`,
	Example: `<TRACE>
<gcStart time="1700000000.100000000"/>
</TRACE>
`,
}

// root notes that there is a TRACE, which has to be closed.
func (c *Checker) root(*trace.Event, *thread) { c.rooted = true }

// finish notes that the trace says that it ends.
func (c *Checker) finish(*trace.Event, *thread) { c.finished = true }

// checkFinished reports a trace that does not say that it ends.
func (c *Checker) checkFinished(ending trace.Ending) {
	var missing string
	switch closed := ending.Closed || !c.rooted; {
	case closed && c.finished, !c.met: // what is no trace need not end like one
		return
	case closed:
		missing = "neither traceEnd nor agentDestroy nor runtimeShutdown"
	case c.finished:
		missing = "no </TRACE>"
	default:
		missing = "no </TRACE>, and neither traceEnd nor agentDestroy nor runtimeShutdown"
	}
	c.findings.Add(trace.Finding{
		Rule: traceUnfinished.ID, Severity: traceUnfinished.Severity, Place: ending.Place,
		Message: "the trace has " + missing + ": it may have lost its end",
	})
}
