package contention

import "github.com/trcx/trcx/trace"

// occurrence is a segment with the rows that it is to be counted in.
type occurrence struct {
	thread        *thread
	monitor       *monitor // nil where there is none
	site          *site    // nil where it is not known
	length        int64
	kind          Kind // Waited only without a timeout; those of Timed are added at the end
	open          bool
	held          bool // it is known where the owner was: in the method of the number, and the line
	line          int32
	holder        uint32
	waiter, owner trace.ThreadKey
}

// atMonitor says whether the thread was blocked on a monitor or waited for a notification.
func (o *occurrence) atMonitor() bool {
	return o.kind == Blocked || o.kind == Waited || o.kind == Timed
}

// count counts the segment in its rows.
func (c *Collector) count(o *occurrence) {
	o.thread.Times.add(o.kind, o.length, o.open)
	if o.monitor != nil {
		o.monitor.Times.add(o.kind, o.length, o.open)
	}
	if o.site != nil {
		o.site.Times.add(o.kind, o.length, o.open)
	}
	c.countThread(o)
	c.countMonitor(o)
	if o.kind == Blocked {
		c.countOwner(o)
	}
}

// countMonitor counts the monitor where threads were not blocked on it, and did not wait for it, before.
func (c *Collector) countMonitor(o *occurrence) {
	if o.monitor == nil || o.site == nil || !o.monitor.sites.add(o.site.number) {
		return
	}
	o.site.Monitors++
	if c.isNewMethod(o, &o.monitor.sites) {
		c.methods.callers[o.site.key.method].Monitors++
	}
}

// isNewMethod says whether the sites, to which that of the segment was added just now, have no other one of its method.
func (c *Collector) isNewMethod(o *occurrence, sites *members) bool {
	for _, number := range c.methods.callers[o.site.key.method].sites {
		if number != o.site.number && sites.has(number) {
			return false
		}
	}
	return true
}

// countThread counts the thread where it has not been before. Who is new to a method is new to a site in it.
func (c *Collector) countThread(o *occurrence) {
	if o.monitor != nil {
		here, otherwise := &o.thread.blocks, &o.thread.waits
		if o.kind != Blocked {
			here, otherwise = otherwise, here
		}
		if here.add(o.monitor.number) && !otherwise.has(o.monitor.number) {
			o.monitor.Threads++
		}
	}
	if o.site == nil || !o.thread.sites.add(o.site.number) {
		return
	}
	o.site.Threads++
	if o.atMonitor() && c.isNewMethod(o, &o.thread.sites) {
		c.methods.callers[o.site.key.method].Threads++
	}
}

// countOwner counts who held the monitor, and where.
func (c *Collector) countOwner(o *occurrence) {
	if o.monitor != nil && o.owner != 0 {
		c.owners.add(tallyKey{uint64(o.monitor.number), uint64(o.owner)}, o.length, o.heldAt())
		c.pairs.add(tallyKey{uint64(o.waiter), uint64(o.owner)}, o.length, heldAt{})
	}
	if o.site != nil && o.held {
		c.holders.add(tallyKey{uint64(o.site.number), uint64(o.holder)<<32 | uint64(uint32(o.line))}, o.length, o.heldAt())
	}
}

// heldAt is where an owner was: a place by the number of its method, and the line.
type heldAt struct {
	known  bool
	method uint32
	line   int32
}

func (o *occurrence) heldAt() heldAt { return heldAt{o.held, o.holder, o.line} }

// place is the place; the zero Place if it is not known.
func (c *Collector) place(at heldAt) Place {
	if !at.known {
		return Place{}
	}
	method := c.methods.callers[at.method]
	return Place{method.Class, method.Method, method.file, max(at.line, 0)}
}
