package contention

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/threads"
)

// Merged merges the statistics of several traces.
type Merged struct {
	sum     Statistics
	rows    int
	pools   named[poolName, Pool]
	classes named[string, Class]
	callers named[methodName, Caller]
	sites   map[mergedSite]*Site
	blamed  map[BlameKey]*BlameRow
	starts  map[startPools]*StartRow
	// lacksBlame reports that some of the statistics lack the blame.
	lacksBlame bool
}

type mergedSite struct {
	Place
	monitor string
}

// NewMerged returns statistics of no trace. Each of their tables has at most the given number of rows.
func NewMerged(rows int) *Merged {
	return &Merged{rows: rows, pools: newNamed(rows, poolName{name: Others}, newPool),
		classes: newNamed(rows, Others, newClass), callers: newNamed(rows, methodName{method: Others}, newCaller),
		sites: map[mergedSite]*Site{}, blamed: map[BlameKey]*BlameRow{},
		starts: map[startPools]*StartRow{}}
}

// Statistics returns the statistics of all traces added so far, valid until the next Add.
func (m *Merged) Statistics() *Statistics {
	m.sum.Pools, m.sum.Classes, m.sum.Callers = m.pools.rows, m.classes.rows, m.callers.rows
	slices.SortStableFunc(m.sum.Pairs, func(a, b *Pair) int { return cmp.Compare(b.Total, a.Total) })
	slices.SortStableFunc(m.sum.Starts.Rows, (*StartRow).byTotal)
	m.trim(m.rows)
	if m.sum.Blame != nil {
		slices.SortStableFunc(m.sum.Blame.Rows, (*BlameRow).byTotal)
	}
	for _, s := range m.sum.Sites {
		if s.byPlace != nil {
			slices.SortFunc(s.Holders, compareHolders)
			s.byPlace = nil // the order has changed
		}
	}
	return &m.sum
}

// Add adds the statistics of other traces. It consumes them: they must not be used afterwards.
func (m *Merged) Add(other *Statistics) {
	sum := &m.sum
	sum.Traces = append(sum.Traces, other.Traces...)
	sum.All.Merge(&other.All)
	sum.Threads = append(sum.Threads, other.Threads...)
	sum.Monitors = append(sum.Monitors, other.Monitors...)
	sum.Pairs = append(sum.Pairs, other.Pairs...)
	sum.Selected = sum.Selected || other.Selected
	for _, p := range other.Pools {
		m.pools.put(poolName{threads.PoolOf(p.Name), p.OfJVM}, p, (*Pool).merge)
	}
	for _, c := range other.Classes {
		m.classes.put(c.Name, c, (*Class).merge)
	}
	for _, c := range other.Callers {
		m.callers.put(methodName{c.Class, c.Method}, c, (*Caller).merge)
	}
	for _, s := range other.Sites {
		mergeRow(m.sites, &sum.Sites, mergedSite{s.Place, s.Monitor}, s, (*Site).merge)
	}
	for table, hidden := range other.Hidden {
		sum.Hidden.add(table, hidden)
	}
	sum.Starts.merge(&other.Starts, m.starts)
	m.addBlame(other)
	sum.Samples = sum.Samples.Merge(other.Samples)
	if sum.Workers == nil {
		sum.Workers = other.Workers
	} else if other.Workers != nil {
		sum.Workers.merge(other.Workers)
	}
	m.trim(2 * m.rows) // each row is sorted once or twice, however many traces are added
}

// addBlame adds the blame. Sums over some of the traces would mislead, so statistics without blame remove it.
func (m *Merged) addBlame(other *Statistics) {
	sum := &m.sum
	if other.Blame == nil {
		m.lacksBlame = true
		for _, t := range other.Traces {
			sum.Unblamed = append(sum.Unblamed, t.Name)
		}
	}
	if m.lacksBlame {
		sum.Blame = nil
		delete(sum.Hidden, tableBlame)
		return
	}
	if sum.Blame == nil {
		sum.Blame = &Blame{}
	}
	sum.Blame.Total = histogram.Sum(sum.Blame.Total, other.Blame.Total)
	sum.Blame.Count += other.Blame.Count
	for _, row := range other.Blame.Rows {
		mergeRow(m.blamed, &sum.Blame.Rows, row.BlameKey, row, (*BlameRow).merge)
	}
}

// trim removes the lightest rows of the tables that have more than limit.
func (m *Merged) trim(limit int) {
	for _, t := range []interface{ trim(*Merged, int) }{threadRows, monitorRows, pairRows, siteRows, blameRows,
		startRows} {
		t.trim(m, limit)
	}
}

// trim removes the lightest rows of a table with more rows than the limit, down to the number that m keeps.
func (t tableOf[R]) trim(m *Merged, limit int) {
	rows := t.rows(&m.sum)
	if len(*rows) <= limit {
		return
	}
	var hidden HiddenRows
	*rows = withoutLightest(*rows, len(*rows)-m.rows, t.weight, &hidden, func(row *R) {
		switch row := any(row).(type) {
		case *Site:
			delete(m.sites, mergedSite{row.Place, row.Monitor})
		case *BlameRow:
			delete(m.blamed, row.BlameKey)
		case *StartRow:
			delete(m.starts, row.startPools)
		}
	})
	m.sum.Hidden.add(t.name, hidden)
}

// mergeRow merges a row with the one that has the key, or appends it if it is the first one.
func mergeRow[K comparable, R any](byKey map[K]R, rows *[]R, key K, row R, merge func(first, row R)) {
	if first, ok := byKey[key]; ok {
		merge(first, row)
		return
	}
	byKey[key] = row
	*rows = append(*rows, row)
}

func (c *Class) merge(other *Class) {
	c.Times.Merge(&other.Times)
	c.Different.merge(other.Different)
	c.Blocks.merge(other.Blocks)
	c.Waits.merge(other.Waits)
}

func (d *Different) merge(other Different) {
	d.Monitors += other.Monitors
	d.Threads += other.Threads
}

func (c *Caller) merge(other *Caller) {
	c.Times.Merge(&other.Times)
	c.Different.merge(other.Different)
}

func (s *Site) merge(other *Site) {
	if s.ClassObject != other.ClassObject {
		s.ClassObject = ""
	}
	s.Times.Merge(&other.Times)
	s.Different.merge(other.Different)
	if s.byPlace == nil {
		s.byPlace = map[Place]int{}
		for i, holder := range s.Holders {
			s.byPlace[holder.Place] = i
		}
	}
	for _, holder := range other.Holders {
		i, ok := s.byPlace[holder.Place]
		if !ok {
			i = len(s.Holders)
			s.byPlace[holder.Place], s.Holders = i, append(s.Holders, Holder{Place: holder.Place})
		}
		s.Holders[i].merge(holder.Tally)
	}
}

func (t *Tally) merge(other Tally) {
	t.Count += other.Count
	t.Total = histogram.Sum(t.Total, other.Total)
	t.Max = max(t.Max, other.Max)
}

// compareHolders compares for the order of Site.Holders, which does not depend on the order of the traces.
func compareHolders(a, b Holder) int {
	return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Method, b.Method),
		cmp.Compare(a.Line, b.Line))
}
