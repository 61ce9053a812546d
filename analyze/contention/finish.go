package contention

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// evictThread adds a thread's row to the rows of its pool and of the evicted threads.
func (c *Collector) evictThread(t *threadRow) {
	c.threads.At(t.key).row = &c.evicted
	c.evicted.waits.times.Merge(&t.waits.times)
	c.countThread(t)
}

// countThread counts the thread in its pool, at its monitors and places, and in their classes and methods.
func (c *Collector) countThread(t *threadRow) {
	if t != &c.evicted {
		p := c.poolOf(t.key)
		p.Threads++
		p.latest = max(p.latest, t.key)
		p.live(t.lifetime)
		p.Times.Merge(&t.waits.times)
		p.WaitEnds.merge(&t.waits.ends)
		for kind := range KindCount {
			if t.waits != &noWaits && sumOf(kind, &t.waits.times, &t.waits.ends).count > 0 {
				p.waited[kind]++
			}
		}
	}
	clear(c.counted)
	for number := range t.waits.places.all {
		p := c.places.rows[number]
		p.threads++
		if p.kind.atMonitor() {
			c.once(&c.methods.rows[p.method].Threads)
		}
	}
	for number := range t.waits.monitors.all {
		o := &c.objects[number/2]
		class := c.classes.rows[o.class]
		c.once(&o.threads)
		c.once(&class.Threads)
		if number%2 == 0 {
			o.blocked++
			c.once(&class.Blocks.Threads)
		} else {
			c.once(&class.Waits.Threads)
		}
	}
}

// once counts the current thread or monitor in a count that does not include it yet.
func (c *Collector) once(count *uint64) {
	if !c.counted[count] {
		c.counted[count] = true
		*count++
	}
}

// evictMonitor adds a monitor's row to the row of its class.
func (c *Collector) evictMonitor(m *monitor) {
	c.objects[m.object].row = nil
	if c.monitorsByName[m.name] == m {
		delete(c.monitorsByName, m.name)
	}
	o := &c.objects[m.number]
	class := c.classes.rows[o.class]
	class.Times.Merge(&m.Times)
	o.countOnce(&class.Monitors, 1, true)
	o.countOnce(&class.Blocks.Monitors, 2, m.Times.Of(Blocked).Count > 0)
	o.countOnce(&class.Waits.Monitors, 4, m.Times.Of(Waited).Count > 0)
	clear(c.counted)
	for number := range m.places.all {
		p := c.places.rows[number]
		p.monitors++
		if p.kind.atMonitor() {
			c.once(&c.methods.rows[p.method].Monitors)
		}
	}
}

// countOnce adds the object to the count if counts is set and the bit shows that it is not counted yet.
func (o *object) countOnce(count *uint64, bit uint8, counts bool) {
	if counts && o.counted&bit == 0 {
		o.counted |= bit
		*count++
	}
}

// evictSite adds the times of a place at monitors to the row of its method.
func (c *Collector) evictSite(p *place) {
	if p.kind.atMonitor() {
		c.methods.rows[p.method].Times.Merge(&p.site.Times)
	}
	p.site = nil
}

// Statistics returns the statistics of the trace, and releases the other memory. It must be called once, after the last
// record.
func (c *Collector) Statistics() *Statistics {
	c.holders.finish()
	c.intervals.wait()
	c.trace.Load = c.meanLoad()
	s := &Statistics{Traces: []Trace{c.trace}}
	s.All.Merge(&c.evicted.waits.times)
	c.countThread(&c.evicted)
	for _, t := range c.threadRows.rows {
		s.All.Merge(&t.waits.times)
		c.countThread(t)
		s.Threads = append(s.Threads, &Thread{c.namedThread(t.key), t.key, t.group, t.waits.times})
	}
	s.Pools = c.poolRows()
	s.Samples = c.samples.Summary(func(key trace.ThreadKey) (string, bool) {
		return c.threads.At(key).row.name, c.poolOf(key).OfJVM
	})
	s.Monitors, s.Sites = c.monitorRows(), c.siteRows()
	s.Starts = c.startRows()
	for _, p := range c.pairs.heaviest() {
		s.Pairs = append(s.Pairs, &Pair{c.namedThread(p.of.waiter), c.namedThread(p.of.owner), p.Tally})
	}
	for _, row := range c.classes.rows {
		if row.Monitors > 0 {
			s.Classes = append(s.Classes, row)
		}
	}
	for _, row := range c.methods.rows {
		if row.Threads > 0 {
			s.Callers = append(s.Callers, &row.Caller)
		}
	}
	c.threadRows.hidden.Time = c.evicted.waits.times.weight()
	s.Hidden.add(TableThreads, c.threadRows.hidden)
	s.Hidden.add(TableMonitors, c.monitors.hidden)
	s.Hidden.add(TableSites, c.sites.hidden)
	s.Hidden.add(tablePairs, c.pairs.table.hidden)
	s.Hidden.add(tableOwners, c.holders.owners.table.hidden)
	s.Hidden.add(tableHolders, c.siteHolders.table.hidden)
	*c = Collector{}
	return s
}

// monitorRows counts the monitors in their classes. It returns their rows with the owners, those that blocked others
// longest first.
func (c *Collector) monitorRows() (rows []*Monitor) {
	for _, m := range c.monitors.rows {
		c.evictMonitor(m)
	}
	for _, m := range c.monitors.rows {
		c.objects[m.number].row = m
		m.Threads, m.Blocked = c.objects[m.number].threads, uint64(c.objects[m.number].blocked)
		rows = append(rows, &m.Monitor)
	}
	places := map[ownerKey][]OwnerPlace{}
	for _, t := range c.holders.places.heaviest() {
		key := ownerKey{t.of.monitor, t.of.owner}
		places[key] = append(places[key], OwnerPlace{c.ownMethods.place(t.of.at.position), t.Total, t.of.at.probable})
	}
	for _, t := range c.holders.owners.heaviest() {
		if m := c.objects[t.of.monitor].row; m != nil {
			m.Owners = append(m.Owners, Owner{c.namedThread(t.of.owner), t.of.owner, t.Tally, places[t.of]})
		}
	}
	return rows
}

// siteRows counts the places in their methods. It returns their rows with the holders, those that blocked others
// longest first.
func (c *Collector) siteRows() (rows []*Site) {
	for _, t := range c.siteHolders.heaviest() {
		if s := c.places.rows[t.of.place].site; s != nil {
			s.Holders = append(s.Holders, Holder{c.ownMethods.place(t.of.holder), t.Tally})
		}
	}
	for _, p := range c.sites.rows {
		s := p.site
		s.Threads, s.Monitors = p.threads, p.monitors
		slices.SortFunc(s.Holders, compareHolders)
		rows = append(rows, s)
		c.evictSite(p)
	}
	return rows
}

// namedThread returns the thread as other rows name it, the zero NamedThread for 0. The name of an evicted thread is
// unknown.
func (c *Collector) namedThread(key trace.ThreadKey) NamedThread {
	if key == 0 {
		return NamedThread{}
	}
	t := c.threads.At(key)
	if t.row == nil {
		return NamedThread{}
	}
	return NamedThread{t.id.String(), t.row.name, int(t.session)}
}
