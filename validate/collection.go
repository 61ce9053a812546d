package validate

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/trace"
)

var (
	gcUnpaired = ruleOf("gc-unpaired")
	gcSpace    = ruleOf("gc-space")
)

// maxOpenCollections limits the collections whose begins are kept.
const maxOpenCollections = 64

// gcStart begins a collection. Its finding is made now, as an event's place is known only while it is current.
func (c *Checker) gcStart(e *trace.Event, _ *thread) {
	if len(c.collections) >= maxOpenCollections || !e.Timed() {
		return
	}
	f := locatedFinding(gcUnpaired, e, trace.NoAttr)
	f.Message = "no gcFinish ends this collection"
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
