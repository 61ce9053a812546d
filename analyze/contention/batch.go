package contention

import (
	"iter"
	"runtime"
	"slices"
	"sync"

	"github.com/trcx/trcx/trace"
)

// Intervals are counted in batches, table by table and row by row: each of them touches a dozen rows, which the others
// would displace from the processor's caches. In traces of many threads this saves a third of the time. With several
// processors the tables of a batch are counted in parallel, while the next batch is being filled.

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
	row           *thread     // of the thread
	monitor       *monitor    // nil if there is none
	site          *site       // nil if unknown
	// The numbers of monitor and site are copied, so that sorting does not touch their rows.
	monitorNumber trace.ObjectKey
	siteNumber    uint32
}

// batch has the intervals, and the times of owners, that are to be counted.
type batch struct {
	intervals []interval
	positions []position // of the intervals' held frames
	found     []owned
}

// owned is the time in which an owner of a monitor blocked others.
type owned struct {
	key
	Tally
	last position // of the owner when it blocked another thread longest
}

// counting counts batches. The Collector fills one batch while the other one is counted.
type counting struct {
	filled, counted *batch
	parallel        bool
	running         sync.WaitGroup // the tables of the counted batch
	byThread        batchOrder
	byMonitor       batchOrder
	bySite          batchOrder
}

func newCounting() counting {
	return counting{filled: &batch{intervals: make([]interval, 0, batchSize)}, counted: &batch{},
		parallel: runtime.GOMAXPROCS(0) > 1}
}

// batchOrder sorts the intervals of a batch by the numbers of their rows.
type batchOrder struct {
	keys  []uint64 // a row's number, then the interval's index, in 32 bits each
	spare []uint64 // for sort
}

// sorted yields the intervals that have a row, sorted by its number.
func (o *batchOrder) sorted(b *batch, rowOf func(*interval) (number uint32, ok bool)) iter.Seq[*interval] {
	o.keys = o.keys[:0]
	for i := range b.intervals {
		if number, ok := rowOf(&b.intervals[i]); ok {
			o.keys = append(o.keys, uint64(number)<<32|uint64(i))
		}
	}
	o.sort()
	return func(yield func(*interval) bool) {
		for _, key := range o.keys {
			if !yield(&b.intervals[uint32(key)]) {
				return
			}
		}
	}
}

// sort sorts the keys by the rows' numbers: a radix sort.
func (o *batchOrder) sort() {
	const bits = 11
	all := uint64(0)
	for _, key := range o.keys {
		all |= key
	}
	o.spare = slices.Grow(o.spare[:0], len(o.keys))[:len(o.keys)]
	for shift := 32; shift < 64 && all>>shift != 0; shift += bits {
		var ends [1<<bits + 1]uint32
		for _, key := range o.keys {
			ends[key>>shift%(1<<bits)+1]++
		}
		for i := range 1 << bits {
			ends[i+1] += ends[i]
		}
		for _, key := range o.keys {
			end := &ends[key>>shift%(1<<bits)]
			o.spare[*end] = key
			*end++
		}
		o.keys, o.spare = o.spare, o.keys
	}
}

// flush counts all intervals: when it returns, rows have all their time.
func (c *Collector) flush() {
	c.countBatch()
	c.counting.running.Wait()
}

// countBatch begins to count the filled batch, after the one before. Methods are numbered here, for the Collector
// numbers those of sites at any time.
func (c *Collector) countBatch() {
	w := &c.counting
	b := w.filled
	b.positions = b.positions[:0]
	for i := range b.intervals {
		if at := &b.intervals[i]; at.kind == Blocked {
			b.positions = append(b.positions, c.methods.positionOf(at.held))
		}
	}
	b.found = b.found[:0]
	for i := range c.holders.found {
		o := &c.holders.found[i]
		b.found = append(b.found, owned{key{uint64(o.number), uint64(o.owner)}, o.Tally, c.methods.positionOf(o.last)})
	}
	c.holders.found = c.holders.found[:0]
	w.running.Wait()
	tables := [...]func(*batch){w.countThreads, w.countMonitors, w.countSites, c.held.count}
	if !w.parallel || len(b.intervals) < batchSize {
		for _, count := range tables {
			count(b)
		}
		b.intervals = b.intervals[:0]
		return
	}
	for _, count := range tables {
		w.running.Go(func() { count(b) })
	}
	w.filled, w.counted = w.counted, b
	w.filled.intervals = slices.Grow(w.filled.intervals[:0], batchSize)
}

func (w *counting) countThreads(b *batch) {
	for i := range w.byThread.sorted(b, func(i *interval) (uint32, bool) { return uint32(i.thread), true }) {
		i.row.count(i)
	}
}

func (w *counting) countMonitors(b *batch) {
	for i := range w.byMonitor.sorted(b, func(i *interval) (uint32, bool) {
		return uint32(i.monitorNumber), i.monitor != nil
	}) {
		i.monitor.Times.count(i)
		if i.site != nil {
			i.monitor.sites.add(i.siteNumber)
		}
	}
}

func (w *counting) countSites(b *batch) {
	for i := range w.bySite.sorted(b, func(i *interval) (uint32, bool) { return i.siteNumber, i.site != nil }) {
		i.site.Times.count(i)
	}
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

// count counts the intervals in the rows of the owners that blocked the threads.
func (h *held) count(b *batch) {
	positions := b.positions
	for i := range b.intervals {
		i := &b.intervals[i]
		if i.kind != Blocked {
			continue
		}
		last := positions[0]
		positions = positions[1:]
		if i.monitor != nil && i.owner != 0 {
			h.pairs.count(key{uint64(i.thread), uint64(i.owner)}, i.length, 0)
		}
		if i.site != nil && last != 0 {
			h.holders.count(key{uint64(i.siteNumber), uint64(last)}, i.length, last)
		}
	}
	for i := range b.found {
		h.owners.add(b.found[i].key, b.found[i].Tally, b.found[i].last)
	}
}
