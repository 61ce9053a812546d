package contention

import "github.com/trcx/trcx/trace"

// occurrence is a segment with the rows that it is to be counted in.
type occurrence struct {
	thread        *thread
	monitor       *monitor // nil where there is none
	site          *site    // nil where it is not known
	length        int64
	kind          Kind // Waited only without a timeout
	open          bool
	held          bool // it is known where the owner was: in the method of the number, and the line
	line          int32
	holder        uint32
	waiter, owner trace.ThreadRef
}

// atMonitor says whether the thread was blocked on a monitor or waited for a notification.
func (o *occurrence) atMonitor() bool {
	return o.kind == Blocked || o.kind == Waited || o.kind == Timed
}

// batchSize is how many segments are counted at once. Rows lie all over the memory; when one table after the other is gone through, its misses overlap.
const batchSize = 512

// count counts the segments of the batch.
func (c *Collector) count() {
	for i := range c.batch {
		o := &c.batch[i]
		o.thread.Times.add(o.kind, o.length, o.open)
	}
	for i := range c.batch {
		if o := &c.batch[i]; o.monitor != nil {
			o.monitor.Times.add(o.kind, o.length, o.open)
		}
	}
	for i := range c.batch {
		if o := &c.batch[i]; o.site != nil {
			o.site.Times.add(o.kind, o.length, o.open)
		}
	}
	for i := range c.batch {
		c.countDifferent(&c.batch[i])
	}
	c.countOwners()
	c.batch = c.batch[:0]
}

// countDifferent counts the thread where it has not been before, and the monitor where it was not contended before. Who is new to a method is new to a
// site in it.
func (c *Collector) countDifferent(o *occurrence) {
	if o.monitor != nil && o.thread.monitors.add(o.monitor.number) {
		o.monitor.Threads++
	}
	if o.site == nil {
		return
	}
	caller := c.methods.callers[o.site.key.method]
	if o.thread.sites.add(o.site.number) {
		o.site.Threads++
		if o.atMonitor() && o.thread.methods.add(o.site.key.method) {
			caller.Threads++
		}
	}
	if o.monitor != nil && o.monitor.sites.add(o.site.number) {
		o.site.Monitors++
		if o.monitor.methods.add(o.site.key.method) {
			caller.Monitors++
		}
	}
}

// countOwners counts who held the monitors, and where.
func (c *Collector) countOwners() {
	for i := range c.batch {
		if o := &c.batch[i]; o.hasOwner() {
			c.owners.add(tallyKey{o.monitor.number, uint64(o.owner.Key)}, o.length, func() trace.ThreadRef { return o.owner })
		}
	}
	for i := range c.batch {
		if o := &c.batch[i]; o.hasOwner() {
			c.pairs.add(tallyKey{uint32(o.waiter.Key), uint64(o.owner.Key)}, o.length, func() [2]trace.ThreadRef { return [2]trace.ThreadRef{o.waiter, o.owner} })
		}
	}
	for i := range c.batch {
		if o := &c.batch[i]; o.kind == Blocked && o.held && o.site != nil {
			c.holders.add(tallyKey{o.site.number, uint64(o.holder)<<32 | uint64(uint32(o.line))}, o.length, func() Place {
				method := &c.methods.callers[o.holder].Caller
				return Place{method.Class, method.Method, max(o.line, 0)}
			})
		}
	}
}

// hasOwner says whether it is known who held the monitor that the thread was blocked on.
func (o *occurrence) hasOwner() bool {
	return o.kind == Blocked && o.monitor != nil && o.owner.Key != 0
}
