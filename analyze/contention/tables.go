package contention

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
	"github.com/trcx/trcx/trace"
)

// View is a selection of tables, by the name that users have for it.
type View struct {
	Name, Summary string
	keeps         []string // the tables that programs get
	tables        []func(*Statistics, Order) table.Table
}

// has says whether programs get the table.
func (v View) has(name string) bool { return v.keeps == nil || slices.Contains(v.keeps, name) }

// Views are all that there are; the first one is shown unless another is asked for. The others have the names that
// users of `jfr view` know.
var Views = []View{
	{"", "all of the following, and who waited where", nil, []func(*Statistics, Order) table.Table{
		threadTable, classTable(Blocked), classTable(Waited), monitorTable, siteTable(Blocked), siteTable(Waited),
		siteTable(Joined), siteTable(Slept), pairTable}},
	{"contention-by-thread", "threads, and who blocked whom", []string{TableThreads, TablePairs},
		[]func(*Statistics, Order) table.Table{threadTable, pairTable}},
	{"contention-by-class", "classes of monitors", []string{TableClasses}, []func(*Statistics, Order) table.Table{
		classTable(Blocked), classTable(Waited)}},
	{"contention-by-site", "places in the program, with where the holder was", []string{TableCallers, TableSites},
		[]func(*Statistics, Order) table.Table{siteTable(Blocked), siteTable(Waited)}},
	{"contention-by-monitor", "monitors, with who held them", []string{TableMonitors},
		[]func(*Statistics, Order) table.Table{monitorTable}},
}

// Order says by what rows are sorted, and how many are shown.
type Order struct {
	// By is one of Orders; "" is by what a table is about.
	By string
	// Top is how many rows are shown; 0 for all.
	Top int
}

// Orders are the names of orders: a kind, alone for its total time or with one of histogram.Figures behind a point;
// name; first.
func Orders() (all []string) {
	for _, kind := range Kinds {
		all = append(all, kind)
	}
	return append(all, "name", "first")
}

// CheckOrder says whether there is such an order.
func CheckOrder(by string) error {
	kind, figure, dotted := strings.Cut(by, ".")
	known := slices.Contains(Orders(), kind) && (!dotted || slices.Contains(Kinds[:], kind) &&
		slices.Contains(histogram.Figures, figure))
	if by != "" && !known {
		return fmt.Errorf("there is no order %q; sort by %s, or one of the times with .%s behind it", by,
			strings.Join(Orders(), ", "),
			strings.Join(histogram.Figures, ", ."))
	}
	return nil
}

// sorted are the rows in the order, those that matter first.
func sorted[R any](all []*R, order Order, usual Kind, times func(*R) *Times, name func(*R) string) []*R {
	by := cmp.Or(order.By, Kinds[usual])
	list := slices.Clone(all)
	switch by {
	case "first":
		return list
	case "name":
		slices.SortStableFunc(list, func(a, b *R) int { return strings.Compare(name(a), name(b)) })
		return list
	}
	kindName, figure, _ := strings.Cut(by, ".")
	kind := Kind(slices.Index(Kinds[:], kindName))
	slices.SortStableFunc(list, func(a, b *R) int {
		return cmp.Compare(times(b).Of(kind).Figure(figure), times(a).Of(kind).Figure(figure))
	})
	return list
}

// Sort sorts all tables for a program that reads them. Without an order they stay in the order first seen.
func (s *Statistics) Sort(by string) {
	if by == "" {
		return
	}
	order := Order{By: by}
	s.Threads = sorted(s.Threads, order, Blocked, timesOfThread, nameOfThread)
	s.Classes = sorted(s.Classes, order, Blocked, timesOfClass, nameOfClass)
	s.Monitors = sorted(s.Monitors, order, Blocked, timesOfMonitor, nameOfMonitor)
	s.Callers = sorted(s.Callers, order, Blocked, func(c *Caller) *Times { return &c.Times }, func(c *Caller) string {
		return c.Class + "." + c.Method
	})
	s.Sites = sorted(s.Sites, order, Blocked, timesOfSite, nameOfSite)
}

func timesOfThread(t *Thread) *Times   { return &t.Times }
func nameOfThread(t *Thread) string    { return t.Name }
func timesOfClass(c *Class) *Times     { return &c.Times }
func nameOfClass(c *Class) string      { return c.Name }
func timesOfMonitor(m *Monitor) *Times { return &m.Times }
func nameOfMonitor(m *Monitor) string  { return m.Class }
func timesOfSite(s *Site) *Times       { return &s.Times }
func nameOfSite(s *Site) string        { return s.Place.String() }

// Tables are those of the view, without the empty ones.
func (s *Statistics) Tables(view View, order Order) []table.Table {
	var all []table.Table
	for _, make := range view.tables {
		if t := make(s, order); len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// with are the rows that have something of the kind.
func with[R any](all []*R, kind Kind, times func(*R) *Times) []*R {
	return slices.DeleteFunc(slices.Clone(all), func(row *R) bool { return times(row).Of(kind).Count == 0 })
}

// fill makes the rows of a table, as many as the order says.
func fill[R any](t *table.Table, all []*R, order Order, hidden HiddenRows, cells func(*R) []table.Cell) {
	shown := all
	if order.Top > 0 && len(all) > order.Top {
		shown = all[:order.Top]
		t.AddNote(fmt.Sprintf("… and %d more (--top 0 shows all)", len(all)-len(shown)))
	}
	for _, row := range shown {
		t.Rows = append(t.Rows, cells(row))
	}
	if hidden.Rows > 0 {
		t.AddNote(fmt.Sprintf("%d rows with %s together were not kept apart (--max-rows)", hidden.Rows,
			table.TotalDuration(hidden.Time)))
	}
}

func columns(left []string, right ...string) (all []table.Column) {
	for _, name := range left {
		all = append(all, table.Column{Name: name})
	}
	for _, name := range right {
		all = append(all, table.Column{Name: name, Right: true})
	}
	return all
}

// total is how long all of the kind took.
func total(t *Times, kind Kind) table.Cell { return table.Total(t.Of(kind).Total) }

// pair is how often and how long; nothing where there is nothing.
func pairOf(t *Times, kind Kind) []table.Cell {
	if t.Of(kind).Count == 0 {
		return []table.Cell{table.Nothing(), table.Nothing()}
	}
	return []table.Cell{table.Count(t.Of(kind).Count), total(t, kind)}
}

// spread are all figures of the kind.
func spread(t *Times, kind Kind) []table.Cell {
	d := t.Of(kind)
	return []table.Cell{table.Count(d.Count), total(t, kind), table.Time(d.Min), table.Time(d.Max),
		table.Time(d.Mean()),
		table.Time(d.Percentile(50)), table.Time(d.Percentile(90)), table.Time(d.Percentile(99))}
}

var spreadColumns = []string{"count", "total", "min", "max", "mean", "p50", "p90", "p99"}

func threadTable(s *Statistics, order Order) table.Table {
	t := table.Table{Title: "Threads", Columns: columns([]string{"id", "thread", "group"},
		"blocks", "blocked", "waits", "waited", "with timeout", "joins", "joined", "sleeps", "slept")}
	t.Columns[0].Right = true
	busy := slices.DeleteFunc(slices.Clone(s.Threads), func(row *Thread) bool { return row.Times.IsEmpty() })
	fill(&t, sorted(busy, order, Blocked, timesOfThread, nameOfThread), order, s.Hidden[TableThreads],
		func(row *Thread) []table.Cell {
			return slices.Concat([]table.Cell{table.Text(row.ID), table.Text(row.Name), table.Text(row.Group)},
				pairOf(&row.Times, Blocked), pairOf(&row.Times, Waited),
				pairOf(&row.Times, Timed)[1:], pairOf(&row.Times, Joined), pairOf(&row.Times, Slept))
		})
	if idle := len(s.Threads) - len(busy); idle > 0 {
		t.AddNote(fmt.Sprintf("threads that were never blocked and never waited: %d", idle))
	}
	return t
}

// titles are what threads did, by kind.
var titles = [KindCount]string{Blocked: "were blocked", Waited: "waited", Joined: "joined others", Slept: "slept"}

func classTable(kind Kind) func(*Statistics, Order) table.Table {
	return func(s *Statistics, order Order) table.Table {
		t := table.Table{Title: "Classes of monitors at which threads " + titles[kind],
			Columns: columns([]string{"class"}, slices.Concat(spreadColumns, []string{"monitors", "threads"})...)}
		fill(&t, sorted(with(s.Classes, kind, timesOfClass), order, kind, timesOfClass, nameOfClass), order,
			HiddenRows{}, func(c *Class) []table.Cell {
				different := c.Blocks
				if kind != Blocked {
					different = c.Waits
				}
				return slices.Concat([]table.Cell{table.Text(class(c.Name))}, spread(&c.Times, kind),
					[]table.Cell{table.Count(different.Monitors), table.Count(different.Threads)})
			})
		return t
	}
}

// class is a class as tables name it, as Java writes it.
func class(name string) string { return strings.ReplaceAll(cmp.Or(name, "(unknown)"), "/", ".") }

func monitorTable(s *Statistics, order Order) table.Table {
	t := table.Table{Title: "Monitors", Columns: columns([]string{"class", "object"}, "blocks", "blocked", "longest",
		"waits", "waited", "threads")}
	t.Columns = append(t.Columns, table.Column{Name: "held by"})
	fill(&t, sorted(s.Monitors, order, Blocked, timesOfMonitor, nameOfMonitor), order, s.Hidden[TableMonitors],
		func(m *Monitor) []table.Cell {
			return slices.Concat([]table.Cell{table.Text(class(m.Class)), table.Text(m.ID)}, pairOf(&m.Times, Blocked),
				[]table.Cell{longest(m)},
				pairOf(&m.Times, Waited), []table.Cell{table.Count(m.Threads), table.Text(m.heldBy())})
		})
	return t
}

func longest(m *Monitor) table.Cell {
	if m.Times.Of(Blocked).Count == 0 {
		return table.Nothing()
	}
	return table.Time(m.Times.Of(Blocked).Max)
}

// heldBy names the owner that blocked others longest.
func (m *Monitor) heldBy() string {
	if len(m.Owners) == 0 {
		return ""
	}
	first := m.Owners[0]
	return first.String() + share(first.Total, m.Times.Of(Blocked).Total, len(m.Owners) > 1)
}

// String is the thread as tables name it.
func (w Who) String() string { return cmp.Or(w.Name, "thread "+w.ID) }

// share is how much of the whole it is, where there are others.
func share(part, whole uint64, others bool) string {
	if !others || whole == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f %%)", 100*float64(part)/float64(whole))
}

// String is the place as stack traces of Java write it: shop.Cache.load(Cache.java:88).
func (p Place) String() string {
	line := p.Line
	if line == 0 {
		line = trace.NoLine
	}
	return phrase.Frame(trace.Frame{Method: &trace.ModelMethod{Class: p.Class, Name: p.Method, File: p.File},
		Line: line})
}

// particulars are the columns that tables of places have at their end.
var particulars = [KindCount][]table.Column{
	Blocked: {{Name: "monitors", Right: true}, {Name: "where the holder was"}},
	Waited:  {{Name: "monitors", Right: true}},
}

func siteTable(kind Kind) func(*Statistics, Order) table.Table {
	return func(s *Statistics, order Order) table.Table {
		t := table.Table{Title: "Places in the program where threads " + titles[kind],
			Columns: append(columns([]string{"place", "class"}, slices.Concat(spreadColumns, []string{"threads"})...),
				particulars[kind]...)}
		fill(&t, sorted(with(s.Sites, kind, timesOfSite), order, kind, timesOfSite, nameOfSite), order,
			s.Hidden[TableSites], func(row *Site) []table.Cell {
				last := []table.Cell{table.Count(row.Monitors), table.Text(row.heldIn())}
				return slices.Concat([]table.Cell{table.Text(row.Place.String()), table.Text(monitorClass(row, kind))},
					spread(&row.Times, kind),
					[]table.Cell{table.Count(row.Threads)}, last[:len(particulars[kind])])
			})
		return t
	}
}

// monitorClass is the class of the site's monitors; nothing for sleeps, which need none.
func monitorClass(s *Site, kind Kind) string {
	if kind == Slept {
		return ""
	}
	return class(s.Monitor)
}

// heldIn names the place from which threads were blocked longest.
func (s *Site) heldIn() string {
	if len(s.Holders) == 0 {
		return ""
	}
	first := s.Holders[0]
	return first.Place.String() + share(first.Total, s.Times.Of(Blocked).Total, len(s.Holders) > 1)
}

func pairTable(s *Statistics, order Order) table.Table {
	t := table.Table{Title: "Who blocked whom", Columns: columns([]string{"blocked", "by"}, "count", "total",
		"longest")}
	pairs := slices.Clone(s.Pairs)
	slices.SortStableFunc(pairs, byTotal)
	fill(&t, pairs, order, s.Hidden[TablePairs], func(p *Pair) []table.Cell {
		return []table.Cell{table.Text(p.Waiter.String()), table.Text(p.Owner.String()), table.Count(p.Count),
			table.Total(p.Total), table.Time(p.Max)}
	})
	return t
}
