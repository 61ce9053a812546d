package contention

import (
	"cmp"
	"slices"
	"strings"
)

// tableOf describes a table of Statistics, so that code for all tables is written once.
type tableOf[R any] struct {
	name   string
	rows   func(*Statistics) *[]*R
	times  func(*R) *Times // nil for a table of tallies
	title  func(*R) string // for sorting rows by name
	weight func(*R) uint64 // the heaviest rows are kept if some have to be left out
}

// tables are all tables of Statistics.
var tables = []interface {
	// only empties the table unless it has one of the names, if there are any, and sorts it by the order, if there is
	// one.
	only(s *Statistics, names []string, by string)
	// cut keeps the heaviest rows, the heaviest first, if there are more than the limit, and sets the number of the
	// others in omitted.
	cut(s *Statistics, limit int, omitted map[string]int)
	// dropNil drops rows that are nil.
	dropNil(*Statistics)
}{threadRows, poolRows, classRows, monitorRows, callerRows, siteRows, pairRows}

var (
	threadRows = timesTable(TableThreads, func(s *Statistics) *[]*Thread { return &s.Threads },
		func(t *Thread) *Times { return &t.Times }, func(t *Thread) string { return t.Name })
	poolRows = timesTable(tablePools, func(s *Statistics) *[]*Pool { return &s.Pools },
		func(p *Pool) *Times { return &p.Times }, func(p *Pool) string { return p.Name })
	classRows = timesTable(tableClasses, func(s *Statistics) *[]*Class { return &s.Classes },
		func(c *Class) *Times { return &c.Times }, func(c *Class) string { return c.Name })
	monitorRows = timesTable(TableMonitors, func(s *Statistics) *[]*Monitor { return &s.Monitors },
		func(m *Monitor) *Times { return &m.Times }, func(m *Monitor) string { return m.Class })
	callerRows = timesTable(tableCallers, func(s *Statistics) *[]*Caller { return &s.Callers },
		func(c *Caller) *Times { return &c.Times }, func(c *Caller) string { return c.Class + "." + c.Method })
	siteRows = timesTable(TableSites, func(s *Statistics) *[]*Site { return &s.Sites },
		func(s *Site) *Times { return &s.Times }, func(s *Site) string { return s.Place.String() })
	pairRows = tableOf[Pair]{name: tablePairs, rows: func(s *Statistics) *[]*Pair { return &s.Pairs },
		weight: func(p *Pair) uint64 { return p.Total }}
	// startRows is not in tables, because starts are selected as a whole.
	startRows = tableOf[StartRow]{name: tableStarts, rows: func(s *Statistics) *[]*StartRow { return &s.Starts.Rows },
		weight: func(r *StartRow) uint64 { return r.Total }}
	// blameRows is not in tables, because the blame is selected as a whole.
	blameRows = tableOf[BlameRow]{name: tableBlame, rows: func(s *Statistics) *[]*BlameRow {
		if s.Blame == nil {
			return new([]*BlameRow)
		}
		return &s.Blame.Rows
	}, weight: func(r *BlameRow) uint64 { return r.Total }}
)

// timesTable describes a table whose rows have times.
func timesTable[R any](name string, rows func(*Statistics) *[]*R, times func(*R) *Times,
	title func(*R) string) tableOf[R] {
	return tableOf[R]{name, rows, times, title, func(row *R) uint64 { return times(row).weight() }}
}

func (t tableOf[R]) only(s *Statistics, names []string, by string) {
	switch rows := t.rows(s); {
	case len(names) > 0 && !slices.Contains(names, t.name):
		*rows = nil
	case by != "" && t.times != nil:
		*rows = t.sorted(*rows, by)
	}
}

// sorted returns the rows sorted by the order: "name", "first", or a kind with or without a figure, descending.
func (t tableOf[R]) sorted(rows []*R, by string) []*R {
	rows = slices.Clone(rows)
	switch by {
	case "first":
	case "name":
		slices.SortStableFunc(rows, func(a, b *R) int { return strings.Compare(t.title(a), t.title(b)) })
	default:
		kindName, figure, _ := strings.Cut(by, ".")
		kind := Kind(slices.Index(kinds[:], kindName))
		slices.SortStableFunc(rows, func(a, b *R) int {
			return cmp.Compare(t.times(b).Of(kind).Figure(figure), t.times(a).Of(kind).Figure(figure))
		})
	}
	return rows
}

// with returns the rows that have lengths of the kind.
func (t tableOf[R]) with(rows []*R, kind Kind) []*R {
	return slices.DeleteFunc(slices.Clone(rows), func(row *R) bool { return t.times(row).Of(kind).Count == 0 })
}

func (t tableOf[R]) cut(s *Statistics, limit int, omitted map[string]int) {
	rows := t.rows(s)
	if more := len(*rows) - limit; more > 0 {
		heaviest := func(a, b *R) int { return cmp.Compare(t.weight(b), t.weight(a)) }
		*rows, omitted[t.name] = slices.SortedStableFunc(slices.Values(*rows), heaviest)[:limit], more
	}
}

func (t tableOf[R]) dropNil(s *Statistics) {
	rows := t.rows(s)
	*rows = slices.DeleteFunc(*rows, func(row *R) bool { return row == nil })
}
