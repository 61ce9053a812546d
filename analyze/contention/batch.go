package contention

import (
	"iter"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Segments are not counted one by one, for each would touch a dozen rows that others have driven out of the processor's
// caches. They are gathered, and counted table by table and row by row.

// batchSize is how many segments are gathered.
const batchSize = 1 << 13

// batch is what is gathered.
type batch struct {
	occurrences []occurrence
	// of the occurrences by row: the row's number, and behind it 32 bits of the occurrence's place
	order   []uint64
	other   []uint64           // where the order is put together
	run     []*occurrence      // those of one row
	lengths [KindCount][]int64 // those of the run
}

// settle counts what is gathered.
func (c *Collector) settle() {
	for rest := c.batch.occurrences; len(rest) > 0; {
		n := c.findSites(rest)
		c.count(rest[:n])
		rest = rest[n:]
	}
	c.batch.occurrences = c.batch.occurrences[:0]
}

// findSites finds the sites of occurrences. It returns for how many: those are to be counted before there is room for
// the sites of others.
func (c *Collector) findSites(all []occurrence) int {
	for i := range all {
		o := &all[i]
		if o.caller == nil || o.caller.Name == "" {
			continue
		}
		if o.site = c.siteOf(o); o.site == nil {
			if i > 0 && c.sites.full() {
				return i
			}
			o.site = c.newSite(o)
		}
		o.siteNumber = o.site.number
	}
	return len(all)
}

// count counts occurrences in their rows.
func (c *Collector) count(all []occurrence) {
	for waiter, run := range byRow(&c.batch, all, (*occurrence).inThread) {
		c.countInThread(c.byKey[waiter], run)
	}
	for monitor, run := range byRow(&c.batch, all, (*occurrence).inMonitor) {
		c.countInMonitor(monitor, run)
	}
	for site, run := range byRow(&c.batch, all, (*occurrence).inSite) {
		c.countInTimes(&site.Times, run)
	}
	c.countOwners(all)
}

// byRow gives the occurrences row by row, each row's in their order; those without a row, which is the zero one, are
// left out. They are sorted by the rows' numbers. A number can stand for several rows where there are too many; then a
// row may come several times.
func byRow[R comparable](b *batch, all []occurrence, rowOf func(*occurrence) (number uint32, row R)) iter.Seq2[R,
	[]*occurrence] {
	var none R
	b.order = b.order[:0]
	for i := range all {
		if number, row := rowOf(&all[i]); row != none {
			b.order = append(b.order, uint64(number)<<32|uint64(i))
		}
	}
	b.sort()
	return func(yield func(R, []*occurrence) bool) {
		row := none
		b.run = b.run[:0]
		for _, place := range b.order {
			o := &all[uint32(place)]
			if _, next := rowOf(o); next != row {
				if row != none && !yield(row, b.run) {
					return
				}
				row, b.run = next, b.run[:0]
			}
			b.run = append(b.run, o)
		}
		if row != none {
			yield(row, b.run)
		}
	}
}

// digit is how many bits of the rows' numbers are looked at in one pass.
const digit = 11

// sort sorts the order by the rows' numbers, digit by digit from the last one on.
func (b *batch) sort() {
	all := uint64(0)
	for _, place := range b.order {
		all |= place
	}
	b.other = slices.Grow(b.other[:0], len(b.order))[:len(b.order)]
	for shift := 32; shift < 64 && all>>shift != 0; shift += digit {
		var ends [1 << digit]uint32
		for _, place := range b.order {
			ends[place>>shift%(1<<digit)]++
		}
		sum := uint32(0)
		for i, count := range ends {
			ends[i] = sum
			sum += count
		}
		for _, place := range b.order {
			end := &ends[place>>shift%(1<<digit)]
			b.other[*end] = place
			*end++
		}
		b.order, b.other = b.other, b.order
	}
}

// countInTimes counts a run's lengths.
func (c *Collector) countInTimes(times *Times, run []*occurrence) {
	lengths := &c.batch.lengths
	for _, o := range run {
		lengths[o.kind] = append(lengths[o.kind], o.length)
		if o.open {
			times[o.kind].Open++
		}
	}
	for kind := range lengths {
		times[kind].Add(lengths[kind]...)
		lengths[kind] = lengths[kind][:0]
	}
}

// countInThread counts a run in the row of its thread, and notes where that was.
func (c *Collector) countInThread(t *thread, run []*occurrence) {
	c.countInTimes(&t.Times, run)
	for _, o := range run {
		switch {
		case o.monitor == nil:
		case o.kind == Blocked:
			t.blocks.add(o.monitorNumber)
		default:
			t.waits.add(o.monitorNumber)
		}
		if o.site != nil {
			t.sites.add(o.siteNumber)
		}
	}
}

// countInMonitor counts a run in the row of its monitor, and notes where threads were at it.
func (c *Collector) countInMonitor(m *monitor, run []*occurrence) {
	c.countInTimes(&m.Times, run)
	for _, o := range run {
		if o.site != nil {
			m.sites.add(o.siteNumber)
		}
	}
}

// countOwners counts who held the monitors, and where.
func (c *Collector) countOwners(all []occurrence) {
	for i := range all {
		o := &all[i]
		if o.kind != Blocked {
			continue
		}
		held := c.heldAt(o)
		if o.monitor != nil && o.owner != 0 {
			c.owners.add(tallyKey{uint64(o.monitorNumber), uint64(o.owner)}, o.length, held)
		}
		if o.site != nil && held.known {
			c.holders.add(tallyKey{uint64(o.siteNumber), uint64(held.method)<<32 | uint64(uint32(held.line))}, o.length,
				held)
		}
	}
	for i := range all {
		if o := &all[i]; o.kind == Blocked && o.monitor != nil && o.owner != 0 {
			c.pairs.add(tallyKey{uint64(o.waiter), uint64(o.owner)}, o.length, heldAt{})
		}
	}
}

// keyOf is the key of the occurrence's site.
func (c *Collector) keyOf(o *occurrence) siteKey {
	key := siteKey{method: c.methods.number(o.caller), line: o.callerLine, class: o.class}
	if !o.atMonitor() {
		key.kind = o.kind
	}
	return key
}

// siteOf is the row of the place and the class of the monitor, or nil if there is none.
func (c *Collector) siteOf(o *occurrence) *site {
	key := c.keyOf(o)
	caller := c.methods.callers[key.method]
	if caller.last == nil || caller.lastKey != key {
		caller.last, caller.lastKey = c.sites.byKey[key], key
	}
	return caller.last
}

// newSite makes a row for the place.
func (c *Collector) newSite(o *occurrence) *site {
	key := c.keyOf(o)
	s := &site{number: c.numberSite(key, o.atMonitor()), key: key}
	s.Place, s.Monitor = placeOf(trace.Frame{Method: o.caller, Line: o.callerLine}), c.classes.rows[o.class].Name
	c.sites.put(s.key, s)
	caller := c.methods.callers[s.key.method]
	caller.last, caller.lastKey = s, s.key
	return s
}

// mostSites is how many sites are told apart where different threads and monitors are counted. The last number stands
// for all others.
const mostSites = 1 << 20

// numberSite is the number of the site: the one that it had before, where its row had gone.
func (c *Collector) numberSite(key siteKey, atMonitor bool) uint32 {
	if number, known := c.past[key]; known {
		return number
	}
	if len(c.bySite) >= mostSites {
		return mostSites - 1
	}
	fresh := places{}
	if atMonitor {
		fresh.caller = c.methods.callers[key.method]
		fresh.caller.sites++
	}
	c.bySite = append(c.bySite, fresh)
	return uint32(len(c.bySite) - 1)
}
