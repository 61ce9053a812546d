package allocation

import (
	"math"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// Options select what a Collector sums up. The zero value selects the whole trace.
type Options struct {
	// Window is the time in which objects are allocated and freed; live objects are counted at its end.
	Window selection.Window
	// Curve limits the collections of WriteExtract; 0 leaves them out.
	Curve int
	// NoThreads puts all threads together.
	NoThreads bool
	// MaxLive limits the objects that live at the same time; beyond it, no object is followed. 0 is no limit.
	MaxLive int
	// Last is how many full collections in a row a suspect's live objects grew. 0 is DefaultLast.
	Last int
}

// DefaultLast is the default of Options.Last.
const DefaultLast = 5

// Collector is a trace.Sink that sums up allocations. Put returns no errors.
type Collector struct {
	options Options
	start   trace.Time // of the trace
	since   trace.Time
	until   trace.Time
	latest  trace.Time

	cells   cells
	objects objects
	tables  [][]trace.AllocationSite // of profilers, one for each recording
	session int

	collections collections
	curve       curve
	facts       Facts
}

// Facts are about the trace as a whole.
type Facts struct {
	// Allocations counts the Allocation records of the window, Frees the objects that were freed.
	Allocations, Frees uint64
	// UnknownFrees counts the frees of objects whose allocation the trace does not have.
	UnknownFrees uint64
	// Sampled reports that allocations are samples; Weighted that only their bytes are known, not their number.
	Sampled, Weighted bool
	// Interval is the largest mean distance of samples in bytes.
	Interval uint64
	// Followed reports that objects have ids, so that they could be freed.
	Followed bool
	// Tables reports that the sums come from a profiler's table.
	Tables bool
	// Unfollowed reports that more objects than Options.MaxLive lived at the same time, so none is followed.
	Unfollowed bool
	// Folded reports that there were too many call stacks or threads, so some have no row of their own.
	Folded bool
}

// HasFrees reports whether the trace shows when objects were freed.
func (f Facts) HasFrees() bool { return f.Followed && !f.Tables }

// NewCollector returns a Collector.
func NewCollector(o Options) *Collector {
	if o.Last == 0 {
		o.Last = DefaultLast
	}
	c := &Collector{options: o, since: math.MinInt64, until: math.MaxInt64, curve: curve{limit: o.Curve}}
	c.cells = cells{places: map[key]uint32{}, threads: []string{unknownThread}, known: map[trace.ThreadKey]uint32{},
		stacks: stacks{places: map[string]uint32{}, cached: lru.NewCache[*trace.Stack, uint32](maxCached)}}
	return c
}

// Put consumes a record.
func (c *Collector) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.Origin:
		c.start = r.Time
		c.since, c.until = c.options.Window.Bounds(r.Time)
	case *trace.ModelThread:
		if !c.options.NoThreads {
			c.cells.nameThread(r.Key, wording.Thread(r.ID, r.Name))
		}
	case *trace.Allocation:
		c.enter(r.Session)
		c.allocation(r)
	case *trace.Free:
		c.enter(r.Session)
		c.free(r.Object, r.Time)
	case *trace.Move:
		c.enter(r.Session)
		c.objects.move(r.From, r.To)
	case *trace.Collection:
		c.collected(r)
	case *trace.AllocationSites:
		c.tables = append(c.tables, r.Rows)
	case *trace.Summary:
		c.latest = r.Last
		c.endRecording()
		if c.facts.Allocations == 0 {
			c.addTables()
		}
	}
	return nil
}

// enter begins a recording if it is a new one. Ids of the previous one mean nothing in it.
func (c *Collector) enter(session int) {
	if session != c.session {
		c.endRecording()
		c.session = session
	}
}

// endRecording counts the ages of the live objects.
func (c *Collector) endRecording() {
	c.objects.each(func(o object) {
		cell := &c.cells.all[o.cell]
		cell.ages.add(estimate(o.size, cell.interval).Count, c.collections.inWindow-min(o.born, c.collections.inWindow))
	})
	c.objects = objects{}
}

// allocation counts an object, which lives from now on.
func (c *Collector) allocation(a *trace.Allocation) {
	if a.Object.Known() {
		if _, there := c.objects.get(a.Object); there {
			c.free(a.Object, a.Time) // its objFree was lost
		}
	}
	if a.Time >= c.until {
		return
	}
	f := &c.facts
	f.Allocations++
	f.Sampled = f.Sampled || a.Interval > 0 || a.Weight > 0
	f.Weighted = f.Weighted || a.Weight > 0
	f.Interval = max(f.Interval, min(a.Interval, math.MaxInt64))
	followed := a.Object.Known() && a.Weight == 0 && !f.Unfollowed
	f.Followed = f.Followed || followed
	at := c.cells.cell(key{c.cells.classes.Of(a.Class), c.cells.stacks.number(a.Stack), c.cells.known[a.Thread.Key],
		a.Interval})
	cell, sum := &c.cells.all[at], estimate(a.Size, a.Interval)
	if a.Weight > 0 {
		sum = weighted(a.Weight)
	}
	if a.Time >= c.since {
		cell.allocated.add(&sum)
		cell.largest = max(cell.largest, a.Size)
	}
	if !followed {
		return
	}
	cell.live.add(&sum)
	c.curve.live += sum.Bytes
	c.change(cell, c.collections.seen+1, Amount{sum.Count, sum.Bytes})
	c.objects.set(a.Object, object{cell: at, born: c.collections.count, size: a.Size})
	if c.options.MaxLive > 0 && c.objects.size() > c.options.MaxLive {
		c.objects, f.Unfollowed, f.Followed = objects{}, true, false
	}
}

// free ends the life of an object. If it lived at the latest end of a collection, it was dead from then on.
func (c *Collector) free(id trace.ObjectID, at trace.Time) {
	o, known := c.objects.get(id)
	if !known {
		if at < c.until && !c.facts.Unfollowed {
			c.facts.UnknownFrees++
		}
		return
	}
	c.objects.remove(id)
	g, seen := &c.collections, c.collections.seen+1
	if o.born < g.count {
		at = g.last
		if g.lastFull {
			seen--
		}
	}
	cell := &c.cells.all[o.cell]
	sum := estimate(o.size, cell.interval)
	c.curve.free(sum.Bytes, g.last, o.born < g.count && g.count == g.inWindow)
	if at >= c.until {
		cell.ages.add(sum.Count, g.inWindow-min(o.born, g.inWindow))
		return
	}
	survived := g.count - o.born
	if survived > 0 {
		survived-- // the last one was its end
	}
	cell.ages.add(sum.Count, survived)
	cell.live.remove(&sum)
	c.change(cell, seen, Amount{-sum.Count, -sum.Bytes})
	if at >= c.since {
		c.facts.Frees++
		cell.freed.add(&sum)
	}
}

// change changes the cell's live objects from a pause of a full collection on.
func (c *Collector) change(to *cell, pause uint32, by Amount) {
	to.series.change(pause, by)
	if g := &c.collections; len(to.series.points) > 2*c.options.Last+8 {
		to.series.shorten(g.end(len(g.full)-c.options.Last), g.end(g.first))
	}
}

// addTables adds the rows of profilers' tables.
func (c *Collector) addTables() {
	for _, rows := range c.tables {
		for i := range rows {
			row := &rows[i]
			at := c.cells.cell(key{class: c.cells.classes.Of(row.Class), stack: c.cells.stacks.number(row.Stack)})
			cell := &c.cells.all[at]
			cell.allocated.add(exactly(row.Allocated, row.AllocatedBytes))
			cell.live.add(exactly(row.Live, row.LiveBytes))
			cell.freed.add(exactly(row.Allocated-min(row.Live, row.Allocated),
				row.AllocatedBytes-min(row.LiveBytes, row.AllocatedBytes)))
		}
		c.facts.Tables, c.facts.Followed = true, true
	}
}

// exactly returns the sum of count objects with this number of bytes.
func exactly(count, bytes uint64) *Estimate {
	return &Estimate{Seen: count, Count: float64(count), Bytes: float64(bytes)}
}

// Facts returns what is known of the trace as a whole.
func (c *Collector) Facts() Facts {
	facts := c.facts
	facts.Folded = c.cells.folded || c.cells.stacks.folded
	return facts
}

// HasAllocations reports whether the trace has allocations, or a table of them.
func (c *Collector) HasAllocations() bool { return c.facts.Allocations > 0 || c.facts.Tables }
