package contention

import (
	"cmp"
	"iter"
	"slices"

	"github.com/trcx/trcx/trace"
)

// dropThread takes the thread's row away. The thread counts wherever it was.
func (c *Collector) dropThread(t *thread) {
	c.byKey[t.Key] = c.unlisted
	c.gone.Merge(&t.Times)
	c.countWhere(t)
}

// countWhere counts the thread at the monitors it was at, in their classes, and at the places.
func (c *Collector) countWhere(t *thread) {
	var blocks, waits members
	for monitor := range t.blocks.all {
		c.visitors[monitor]++
		if number := c.classOf[monitor]; blocks.add(number) {
			c.classes.rows[number].Blocks.Threads++
			c.classes.rows[number].Threads++
		}
	}
	for monitor := range t.waits.all {
		if !t.blocks.has(monitor) {
			c.visitors[monitor]++
		}
		if number := c.classOf[monitor]; waits.add(number) {
			c.classes.rows[number].Waits.Threads++
			if !blocks.has(number) {
				c.classes.rows[number].Threads++
			}
		}
	}
	for site, method := range c.placesOf(&t.sites) {
		site.threads++
		if method != nil {
			method.Threads++
		}
	}
}

// placesOf gives the sites of the set, each with its method where that is at monitors and none of the sites before was
// in it; else nil.
func (c *Collector) placesOf(sites *members) iter.Seq2[*places, *caller] {
	return func(yield func(*places, *caller) bool) {
		var known members // methods; one with a single site does not have to be there
		for number := range sites.all {
			site := &c.bySite[number]
			method := site.caller
			if method != nil && method.sites > 1 && !known.add(method.number) {
				method = nil
			}
			if !yield(site, method) {
				return
			}
		}
	}
}

// dropMonitor takes the monitor's row away. Its class keeps what it had.
func (c *Collector) dropMonitor(m *monitor) {
	c.byObject[m.key] = nil
	class := c.classes.rows[c.classOf[m.number]]
	class.Times.Merge(&m.Times)
	once(&class.Monitors, &c.counted[m.number], 1, true)
	once(&class.Blocks.Monitors, &c.counted[m.number], 2, m.Times.Of(Blocked).Count > 0)
	once(&class.Waits.Monitors, &c.counted[m.number], 4, m.Times.Of(Waited).Count+m.Times.Of(Timed).Count > 0)
	for site, method := range c.placesOf(&m.sites) {
		site.monitors++
		if method != nil {
			method.Monitors++
		}
	}
}

// once counts one more if there is something to be counted and the mark is not there yet.
func once(count *uint64, marks *uint8, mark uint8, there bool) {
	if there && *marks&mark == 0 {
		*marks |= mark
		*count++
	}
}

// dropSite takes the site's row away. Its method keeps what it had, and its number stays.
func (c *Collector) dropSite(s *site) {
	if s.number != mostSites-1 {
		c.past[s.key] = s.number
	}
	if caller := c.methods.callers[s.key.method]; caller.last == s {
		caller.last = nil
	}
	c.countInMethod(s)
}

// countInMethod counts what the site has in its method, if that was at monitors.
func (c *Collector) countInMethod(s *site) {
	if s.key.kind == Blocked {
		c.methods.callers[s.key.method].Times.Merge(&s.Times)
	}
}

// Statistics are those of the trace. They can be asked for once, behind its end.
func (c *Collector) Statistics() *Statistics {
	c.settle()
	s := &Statistics{Traces: []Trace{c.trace}}
	c.countWhere(c.unlisted)
	c.gone.Merge(&c.unlisted.Times)
	s.All.Merge(&c.gone)
	c.threads.hidden.Time = c.gone.weightSoFar()
	for _, r := range c.threads.rows {
		s.All.Merge(&r.row.Times)
		c.countWhere(r.row)
		r.row.Times.completed()
		s.Threads = append(s.Threads, &r.row.Thread)
	}
	c.owners.arrangeByTotal()
	c.holders.arrangeByTotal()
	for _, r := range c.monitors.rows {
		c.dropMonitor(r.row)
		r.row.Times.completed()
		r.row.Owners, r.row.Threads = c.ownersOf(r.row), uint64(c.visitors[r.row.number])
		s.Monitors = append(s.Monitors, &r.row.Monitor)
	}
	for _, r := range c.sites.rows {
		c.countInMethod(r.row)
		r.row.Times.completed()
		r.row.Holders = c.holdersOf(r.row)
		r.row.Threads, r.row.Monitors = uint64(c.bySite[r.row.number].threads), uint64(c.bySite[r.row.number].monitors)
		s.Sites = append(s.Sites, &r.row.Site)
	}
	for _, r := range c.pairs.rows {
		s.Pairs = append(s.Pairs, &Pair{c.who(trace.ThreadKey(r.key.a)), c.who(trace.ThreadKey(r.key.b)), r.Tally})
	}
	s.All.completed()
	slices.SortStableFunc(s.Pairs, byTotal)
	for _, row := range c.classes.rows {
		if row.Monitors > 0 {
			row.Times.completed()
			s.Classes = append(s.Classes, row)
		}
	}
	for _, row := range c.methods.callers {
		if row.Threads > 0 {
			row.Times.completed()
			s.Callers = append(s.Callers, &row.Caller)
		}
	}
	c.hide(s)
	return s
}

func byTotal(a, b *Pair) int { return cmp.Compare(b.Total, a.Total) }

// hide says what is left out.
func (c *Collector) hide(s *Statistics) {
	for table, hidden := range map[string]HiddenRows{
		TableThreads: c.threads.hidden, TableMonitors: c.monitors.hidden, TableSites: c.sites.hidden,
		TablePairs:  c.pairs.hidden,
		TableOwners: c.owners.hidden, TableHolders: c.holders.hidden,
	} {
		s.Hidden.add(table, hidden)
	}
}

// who is the thread as others name it.
func (c *Collector) who(key trace.ThreadKey) Who {
	if t := c.byKey[key]; t != nil && t != c.unlisted {
		return t.Who
	}
	return Who{ID: c.ids[key].id.String(), Session: c.ids[key].session} // its name has gone with its row
}

// ownersOf are the owners of the monitor, those first who blocked others longest.
func (c *Collector) ownersOf(m *monitor) []Owner {
	rows := c.owners.of(uint64(m.number))
	owners := make([]Owner, len(rows))
	for i, r := range rows {
		owners[i] = Owner{c.who(trace.ThreadKey(r.key.b)), r.Tally, c.place(r.at)}
	}
	return owners
}

// holdersOf are the places from which the monitors of the site were held, those first from which threads were blocked
// longest.
func (c *Collector) holdersOf(s *site) []Holder {
	rows := c.holders.of(uint64(s.number))
	holders := make([]Holder, len(rows))
	for i, r := range rows {
		holders[i] = Holder{c.place(r.at), r.Tally}
	}
	slices.SortFunc(holders, compareHolders)
	return holders
}
