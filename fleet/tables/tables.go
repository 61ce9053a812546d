package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/trace"
)

// Table is a table with named columns.
type Table struct {
	Name    string
	Columns []Column
	Rows    [][]any // string, uint64 or contention.Figures, as the column has it
}

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
}

// Kind is what a column has.
type Kind uint8

// The kinds of columns.
const (
	Text    Kind = iota // string
	Number              // uint64
	Lengths             // contention.Figures
)

// subject is what several rows are about: their key without the kind of time.
type subject struct {
	rows.Key
	rows.Value                        // what is counted once
	times      map[string]*rows.Value // by the kind of time
}

// figures returns the figures of a kind of time; the zero figures if there are none.
func (s *subject) figures(kind contention.Kind) contention.Figures {
	v := s.times[kind.String()]
	if v == nil {
		return contention.Figures{}
	}
	d, _ := v.Distribution()
	return contention.FiguresOf(d)
}

// subjects joins the rows of a table, which are sorted.
func subjects(all []rows.Row, table string) (joined []*subject) {
	var last *subject
	for i := range all {
		row := &all[i]
		if row.Table != table {
			continue
		}
		key := row.Key
		key.Time = ""
		if last == nil || last.Key != key {
			last = &subject{Key: key, times: map[string]*rows.Value{}}
			joined = append(joined, last)
		}
		if row.Time == "" {
			last.Value = row.Value
		} else {
			last.times[row.Time] = &row.Value
		}
	}
	return joined
}

// Merge returns sorted rows with the labels by, which are some of the labels, merged and sorted.
func Merge(all []rows.Row, labels, by []string) []rows.Row {
	if slices.Equal(labels, by) {
		return all
	}
	var set rows.Set
	for _, row := range all {
		row.Labels, row.Buckets = project(&row.Key, labels, by), slices.Clone(row.Buckets)
		set.Add(row.Key, row.Value)
	}
	return set.Sorted()
}

// project returns the values that a key with the labels has of the labels by.
func project(k *rows.Key, labels, by []string) string {
	values, kept := k.LabelValues(len(labels)), make([]string, len(by))
	for i, label := range by {
		kept[i] = values[slices.Index(labels, label)]
	}
	return rows.JoinLabels(kept)
}

// waitKinds are the kinds of time at monitors, pauseKinds all kinds, as trcx stats has them.
var (
	waitKinds = []contention.Kind{contention.Blocked, contention.Waited, contention.Timed, contention.Parked,
		contention.IO, contention.Init}
	pauseKinds = slices.Concat(waitKinds, []contention.Kind{contention.Joined, contention.Slept})
)

// build makes tables of rows that have labels.
type build struct {
	all    []rows.Row
	labels []string
}

// All returns all tables of sorted rows, divided by some of their labels. Outliers are found among all labels: JVMs are
// compared with others of their service, also where the tables do not have it.
func All(all []rows.Row, labels, by []string) []Table {
	b := &build{Merge(all, labels, by), by}
	return []Table{
		b.times("classes", rows.Class, waitKinds, []string{"class"}, func(s *subject) []any { return []any{s.Class} }),
		b.times("callers", rows.Caller, waitKinds, []string{"class", "method"},
			func(s *subject) []any { return []any{s.Class, s.Method} }),
		b.times("sites", rows.Site, pauseKinds, []string{"class", "method", "file", "in", "monitorClass"},
			func(s *subject) []any { return []any{s.Class, s.Method, s.File, s.In, s.Monitor} }),
		b.blame(), b.deadlocks(), b.findings(), b.outliers(&build{all, labels}), b.traces(), b.dead(),
	}
}

// CheckLabels returns an error if a table has a column of a label's name.
func CheckLabels(labels []string) error {
	for _, t := range All(nil, nil, nil) {
		for _, column := range t.Columns {
			for _, label := range labels {
				if label == column.Name || column.Kind == Lengths && strings.HasPrefix(label, column.Name+"_") {
					return fmt.Errorf("label %q: the table %s has a column of this name; take another one", label, t.Name)
				}
			}
		}
	}
	return nil
}

// finish adds the columns of the labels.
func (b *build) finish(t *Table, of []*subject, row func(*subject) []any) Table {
	for _, label := range b.labels {
		t.Columns = append(t.Columns, Column{label, Text})
	}
	for _, s := range of {
		values := row(s)
		for _, label := range s.LabelValues(len(b.labels)) {
			values = append(values, label)
		}
		t.Rows = append(t.Rows, values)
	}
	return *t
}

// add adds columns of a kind.
func (t *Table) add(kind Kind, names ...string) *Table {
	for _, name := range names {
		t.Columns = append(t.Columns, Column{name, kind})
	}
	return t
}

// times returns a table of subjects with times.
func (b *build) times(name, table string, kinds []contention.Kind, names []string, of func(*subject) []any) Table {
	t := (&Table{Name: name}).add(Text, names...)
	if table == rows.Site {
		t.add(Number, "line")
	}
	for _, kind := range kinds {
		t.add(Lengths, kind.String())
	}
	t.add(Number, "monitors", "threads", "traces")
	return b.finish(t, subjects(b.all, table), func(s *subject) []any {
		values := of(s)
		if table == rows.Site {
			values = append(values, s.Line)
		}
		for _, kind := range kinds {
			values = append(values, s.figures(kind))
		}
		return append(values, s.Monitors, s.Threads, s.Traces)
	})
}

// blame is who kept threads waiting, by pool and class of what they waited for.
func (b *build) blame() Table {
	t := (&Table{Name: "blame"}).add(Text, "pool", "kind", "state", "as", "monitorClass").
		add(Number, "count", "total", "traces")
	return b.finish(t, subjects(b.all, rows.Blame), func(s *subject) []any {
		return []any{s.Pool, s.Kind, s.State, s.Name, s.Monitor, s.Count, s.Total, s.Traces}
	})
}

// deadlocks are those that were counted, each with the name of an example file.
func (b *build) deadlocks() Table {
	t := (&Table{Name: "deadlocks"}).add(Text, "signature").add(Number, "count", "traces").add(Text, "example")
	return b.finish(t, subjects(b.all, rows.Deadlock), func(s *subject) []any {
		return []any{s.Name, s.Count, s.Traces, s.Text}
	})
}

// findings are those of the diagnosis, likewise.
func (b *build) findings() Table {
	t := (&Table{Name: "findings"}).add(Text, "kind", "pool", "class", "place").add(Number, "count", "total", "traces").
		add(Text, "example")
	return b.finish(t, subjects(b.all, rows.Finding), func(s *subject) []any {
		return []any{s.Kind, s.Pool, s.Class, s.Name, s.Count, s.Total, s.Traces, s.Text}
	})
}

// traces has a row for each file. Start is decimal seconds since 1970.
func (b *build) traces() Table {
	t := (&Table{Name: "traces"}).add(Text, "trace", "status", "start").add(Number, "length", "events", "bytes", "deadlocks")
	for _, kind := range pauseKinds {
		t.add(Number, kind.String())
	}
	t.add(Text, "reason")
	return b.finish(t, subjects(b.all, rows.Trace), func(s *subject) []any {
		start := ""
		if s.Start != 0 {
			start = trace.Time(s.Start).String()
		}
		values := []any{s.Trace, s.Status, start, s.Length, s.Events, s.Bytes, s.Count}
		for _, kind := range pauseKinds {
			values = append(values, s.figures(kind).Total)
		}
		return append(values, s.Text)
	})
}

// dead has a row for each file that could not be read.
func (b *build) dead() Table {
	t := (&Table{Name: "dead"}).add(Text, "trace", "stage", "reason")
	return b.finish(t, subjects(b.all, rows.Dead), func(s *subject) []any { return []any{s.Trace, s.Name, s.Text} })
}

// Totals are sums over the files of rows.
type Totals struct {
	Files    int    `json:"files"`
	Complete int    `json:"complete"`
	Partial  int    `json:"partial"`
	Empty    int    `json:"empty"`
	Dead     int    `json:"dead"`
	Bytes    uint64 `json:"bytes"`
	Events   uint64 `json:"events"`
	Length   uint64 `json:"length"` // of all traces, in nanoseconds
	// Twice is the name of a file that was counted more than once; "" if there is none.
	Twice string `json:"-"`
	names map[string]bool
}

// Has reports whether the file is one of those that the totals are of.
func (t *Totals) Has(name string) bool { return t.names[rows.Valid(name)] }

// TotalsOf returns the totals of sorted rows.
func TotalsOf(all []rows.Row) *Totals {
	t := &Totals{names: map[string]bool{}}
	for _, s := range subjects(all, rows.Trace) {
		if t.names[s.Trace] || s.Traces > 1 {
			t.Twice = s.Trace
		}
		t.names[s.Trace] = true
		t.Files++
		*map[string]*int{rows.Complete: &t.Complete, rows.Partial: &t.Partial, rows.Empty: &t.Empty,
			rows.StatusOfDead: &t.Dead}[s.Status]++
		t.Bytes += s.Bytes
		t.Events += s.Events
		t.Length = histogram.Sum(t.Length, s.Length)
	}
	return t
}
