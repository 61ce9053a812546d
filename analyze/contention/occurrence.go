package contention

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

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

// batchSize is how many segments are counted at once. The rows of a long trace lie all over the memory, and to reach one costs more than to count; so
// for each table the batch is gone through in the order of its rows.
const batchSize = 1 << 13

// count counts the segments of the batch.
func (c *Collector) count() {
	for o := range c.inOrder(func(o *occurrence) (row uint64, there bool) { return uint64(o.thread.key), true }) {
		o.thread.Times.add(o.kind, o.length, o.open)
		c.countThread(o)
	}
	for o := range c.inOrder(func(o *occurrence) (row uint64, there bool) { return o.monitorNumber(), o.monitor != nil }) {
		o.monitor.Times.add(o.kind, o.length, o.open)
		if o.site != nil && o.monitor.sites.add(o.site.number) {
			o.site.Monitors++
			if c.isNewMethod(o, &o.monitor.sites) {
				c.methods.callers[o.site.key.method].Monitors++
			}
		}
	}
	for o := range c.inOrder(func(o *occurrence) (row uint64, there bool) { return o.siteNumber(), o.site != nil }) {
		o.site.Times.add(o.kind, o.length, o.open)
	}
	for i := range c.batch {
		c.countOwner(&c.batch[i])
	}
	c.owners.settle()
	c.pairs.settle()
	c.holders.settle()
	c.batch = c.batch[:0]
}

// inOrder gives the segments of the batch that have a row, in the order of the rows' numbers; those of a row in the order in which they came.
func (c *Collector) inOrder(row func(*occurrence) (number uint64, there bool)) func(func(*occurrence) bool) {
	c.order = c.order[:0]
	for i := range c.batch {
		if number, there := row(&c.batch[i]); there {
			c.order = append(c.order, number*batchSize+uint64(i))
		}
	}
	slices.Sort(c.order)
	return func(yield func(*occurrence) bool) {
		for _, placed := range c.order {
			if !yield(&c.batch[placed%batchSize]) {
				return
			}
		}
	}
}

func (o *occurrence) monitorNumber() uint64 {
	if o.monitor == nil {
		return 0
	}
	return uint64(o.monitor.number)
}

func (o *occurrence) siteNumber() uint64 {
	if o.site == nil {
		return 0
	}
	return uint64(o.site.number)
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
	if o.kind != Blocked {
		return
	}
	if o.monitor != nil && o.owner.Key != 0 {
		c.owners.add(tallyKey{o.monitor.number, uint64(o.owner.Key)}, o.length, ownerAt{o.owner, o.heldAt()})
		c.pairs.add(tallyKey{uint32(o.waiter.Key), uint64(o.owner.Key)}, o.length, [2]trace.ThreadRef{o.waiter, o.owner})
	}
	if o.site != nil && o.held {
		c.holders.add(tallyKey{o.site.number, uint64(o.holder)<<32 | uint64(uint32(o.line))}, o.length, o.heldAt())
	}
}

// heldAt is where an owner was: a place by the number of its method, and the line.
type heldAt struct {
	known  bool
	method uint32
	line   int32
}

// ownerAt is an owner, and where it was.
type ownerAt struct {
	thread trace.ThreadRef
	at     heldAt
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
