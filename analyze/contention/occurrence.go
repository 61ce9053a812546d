package contention

import "github.com/trcx/trcx/trace"

// occurrence is a segment as it waits to be counted.
type occurrence struct {
	length        int64
	monitor       *monitor // nil where there is none
	site          *site    // nil where it is not known
	monitorNumber uint32   // the monitor's, and the site's: here, so that their rows are not touched
	siteNumber    uint32
	caller        *trace.ModelMethod // nil where it is not known
	holder        *trace.ModelMethod // in which the owner was; nil where that is not known
	callerLine    int32
	holderLine    int32
	waiter, owner trace.ThreadKey
	class         uint32 // of the site's monitors, by its number
	kind          Kind   // Waited only without a timeout; those of Timed are added at the end
	open          bool
}

// atMonitor says whether the thread was blocked on a monitor or waited for a notification.
func (o *occurrence) atMonitor() bool {
	return o.kind == Blocked || o.kind == Waited || o.kind == Timed
}

// The rows that it is counted in, with their numbers; see byRow.
func (o *occurrence) inThread() (uint32, trace.ThreadKey) { return uint32(o.waiter), o.waiter }
func (o *occurrence) inMonitor() (uint32, *monitor)       { return o.monitorNumber, o.monitor }
func (o *occurrence) inSite() (uint32, *site)             { return o.siteNumber, o.site }

// heldAt is where an owner was: a place by the number of its method, and the line.
type heldAt struct {
	known  bool
	method uint32
	line   int32
}

// heldAt is where the owner was.
func (c *Collector) heldAt(o *occurrence) heldAt {
	if o.holder == nil || o.holder.Name == "" {
		return heldAt{}
	}
	return heldAt{true, c.methods.number(o.holder), o.holderLine}
}

// place is the place; the zero Place if it is not known.
func (c *Collector) place(at heldAt) Place {
	if !at.known {
		return Place{}
	}
	method := c.methods.callers[at.method]
	return Place{method.Class, method.Method, method.file, max(at.line, 0)}
}
