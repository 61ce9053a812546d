package validate

import "github.com/trcx/trcx/trace"

var gcUnpaired = &Rule{
	ID: "gc-unpaired", Severity: trace.Warning, Layer: Meaning,
	Summary: "a gcFinish without an open gcStart, or a gcStart without a gcFinish up to the end of a complete trace",
	Explanation: `Collections begin with a gcStart and end with a gcFinish; one can be inside another. How
long the JVM was stopped is unknown then, and so is what lived after the collection.

Usually recording began or ended during a collection, or an event was lost.`,
	Example: `<TRACE>
<gcFinish time="1700000000.100000000" usedObjSpace="1024" totalObjSpace="65536"/>
</TRACE>
`,
}

// maxOpenCollections limits the collections whose begins are kept.
const maxOpenCollections = 64

// gcStart begins a collection. Its finding is made now, as an event's place is known only while it is current.
func (c *Checker) gcStart(e *trace.Event, _ *thread) {
	if len(c.collections) >= maxOpenCollections || !e.Timed() {
		return
	}
	f := trace.Finding{Rule: gcUnpaired.ID, Severity: gcUnpaired.Severity, Element: e.Name(),
		Place: trace.Place{Offset: e.Offset}, Message: "no gcFinish ends this collection"}
	if e.Source != nil {
		place, tag := e.Source.Locate(e)
		f.Place, f.Quote = place, NewQuote(tag)
	}
	c.collections = append(c.collections, f)
}

// gcFinish ends the collection that began last.
func (c *Checker) gcFinish(e *trace.Event, _ *thread) {
	if last := len(c.collections) - 1; last >= 0 {
		c.collections = c.collections[:last]
	} else if e.Timed() {
		c.report(gcUnpaired, trace.AttrTime, func() string { return "no gcStart begins this collection" })
	}
	c.checkSpace(e)
}

// checkCollections reports the collections that are open at the end of a trace that is complete.
func (c *Checker) checkCollections() {
	if !c.document.finished || c.Logs {
		return
	}
	for _, f := range c.collections {
		c.findings.Add(f)
	}
}
