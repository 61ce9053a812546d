package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/trace/javaname"
)

// Report returns the answer for people: the sums of traces, and of each table the first rows by the time that they
// have; 0 shows all.
func Report(all []Table, totals *Totals, labels []string, top int) *answer.Report {
	r := &answer.Report{Headline: headline(totals)}
	for i := range all {
		t := &all[i]
		of, known := reported[t.Name]
		if !known {
			continue
		}
		shown := answer.Table{Title: of.title, Columns: slices.Concat(answer.Left(labels...), answer.Right(of.right...),
			answer.Left(of.left...))}
		sorted := slices.Clone(t.Rows)
		slices.SortStableFunc(sorted, func(a, b []any) int { return cmp.Compare(t.weight(of, b), t.weight(of, a)) })
		for _, row := range sorted {
			if of.needs && t.weight(of, row) == 0 {
				continue
			}
			values := slices.Clone(row[len(row)-len(labels):])
			for _, name := range of.right {
				values = append(values, t.shown(row, name))
			}
			for _, name := range of.left {
				values = append(values, t.shown(row, name))
			}
			shown.Add(values...)
		}
		shown.Limit(top)
		r.Add(shown)
	}
	return r
}

// headline says how many files the sums are of.
func headline(t *Totals) string {
	text := fmt.Sprintf("%d files: %d complete", t.Files, t.Complete)
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

// of is how a table is shown: its title, its columns of numbers and of texts, and by which column rows are sorted.
type of struct {
	title       string
	right, left []string
	by          string
	needs       bool // rows without time are left out
}

// reported are the tables of the report.
var reported = map[string]of{
	"classes": {"Classes of monitors, by the time that threads were BLOCKED",
		[]string{"blocked", "blocks", "p99", "waited", "traces"}, []string{"class"}, "blocked", false},
	"callers": {"Methods in which threads were BLOCKED", []string{"blocked", "blocks", "p99", "traces"}, []string{"method"},
		"blocked", true},
	"sites": {"Places at which threads were BLOCKED", []string{"blocked", "blocks", "p99", "traces"},
		[]string{"place", "monitorClass"}, "blocked", true},
	"blame": {"Who kept threads waiting, by pool", []string{"total", "traces"}, []string{"pool", "did", "monitorClass"}, "total",
		false},
	"deadlocks": {"Deadlocks", []string{"count", "traces"}, []string{"signature", "example"}, "count", false},
	"outliers": {"Beyond the median of their service by more than 6 MAD, in blocked time per second of trace",
		[]string{"rate", "median"}, []string{"of", "name", "class"}, "rate", false},
	"findings": {"Findings of the diagnosis", []string{"count", "total", "traces"}, []string{"kind", "pool", "class", "place",
		"example"}, "count", false},
	"dead": {"Files that could not be read", nil, []string{"trace", "stage", "reason"}, "", false},
}

// at returns the value of a column; nil if there is none.
func (t *Table) at(row []any, name string) any {
	if at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name }); at >= 0 {
		return row[at]
	}
	return nil
}

// weight is the number by which rows are sorted.
func (t *Table) weight(of of, row []any) uint64 {
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
	case "total", "rate", "median":
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
