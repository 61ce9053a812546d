package contention

import (
	"iter"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Intervals are counted in batches, table by table and row by row: each of them touches a dozen rows, which the others
// would displace from the processor's caches. In traces of many threads this saves a third of the time.

// batchSize is the number of intervals in a batch.
const batchSize = 1 << 13

// interval is an interval that is to be counted.
type interval struct {
	kind          Kind
	part          Kind // Parked or IO, if these include the interval
	open          bool
	length        int64 // nanoseconds
	thread, owner trace.ThreadKey
	held          trace.Frame // of the owner; zero if unknown
	monitor       *monitor    // nil if there is none
	site          *site       // nil if unknown
	// The numbers of monitor and site are copied, so that sorting does not touch their rows.
	monitorNumber trace.ObjectKey
	siteNumber    uint32
}

type batch struct {
	intervals []interval
	order     []uint64 // a row's number, then the interval's index, in 32 bits each
	spare     []uint64 // for sort
}

// sorted yields the intervals that have a row, sorted by its number.
func (b *batch) sorted(rowOf func(*interval) (number uint32, ok bool)) iter.Seq[*interval] {
	b.order = b.order[:0]
	for i := range b.intervals {
		if number, ok := rowOf(&b.intervals[i]); ok {
			b.order = append(b.order, uint64(number)<<32|uint64(i))
		}
	}
	b.sort()
	return func(yield func(*interval) bool) {
		for _, key := range b.order {
			if !yield(&b.intervals[uint32(key)]) {
				return
			}
		}
	}
}

// sort sorts the order by the rows' numbers: a radix sort.
func (b *batch) sort() {
	const bits = 11
	all := uint64(0)
	for _, key := range b.order {
		all |= key
	}
	b.spare = slices.Grow(b.spare[:0], len(b.order))[:len(b.order)]
	for shift := 32; shift < 64 && all>>shift != 0; shift += bits {
		var ends [1<<bits + 1]uint32
		for _, key := range b.order {
			ends[key>>shift%(1<<bits)+1]++
		}
		for i := range 1 << bits {
			ends[i+1] += ends[i]
		}
		for _, key := range b.order {
			end := &ends[key>>shift%(1<<bits)]
			b.spare[*end] = key
			*end++
		}
		b.order, b.spare = b.spare, b.order
	}
}

// flush counts the intervals of the batch.
func (c *Collector) flush() {
	b := &c.batch
	for i := range b.sorted(func(i *interval) (uint32, bool) { return uint32(i.thread), true }) {
		c.threadsSeen[i.thread].row.count(i)
	}
	for i := range b.sorted(func(i *interval) (uint32, bool) { return uint32(i.monitorNumber), i.monitor != nil }) {
		i.monitor.Times.count(i)
		if i.site != nil {
			i.monitor.sites.add(i.siteNumber)
		}
	}
	for i := range b.sorted(func(i *interval) (uint32, bool) { return i.siteNumber, i.site != nil }) {
		i.site.Times.count(i)
	}
	c.countHeld(b.intervals)
	for i := range c.holders.found {
		o := &c.holders.found[i]
		c.held.owners.add(key{uint64(o.number), uint64(o.owner)}, o.Tally, c.methods.positionOf(o.last))
	}
	b.intervals, c.holders.found = b.intervals[:0], c.holders.found[:0]
}

// count counts an interval in the row of its thread.
func (t *thread) count(i *interval) {
	t.Times.count(i)
	switch {
	case i.monitor == nil:
	case i.kind == Blocked:
		t.blocks.add(uint32(i.monitorNumber))
	default:
		t.waits.add(uint32(i.monitorNumber))
	}
	if i.site != nil {
		t.sites.add(i.siteNumber)
	}
}

// countHeld counts the intervals in the rows of the owners that blocked the threads.
func (c *Collector) countHeld(intervals []interval) {
	for i := range intervals {
		i := &intervals[i]
		if i.kind != Blocked {
			continue
		}
		held := c.methods.positionOf(i.held)
		if i.monitor != nil && i.owner != 0 {
			c.held.pairs.count(key{uint64(i.thread), uint64(i.owner)}, i.length, 0)
		}
		if i.site != nil && held != 0 {
			c.held.holders.count(key{uint64(i.siteNumber), uint64(held)}, i.length, held)
		}
	}
}
