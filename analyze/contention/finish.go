package contention

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// evictThread folds a thread's row into the evicted ones. The thread counts of its monitors and sites still include it.
func (c *Collector) evictThread(t *thread) {
	seen := c.seen(t.of)
	c.rowNumbers.remove(seen.row)
	seen.row = evictedRow
	c.pools.rows[seen.pool].addThread(t.of, t.lifetime)
	if t.counted != nil {
		c.evicted.Times.Merge(&t.Times)
		c.countThread(t.counted)
		c.countInPool(t)
	}
}

// countThread counts the thread at its monitors and sites, and in their classes and methods.
func (c *Collector) countThread(t *counted) {
	var blocked, waited numberSet // classes
	for number := range t.blocks.all {
		c.objects[number].threads++
		blocked.add(c.objects[number].class)
	}
	for number := range t.waits.all {
		if !t.blocks.has(number) {
			c.objects[number].threads++
		}
		waited.add(c.objects[number].class)
	}
	for number := range blocked.all {
		c.classes.rows[number].Blocks.Threads++
		c.classes.rows[number].Threads++
	}
	for number := range waited.all {
		c.classes.rows[number].Waits.Threads++
		if !blocked.has(number) {
			c.classes.rows[number].Threads++
		}
	}
	for number := range t.sites.all {
		c.places[number].threads++
	}
	for _, method := range c.methodsOf(&t.sites) {
		method.Threads++
	}
}

// methodsOf returns the methods of those of the sites that are at monitors.
func (c *Collector) methodsOf(sites *numberSet) (all []*method) {
	var counted numberSet
	for number := range sites.all {
		if p := &c.places[number]; p.atMonitor && (sites.len() == 1 || counted.add(p.method)) {
			all = append(all, c.methods.rows[p.method])
		}
	}
	return all
}

// evictMonitor folds a monitor's row into that of its class.
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
	for number := range m.sites.all {
		c.places[number].monitors++
	}
	for _, method := range c.methodsOf(&m.sites) {
		method.Monitors++
	}
}

// countOnce adds the object to the count, if it is to be counted and the bit says that it is not yet.
func (o *object) countOnce(count *uint64, bit uint8, counts bool) {
	if counts && o.counted&bit == 0 {
		o.counted |= bit
		*count++
	}
}

// evictSite folds a site's row into that of its method.
func (c *Collector) evictSite(s *site) {
	if s.number != maxSites-1 {
		c.evictedSites[s.siteKey] = s.number
	}
	c.countSite(s)
}

// countSite adds the site's times to those of its method, if it is at monitors.
func (c *Collector) countSite(s *site) {
	if s.siteKey.kind == Blocked {
		c.methods.rows[s.siteKey.method].Times.Merge(&s.Times)
	}
}

// Statistics returns the statistics of the trace, and releases the other memory. It is to be called once, after the
// last record.
func (c *Collector) Statistics() *Statistics {
	c.holders.finish()
	c.flush()
	c.trace.Load = c.loads.mean()
	s := &Statistics{Traces: []Trace{c.trace}}
	c.countThread(c.evicted.counted)
	s.All.Merge(&c.evicted.Times)
	c.threads.hidden.Time = c.evicted.Times.weight()
	s.Threads = c.threadRows(&s.All)
	s.Pools = c.poolRows()
	s.Monitors, s.Sites = c.monitorRows(), c.siteRows()
	for p := range c.held.pairs.heaviest() {
		s.Pairs = append(s.Pairs, &Pair{c.namedThread(trace.ThreadKey(p.of.a)), c.namedThread(trace.ThreadKey(p.of.b)),
			p.Tally})
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
	s.Hidden.add(TableThreads, c.threads.hidden)
	s.Hidden.add(TableMonitors, c.monitors.hidden)
	s.Hidden.add(TableSites, c.sites.hidden)
	s.Hidden.add(tablePairs, c.held.pairs.hidden)
	s.Hidden.add(tableOwners, c.held.owners.hidden)
	s.Hidden.add(tableHolders, c.held.holders.hidden)
	*c = Collector{}
	return s
}

// threadRows counts the threads at their monitors and sites and in their pools, and returns their rows. All is the sum
// of their times.
func (c *Collector) threadRows(all *Times) []*Thread {
	rows := make([]*Thread, len(c.threads.rows))
	for i, t := range c.threads.rows {
		seen := c.seen(t.of)
		c.pools.rows[seen.pool].addThread(t.of, t.lifetime)
		name, group := t.nameAndGroup()
		rows[i] = &Thread{NamedThread: c.idOf(seen), Key: t.of, Group: group}
		rows[i].Name = name
		if t.counted != nil {
			all.Merge(&t.Times)
			c.countThread(t.counted)
			c.countInPool(t)
			rows[i].Times = t.Times
			t.counted = nil
		}
		t.listing = rows[i]
	}
	return rows
}

// monitorRows counts the monitors in their classes, and returns their rows with the owners, those first that blocked
// others longest.
func (c *Collector) monitorRows() (rows []*Monitor) {
	for _, m := range c.monitors.rows {
		c.evictMonitor(m)
	}
	for _, m := range c.monitors.rows {
		c.objects[m.number].row = m
		m.Threads = uint64(c.objects[m.number].threads)
		rows = append(rows, &m.Monitor)
	}
	owners := make([]int, len(c.objects))
	for _, t := range c.held.owners.rows {
		owners[t.of.a]++
	}
	for t := range c.held.owners.heaviest() {
		if m := c.objects[t.of.a].row; m != nil {
			if m.Owners == nil {
				m.Owners = make([]Owner, 0, owners[t.of.a])
			}
			m.Owners = append(m.Owners, Owner{c.namedThread(trace.ThreadKey(t.of.b)), t.Tally, c.methods.place(t.held)})
		}
	}
	return rows
}

// siteRows counts the sites in their methods, and returns their rows with the holders, those first that blocked others
// longest.
func (c *Collector) siteRows() (rows []*Site) {
	byNumber, holders := make([]*Site, len(c.places)), make([]int, len(c.places))
	for _, s := range c.sites.rows {
		c.countSite(s)
		s.Threads, s.Monitors = uint64(c.places[s.number].threads), uint64(c.places[s.number].monitors)
		byNumber[s.number] = &s.Site
		rows = append(rows, &s.Site)
	}
	for _, t := range c.held.holders.rows {
		holders[t.of.a]++
	}
	for _, t := range c.held.holders.rows {
		if s := byNumber[t.of.a]; s != nil {
			if s.Holders == nil {
				s.Holders = make([]Holder, 0, holders[t.of.a])
			}
			s.Holders = append(s.Holders, Holder{c.methods.place(t.held), t.Tally})
		}
	}
	for _, s := range rows {
		slices.SortFunc(s.Holders, compareHolders)
	}
	return rows
}

// namedThread returns the thread as other rows name it, the zero NamedThread for 0; the name of an evicted one is
// unknown.
func (c *Collector) namedThread(key trace.ThreadKey) NamedThread {
	if key == 0 {
		return NamedThread{}
	}
	switch seen := c.seen(key); seen.row {
	case noRow:
		return NamedThread{}
	case evictedRow:
		return c.idOf(seen)
	default:
		row := c.rowOf(seen)
		if row.listing != nil {
			return row.listing.NamedThread
		}
		named := c.idOf(seen)
		named.Name, _ = row.nameAndGroup()
		return named
	}
}
