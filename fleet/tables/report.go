package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/fleet/analyse"
	"github.com/trcx/trcx/fleet/rows"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace/javaname"
)

// Report returns the answer for people about sorted rows, divided by some of their labels: the sums of traces, and
// the top rows of each table by time; a top of 0 shows all.
func Report(all []rows.Row, labels, by []string, top int) *answer.Report {
	totals, made := TotalsOf(all), All(all, labels, by)
	r := &answer.Report{Headline: headline(totals), Remarks: remarks(all, totals, made)}
	for _, of := range reported {
		t := called(made, of.name)
		shown := answer.Table{Title: of.title, Columns: slices.Concat(answer.Left(by...), answer.Right(of.right...),
			answer.Left(of.left...))}
		for i := range shown.Columns {
			if slices.Contains([]string{"example", "waited", "median", "mad"}, shown.Columns[i].Name) {
				shown.Columns[i].Spare = 1
			}
		}
		sorted := slices.Clone(t.Rows)
		slices.SortStableFunc(sorted, func(a, b []any) int { return cmp.Compare(t.weight(of, b), t.weight(of, a)) })
		for _, row := range sorted {
			if of.needs && t.weight(of, row) == 0 {
				continue
			}
			values := slices.Clone(row[len(row)-len(by):])
			for _, name := range slices.Concat(of.right, of.left) {
				values = append(values, t.shown(row, name))
			}
			shown.Add(values...)
		}
		shown.Limit(top)
		if r.Add(shown); t.Name == "findings" {
			for _, label := range labels {
				values := byLabel(all, labels, label)
				values.Limit(top)
				r.Add(values)
			}
		}
	}
	return r
}

// called returns the table of the name, which is there.
func called(all []Table, name string) *Table {
	return &all[slices.IndexFunc(all, func(t Table) bool { return t.Name == name })]
}

// headline says how many files the sums are of.
func headline(t *Totals) string {
	text := fmt.Sprintf("%s: %d complete", phrase.Count(t.Files, "file"), t.Complete)
	for _, of := range []struct {
		count int
		name  string
	}{{t.Partial, "partial"}, {t.Empty, "empty"}, {t.Dead, "dead"}} {
		if of.count > 0 {
			text += fmt.Sprintf(", %d %s", of.count, of.name)
		}
	}
	return text
}

// remarks says what the files have together.
func remarks(all []rows.Row, totals *Totals, made []Table) (lines []string) {
	var blocked rows.Value
	deadlocks, traces, outliers := uint64(0), 0, map[[2]any]bool{}
	for i := range all {
		switch row := &all[i]; {
		case row.Table == rows.All && row.Time == contention.Blocked.String():
			blocked.Merge(&rows.Value{Count: row.Count, Total: row.Total})
		case row.Table == rows.Trace && row.Time == "" && row.Count > 0:
			deadlocks, traces = deadlocks+row.Count, traces+1
		}
	}
	lines = append(lines, fmt.Sprintf("In traces of %s in all, threads were BLOCKED for %s, %s.", phrase.Total(totals.Length),
		phrase.Total(blocked.Total), phrase.Count(blocked.Count, "time")))
	if deadlocks > 0 {
		lines = append(lines, fmt.Sprintf("%s in %s.", phrase.Count(deadlocks, "deadlock"), phrase.Count(traces, "trace")))
	}
	for _, row := range called(made, "outliers").Rows {
		outliers[[2]any{row[0], row[1]}] = true
	}
	if len(outliers) > 0 {
		lines = append(lines, phrase.Count(len(outliers), "JVM or hour", "JVMs and hours")+" stand out.")
	}
	return lines
}

// byLabel is what the traces with each value of a label have. It has no rows if there is only one value.
func byLabel(all []rows.Row, labels []string, label string) answer.Table {
	t := answer.Table{Title: "By " + label, Columns: append(answer.Right("BLOCKED", "a second", "blocks", "p99", "waits", "traces",
		"length"), answer.Left(label)...)}
	of := rows.Trace
	if label == analyse.HourLabel {
		of = rows.Hour
	}
	var kept []rows.Row
	for i := range all {
		if row := &all[i]; (row.Table == rows.All || row.Table == of) && row.Status != rows.StatusOfDead {
			kept = append(kept, *row)
		}
	}
	kept = Merge(kept, labels, []string{label})
	type sums struct {
		traces          rows.Value
		blocked, waited contention.Figures
	}
	values := map[string]*sums{}
	for _, s := range subjects(kept, of) {
		if values[s.Labels] == nil {
			values[s.Labels] = &sums{}
		}
		values[s.Labels].traces.Merge(&s.Value)
	}
	for _, s := range subjects(kept, rows.All) {
		if v := values[s.Labels]; v != nil {
			v.blocked, v.waited = s.figures(contention.Blocked), s.figures(contention.Waited)
		}
	}
	if len(values) < 2 {
		return t
	}
	for _, value := range slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(values[b].blocked.Total, values[a].blocked.Total), cmp.Compare(a, b))
	}) {
		v, rate := values[value], any(nil)
		if v.traces.Length > 0 {
			rate = answer.Total(perSecond(v.blocked.Total, v.traces.Length))
		}
		t.Add(answer.Total(v.blocked.Total), rate, v.blocked.Count,
			answer.Time(v.blocked.P99), answer.Total(v.waited.Total), v.traces.Traces, answer.Total(v.traces.Length),
			cmp.Or(value, "(unknown)"))
	}
	return t
}

// layout says how a table is shown: its name and title, its columns of numbers and of texts, and the column by which
// its rows are sorted.
type layout struct {
	name, title string
	right, left []string
	by          string
	needs       bool // rows without time are left out
}

// reported are the tables of the report, in their order.
var reported = []layout{
	{"deadlocks", "Deadlocks", []string{"count", "traces"}, []string{"signature", "example"}, "count", false},
	{"findings", "Findings of the diagnosis, by the number of times", []string{"count", "total", "traces"},
		[]string{"kind", "pool", "class", "place", "example"}, "count", false},
	{"classes", "Classes of monitors, by the time that threads were BLOCKED",
		[]string{"blocked", "blocks", "p99", "waited", "traces"}, []string{"class"}, "blocked", false},
	{"callers", "Methods in which threads were BLOCKED", []string{"blocked", "blocks", "p99", "traces"}, []string{"method"},
		"blocked", true},
	{"sites", "Places at which threads were BLOCKED", []string{"blocked", "blocks", "p99", "traces"},
		[]string{"place", "monitorClass"}, "blocked", true},
	{"blame", "Who kept threads waiting, by pool", []string{"total", "traces"}, []string{"pool", "did", "monitorClass"}, "total",
		false},
	{"outliers", "Blocked for more a second of trace than the median of their service and 6 MAD",
		[]string{"rate", "median", "mad"}, []string{"of", "name", "class"}, "rate", false},
	{"dead", "Files that could not be read", nil, []string{"trace", "stage", "reason"}, "", false},
}

// at returns the value of a column; nil if there is none.
func (t *Table) at(row []any, name string) any {
	if at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name }); at >= 0 {
		return row[at]
	}
	return nil
}

// weight is the number by which rows are sorted.
func (t *Table) weight(of layout, row []any) uint64 {
	switch value := t.at(row, of.by).(type) {
	case uint64:
		return value
	case contention.Figures:
		return value.Total
	}
	return 0
}

// shown returns a cell for people.
func (t *Table) shown(row []any, name string) any {
	blocked, _ := t.at(row, "blocked").(contention.Figures)
	switch name {
	case "blocks":
		return blocked.Count
	case "p99":
		return answer.Time(blocked.P99)
	case "place":
		if t.Name == "sites" {
			return t.place(row)
		}
	case "method":
		return javaname.Class(t.at(row, "class").(string)) + "." + javaname.Method(t.at(row, "method").(string))
	case "did":
		key := contention.BlameKey{Kind: t.at(row, "kind").(string), State: t.at(row, "state").(string)}
		if as := t.at(row, "as").(string); as != "" {
			return as
		}
		return key.Did(nil)
	case "class", "monitorClass":
		if t.Name == "findings" {
			return javaname.Class(t.at(row, name).(string))
		}
		return cmp.Or(javaname.Class(t.at(row, name).(string)), "(unknown)")
	case "total", "rate", "median", "mad":
		if t.Name == "findings" && t.at(row, name) == uint64(0) {
			return nil // the trace does not have it
		}
		return answer.Total(t.at(row, name).(uint64))
	case "pool":
		if t.Name == "findings" {
			return t.at(row, name)
		}
		return contention.BlameKey{Pool: t.at(row, name).(string), Kind: t.at(row, "kind").(string)}.Title()
	}
	switch value := t.at(row, name).(type) {
	case contention.Figures:
		return answer.Total(value.Total)
	default:
		return value
	}
}

// place returns a place as stack traces write it.
func (t *Table) place(row []any) string {
	text := javaname.Class(t.at(row, "class").(string)) + "." + javaname.Method(t.at(row, "method").(string))
	file, line := t.at(row, "file").(string), t.at(row, "line").(uint64)
	switch {
	case file != "" && line > 0:
		return fmt.Sprintf("%s(%s:%d)", text, file, line)
	case file != "":
		return text + "(" + file + ")"
	}
	return strings.TrimSuffix(text, ".")
}
