package contention

import (
	"cmp"
	"slices"
)

// Merged are the statistics of several traces, which become those of one more with each Add. Its Statistics can be read
// at any time.
type Merged struct {
	Statistics
	rows    int
	classes map[string]*Class
	callers map[methodName]*Caller
	sites   map[mergedSite]*Site
}

type mergedSite struct {
	Place
	monitor string
}

// NewMerged returns statistics of no trace. Their tables have at most so many rows each.
func NewMerged(rows int) *Merged {
	return &Merged{rows: rows, classes: map[string]*Class{}, callers: map[methodName]*Caller{},
		sites: map[mergedSite]*Site{}}
}

// Add adds the statistics of other traces, which must not be used any more.
func (m *Merged) Add(other *Statistics) {
	m.Traces = append(m.Traces, other.Traces...)
	m.All.Merge(&other.All)
	m.Threads = append(m.Threads, other.Threads...)
	m.Monitors = append(m.Monitors, other.Monitors...)
	m.Pairs = append(m.Pairs, other.Pairs...)
	slices.SortStableFunc(m.Pairs, byTotal)
	for _, c := range other.Classes {
		m.addClass(c)
	}
	for _, c := range other.Callers {
		m.addCaller(c)
	}
	for _, s := range other.Sites {
		m.addSite(s)
	}
	for table, hidden := range other.Hidden {
		m.Hidden.add(table, hidden)
	}
	m.Threads = trim(m, TableThreads, m.Threads, func(t *Thread) uint64 { return t.Times.weight() })
	m.Monitors = trim(m, TableMonitors, m.Monitors, func(t *Monitor) uint64 { return t.Times.weight() })
	m.Pairs = trim(m, TablePairs, m.Pairs, func(p *Pair) uint64 { return p.Total })
	m.Sites = trim(m, TableSites, m.Sites, func(s *Site) uint64 { return s.Times.weight() })
}

// trim drops the lightest rows of a table that has too many.
func trim[R any](m *Merged, table string, rows []*R, weight func(*R) uint64) []*R {
	if len(rows) <= m.rows {
		return rows
	}
	byWeight := slices.Clone(rows)
	slices.SortStableFunc(byWeight, func(a, b *R) int { return cmp.Compare(weight(a), weight(b)) })
	light := map[*R]bool{}
	for _, row := range byWeight[:len(rows)-m.rows] {
		light[row] = true
	}
	var hidden HiddenRows
	rows = slices.DeleteFunc(rows, func(row *R) bool {
		if !light[row] {
			return false
		}
		hidden.add(weight(row))
		if site, ok := any(row).(*Site); ok {
			delete(m.sites, mergedSite{site.Place, site.Monitor})
		}
		return true
	})
	m.Hidden.add(table, hidden)
	return rows
}

// put adds a row to that of the key, or to the list if it is the first one.
func put[K comparable, R any](byKey map[K]*R, list *[]*R, key K, row *R, merge func(into, row *R)) {
	if known := byKey[key]; known != nil {
		merge(known, row)
		return
	}
	byKey[key] = row
	*list = append(*list, row)
}

func (m *Merged) addClass(c *Class) {
	if m.classes[c.Name] == nil && len(m.Classes) >= m.rows {
		c.Name = Others
	}
	put(m.classes, &m.Classes, c.Name, c, (*Class).merge)
}

func (m *Merged) addCaller(c *Caller) {
	if m.callers[methodName{c.Class, c.Method}] == nil && len(m.Callers) >= m.rows {
		c.Class, c.Method = "", Others
	}
	put(m.callers, &m.Callers, methodName{c.Class, c.Method}, c, (*Caller).merge)
}

func (m *Merged) addSite(s *Site) {
	put(m.sites, &m.Sites, mergedSite{s.Place, s.Monitor}, s, (*Site).merge)
}

// addHolders adds what other holders had.
func (s *Site) addHolders(others []Holder) {
	places := map[Place]int{}
	for i, holder := range s.Holders {
		places[holder.Place] = i
	}
	for _, holder := range others {
		if at, known := places[holder.Place]; known {
			s.Holders[at].merge(holder.Tally)
			continue
		}
		places[holder.Place] = len(s.Holders)
		s.Holders = append(s.Holders, holder)
	}
	slices.SortFunc(s.Holders, compareHolders)
}

func compareHolders(a, b Holder) int {
	return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Method, b.Method),
		cmp.Compare(a.Line, b.Line))
}
