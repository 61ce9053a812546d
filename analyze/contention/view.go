package contention

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// View is a selection of tables.
type View struct {
	Name, Summary string
	tables        []string // in JSON and CSV; nil for all
	parts         []part   // in text and Markdown
}

// part makes a table for people.
type part func(*Statistics, Order) answer.Table

// Views returns all views; the first one is the default. The others are named like the views of `jfr view`.
func Views() []View { return slices.Clone(views) }

var views = []View{
	{"", "all of the following, and who waited where", nil, []part{
		threadTable, poolTable, saturatedTable, neverEndedTable, classTable(Blocked), classTable(Waited), monitorTable,
		siteTable(Blocked), siteTable(Waited),
		siteTable(Joined), siteTable(Slept), pairTable, blameTable, startTable, monitorTimeTable,
		collectionTable, loadTable}},
	{"contention-by-thread", "threads, and who held what they were blocked on", []string{TableThreads, tablePairs},
		[]part{threadTable, pairTable}},
	{"contention-by-pool", "pools: threads whose names differ only in digits", []string{tablePools},
		[]part{poolTable, saturatedTable, neverEndedTable}},
	{"contention-by-class", "classes of monitors", []string{tableClasses},
		[]part{classTable(Blocked), classTable(Waited)}},
	{"contention-by-site", "places in the program, with where the holder was", []string{tableCallers, TableSites},
		[]part{siteTable(Blocked), siteTable(Waited), monitorTimeTable}},
	{"contention-by-monitor", "monitors, with who held them", []string{TableMonitors}, []part{monitorTable}},
}

// Answer returns the answer: for people remarks and the tables of the view; as CSV and JSON all rows of its tables.
func (s *Statistics) Answer(view View, order Order) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return s.report(view, order) },
		CSV:    answer.Rows(func(add func(...any)) { s.only(view, order).csv(add) }),
		JSON:   func() any { return s.only(view, order).json(FiguresOf) },
	}
}

// report returns the remarks and the tables of the view that have rows.
func (s *Statistics) report(view View, order Order) *answer.Report {
	report := &answer.Report{Note: s.advice(), Remarks: append(s.Remarks(), s.sums().idleWords()...)}
	report.Remark(s.unblamed())
	for _, part := range view.parts {
		report.Add(part(s, order))
	}
	return report
}

// print makes a table of the rows, limited and sorted by the order or else by the kind that the table is about.
func (t tableOf[R]) print(s *Statistics, title string, columns answer.Columns, rows []*R, order Order, kind Kind,
	cells func(*R) []any) answer.Table {
	result := answer.Table{Title: title, Columns: columns}
	if t.times != nil {
		rows = t.sorted(rows, cmp.Or(order.By, kinds[kind]))
	}
	if more := len(rows) - order.Top; order.Top > 0 && more > 0 {
		rows, result.More = rows[:order.Top], more
	}
	for _, row := range rows {
		result.Rows = append(result.Rows, cells(row))
	}
	if hidden := s.Hidden[t.name]; hidden.Rows > 0 {
		result.Note("%d rows with %s together are beyond the limit of rows, and not kept apart", hidden.Rows,
			phrase.Total(hidden.Time))
	}
	return result
}

// totalAndCount returns the two figures of most tables.
func totalAndCount(t *Times, kind Kind) []any {
	d := t.Of(kind)
	if d.Count == 0 {
		return answer.Row(nil, nil)
	}
	return answer.Row(answer.Total(d.Total), d.Count)
}

// spread returns all figures of the kind, in the order of spreadColumns.
func spread(t *Times, kind Kind) []any {
	d := t.Of(kind)
	return answer.Row(d.Count, answer.Total(d.Total), answer.Time(d.Min), answer.Time(d.Max), answer.Time(d.Mean()),
		answer.Time(d.Percentile(50)), answer.Time(d.Percentile(90)), answer.Time(d.Percentile(99)))
}

// parts returns the kinds Parked, IO and Init as far as they have lengths. Tables have columns only for these.
func (s *Statistics) parts() (parts []Kind) {
	for _, kind := range []Kind{Parked, IO, Init} {
		if s.All.Of(kind).Count > 0 {
			parts = append(parts, kind)
		}
	}
	return parts
}

// partColumns returns the columns of totals.
func partColumns(parts []Kind) answer.Columns {
	var names []string
	for _, kind := range parts {
		names = append(names, stateKinds[kind])
	}
	return answer.Right(names...)
}

// totals returns the totals of the parts.
func totals(t *Times, parts []Kind) (cells []any) {
	for _, kind := range parts {
		cells = append(cells, totalAndCount(t, kind)[0])
	}
	return cells
}

// spreadHead returns the columns of all figures of a kind.
func spreadHead() answer.Columns {
	columns := answer.Right(spreadColumns...)
	for i, spare := range []int{1, 0, 6, 4, 6, 6, 6, 5} {
		columns[i].Spare = spare
	}
	return columns
}

var spreadColumns = []string{"count", "total", "min", "max", "mean", "p50", "p90", "p99"}

func threadTable(s *Statistics, order Order) answer.Table {
	states := s.stateColumns()
	head := slices.Concat(answer.Right("id").Spare(2), answer.Left("thread"), answer.Left("group").Spare(8), states.head)
	busy := slices.DeleteFunc(slices.Clone(s.Threads), func(t *Thread) bool { return t.Times.isEmpty() })
	t := threadRows.print(s, "Threads", head, busy, order, Blocked, func(t *Thread) []any {
		return answer.Row(t.ID, t.Name, t.Group, states.cells(&t.Times))
	})
	states.noteParts(&t)
	if others := len(s.Threads) - len(busy); others > 0 {
		t.Note("threads without a wait in the trace: %d", others)
	}
	return t
}

// stateColumns are the columns of all states.
type stateColumns struct {
	head  answer.Columns
	parts []Kind // as far as the statistics have PARKED, IN I/O and INITIALISING
	mixed bool   // Waited sums several states
}

// stateColumns returns the times and counts of all states. WAITING includes TIMED_WAITING, IN I/O and INITIALISING;
// WAITING and BLOCKED include what is PARKED.
func (s *Statistics) stateColumns() stateColumns {
	parts := s.parts()
	return stateColumns{slices.Concat(answer.Right("BLOCKED"), answer.Right("times").Spare(7), answer.Right(s.waitColumn()),
		answer.Right("times").Spare(7), answer.Right("TIMED_WAITING").Spare(3), partColumns(parts).Spare(4),
		answer.Right("JOINING").Spare(5), answer.Right("times").Spare(7), answer.Right("SLEEPING").Spare(6),
		answer.Right("times").Spare(7)), parts, s.waitsAreMixed()}
}

// waitsAreMixed reports whether Waited has times in other states than WAITING.
func (s *Statistics) waitsAreMixed() bool { return len(s.parts()) > 0 || s.All.Of(Timed).Count > 0 }

// waitColumn is the heading of Waited: WAITING if it has no other states.
func (s *Statistics) waitColumn() string {
	if s.waitsAreMixed() {
		return "waits"
	}
	return stateKinds[Waited]
}

// noteParts adds a note on the columns whose states overlap.
func (c *stateColumns) noteParts(t *answer.Table) {
	if !c.mixed || len(t.Rows) == 0 {
		return
	}
	names := []string{trace.StateWaiting.String(), trace.StateTimedWaiting.String()}
	for _, part := range c.parts {
		names = append(names, stateKinds[part])
	}
	note := "waits: " + phrase.List(names, "and") + " together"
	names = slices.DeleteFunc(names, func(name string) bool { return name == stateKinds[Init] }) // without a timeout
	if len(names) > 2 {
		note += "; TIMED_WAITING includes what was " + phrase.List(names[2:], "or") + " with a timeout"
	}
	if slices.Contains(c.parts, Parked) {
		note += "; PARKED includes what was BLOCKED on locks of java.util.concurrent"
	}
	t.Note("%s", note)
}

// cells returns the figures of the columns.
func (c *stateColumns) cells(t *Times) []any {
	return slices.Concat(totalAndCount(t, Blocked), totalAndCount(t, Waited), totalAndCount(t, Timed)[:1],
		totals(t, c.parts), totalAndCount(t, Joined), totalAndCount(t, Slept))
}

// poolTable shows the pools. It is empty if each thread has a name of its own.
func poolTable(s *Statistics, order Order) answer.Table {
	if !slices.ContainsFunc(s.Pools, func(p *Pool) bool { return p.Threads > 1 && !p.Times.isEmpty() }) {
		return answer.Table{}
	}
	states := s.stateColumns()
	head := slices.Concat(answer.Left("pool"), answer.Right("threads").Spare(1), answer.Right("their time").Spare(8),
		states.head, answer.Right("idle", "timed out").Spare(9))
	busy := slices.DeleteFunc(slices.Clone(s.Pools), func(p *Pool) bool { return p.Times.isEmpty() })
	t := poolRows.print(s, "Pools: threads whose names differ only in digits", head, busy, order, Blocked,
		func(p *Pool) []any {
			var idle any
			if p.Idle.Count > 0 {
				idle = answer.Total(p.Idle.Total)
			}
			return answer.Row(cmp.Or(p.Name, "(no name)"), p.Threads, answer.Total(p.Lifetime), states.cells(&p.Times), idle,
				answer.Known(p.TimedOut))
		})
	states.noteParts(&t)
	return t
}

// verb says what threads did: "were BLOCKED".
func (s *Statistics) verb(kind Kind) string {
	if kind == Waited && s.waitsAreMixed() {
		return "waited"
	}
	return "were " + stateKinds[kind]
}

// classesTitle is the title of a table of classes.
func (s *Statistics) classesTitle(kind Kind) string {
	what := "Classes of monitors"
	if s.All.Of(Parked).Count > 0 {
		what += " and locks"
	}
	if kind == Waited && s.waitsAreMixed() {
		what = "Classes of objects"
	}
	return what + " at which threads " + s.verb(kind)
}

func classTable(kind Kind) part {
	return func(s *Statistics, order Order) answer.Table {
		return classRows.print(s, s.classesTitle(kind),
			slices.Concat(answer.Left("class"), spreadHead(), answer.Right("monitors", "threads").Spare(5)),
			classRows.with(s.Classes, kind), order, kind, func(c *Class) []any {
				different := c.Blocks
				if kind != Blocked {
					different = c.Waits
				}
				return answer.Row(javaClass(c.Name), spread(&c.Times, kind), different.Monitors, different.Threads)
			})
	}
}

// javaClass returns the name of a class as people know it. The fair variant of a synchronizer is a separate class.
func javaClass(name string) string {
	plain := javaname.PlainClass(cmp.Or(name, "(unknown)"))
	if s, ok := javaname.SynchronizerOf(name); ok && s.Fair {
		plain += " (fair)"
	}
	return plain
}

// classTitle returns the class of the monitor; for a condition, with its lock.
func (m *Monitor) classTitle() string {
	if m.Lock == "" {
		return javaClass(m.Class)
	}
	return "condition of " + javaname.SimpleClass(cmp.Or(m.LockClass, "lock")) + " " + m.Lock
}

func monitorTable(s *Statistics, order Order) answer.Table {
	head := slices.Concat(answer.Left("class"), answer.Left("object").Spare(1), answer.Right("BLOCKED"),
		answer.Right("times").Spare(6), answer.Right("longest").Spare(4), answer.Right(s.waitColumn()).Spare(2),
		answer.Right("times").Spare(6), answer.Right("threads").Spare(5), answer.Left("held by").Spare(3),
		answer.Left("where the holder was").Spare(5))
	return monitorRows.print(s, "Monitors", head, s.Monitors, order, Blocked, func(m *Monitor) []any {
		var longest any
		if d := m.Times.Of(Blocked); d.Count > 0 {
			longest = answer.Time(d.Max)
		}
		return answer.Row(m.classTitle(), m.ID, totalAndCount(&m.Times, Blocked), longest,
			totalAndCount(&m.Times, Waited), m.Threads, m.heldBy(),
			m.heldAt())
	})
}

// heldBy names the owner that blocked others longest, and its share.
func (m *Monitor) heldBy() string {
	known := m.knownOwners()
	switch {
	case len(m.Owners) == 0:
		return ""
	case len(known) == 0:
		return m.Owners[0].String()
	}
	return known[0].String() + share(known[0].Total, m.Times.Of(Blocked).Total, len(m.Owners) > 1)
}

// heldAt names the place where that owner was longest, and the share of its time there, unless that is nearly all.
func (m *Monitor) heldAt() string {
	known := m.knownOwners()
	if len(known) == 0 || len(known[0].Places) == 0 {
		return ""
	}
	at, total := &known[0].Places[0], known[0].Total
	text := at.String()
	if at.Probable {
		text = "probably in " + text
	}
	if float64(at.Total) <= 0.99*float64(total) {
		text += " (" + percent(at.Total, total) + ")"
	}
	return text
}

// knownOwners returns the owners without the sum of unknown ones.
func (m *Monitor) knownOwners() []Owner {
	return slices.DeleteFunc(slices.Clone(m.Owners), func(o Owner) bool { return o.ID == "" })
}

// String returns the thread's name, or else its id.
func (w NamedThread) String() string {
	if w.ID == "" {
		return "(unknown)"
	}
	return cmp.Or(w.Name, "thread "+w.ID)
}

// share is a part in percent of the whole, if there are other parts.
func share(part, whole uint64, others bool) string {
	if !others || whole == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.0f %%)", 100*float64(part)/float64(whole))
}

// String returns the place as Java's stack traces write it: shop.Cache.load(Cache.java:88).
func (p Place) String() string {
	text := wording.Frame(p.Frame())
	if p.In != "" {
		text += " (in " + phrase.Name(p.In) + ")"
	}
	return text + p.Outer
}

// Frame returns only the call; its method is nil if the place is unknown.
func (p Place) Frame() trace.Frame {
	if p.Method == "" {
		return trace.Frame{}
	}
	return trace.Frame{Method: &trace.ModelMethod{Class: p.Class, Name: p.Method, File: p.File},
		Line: cmp.Or(p.Line, trace.NoLine)}
}

// siteColumns are the last columns of tables of sites.
var siteColumns = [KindCount]answer.Columns{
	Blocked: append(answer.Right("monitors").Spare(8), answer.Left("where the holder was last seen").Spare(3)...),
	Waited:  answer.Right("monitors").Spare(8),
}

func siteTable(kind Kind) part {
	return func(s *Statistics, order Order) answer.Table {
		var parts []Kind
		if kind == Waited {
			parts = s.parts()
		}
		head := slices.Concat(answer.Left("place"), answer.Left("class").Spare(2), spreadHead(),
			partColumns(parts).Spare(7), answer.Right("threads").Spare(8), siteColumns[kind])
		return siteRows.print(s, "Places in the program where threads "+s.verb(kind), head,
			siteRows.with(s.Sites, kind), order, kind, func(s *Site) []any {
				class := ""
				if kind != Slept {
					class = javaClass(cmp.Or(s.ClassObject, s.Monitor))
				}
				last := answer.Row(s.Monitors, s.heldIn())
				return answer.Row(s.Place.String(), class, spread(&s.Times, kind), totals(&s.Times, parts), s.Threads,
					last[:len(siteColumns[kind])])
			})
	}
}

// heldIn names the place from which threads were blocked longest.
func (s *Site) heldIn() string {
	if len(s.Holders) == 0 {
		return ""
	}
	first := s.Holders[0]
	return first.Place.String() + share(first.Total, s.Times.Of(Blocked).Total, len(s.Holders) > 1)
}

func pairTable(s *Statistics, order Order) answer.Table {
	return pairRows.print(s, "Who held the monitor when a thread was blocked", slices.Concat(
		answer.Left("blocked", "held by"), answer.Right("count").Spare(1), answer.Right("total"),
		answer.Right("longest").Spare(2)), s.Pairs, order, Blocked, func(p *Pair) []any {
		return answer.Row(p.Waiter.String(), p.Owner.String(), p.Count, answer.Total(p.Total), answer.Time(p.Max))
	})
}
