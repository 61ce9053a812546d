package contention

import "github.com/trcx/trcx/trace"

// occurrence is a segment as it waits to be counted.
type occurrence struct {
	length        int64
	monitor       *monitor // nil where there is none
	site          *site    // nil where it is not known
	monitorNumber uint32
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

// The numbers of the rows that it is counted in; ok is false where there is none.
func (o *occurrence) inThread() (number uint32, ok bool)  { return uint32(o.waiter), true }
func (o *occurrence) inMonitor() (number uint32, ok bool) { return o.monitorNumber, o.monitor != nil }
func (o *occurrence) inSite() (number uint32, ok bool)    { return o.siteNumber, o.site != nil }

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
