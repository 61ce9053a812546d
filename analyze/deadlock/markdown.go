package deadlock

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
)

// WriteMarkdown writes the report as GitHub shows it.
func (r *Report) WriteMarkdown(out io.Writer, options Options) error {
	if _, err := fmt.Fprintf(out, "**%s**\n\n", sentence(r.Verdict())); err != nil {
		return err
	}
	for _, t := range r.tables(options) {
		if err := t.WriteMarkdown(out); err != nil {
			return err
		}
	}
	if limits := r.limits(); len(limits) > 0 {
		_, err := fmt.Fprintf(out, "%s\n", strings.Join(limits, "\n\n"))
		return err
	}
	return nil
}

var (
	memberColumns = table.Left("thread", "holds", "wants", "since", "in")
	// A dump is of one moment.
	memberColumnsOfDump = table.Left("thread", "holds", "wants", "in")
	stuckColumns        = table.Left("thread", "waits for", "blocker", "since", "in")
	orderColumns        = slices.Concat(table.Left("thread", "held", "wanted", "at"), table.Right("times"), table.Left("in"))
)

// tables returns the parts of the report.
func (r *Report) tables(options Options) []*table.Table {
	var tables []*table.Table
	for i := range r.Deadlocks {
		tables = append(tables, r.deadlockTable(i))
		if len(r.Deadlocks[i].Stuck) > 0 {
			tables = append(tables, r.stuckTable(i, options.Max))
		}
	}
	tables = append(tables, r.inversionTables("Lock-order inversion", r.Seen(), options.Max)...)
	tables = append(tables, r.inversionTables("Harmless lock-order inversion", r.Harmless(), options.Max)...)
	if options.All {
		tables = append(tables, r.inversionTables("Supposed lock-order inversion", r.supposed(), options.Max)...)
	}
	return tables
}

func (r *Report) deadlockTable(i int) *table.Table {
	d := &r.Deadlocks[i]
	t := &table.Table{Title: fmt.Sprintf("%s %d%s", sentence(r.kind()), i+1, recording(d.Members[0].Thread.Session)),
		Columns: memberColumns}
	atOnce := d.atOnce()
	if atOnce {
		t.Columns = memberColumnsOfDump
	}
	for j := range d.Members {
		b, before := &d.Members[j], &d.Members[(j+len(d.Members)-1)%len(d.Members)]
		row := []string{b.Thread.title(), before.Monitor.title(), b.Monitor.title()}
		if !atOnce {
			row = append(row, r.moment(b.Since))
		}
		t.Rows = append(t.Rows, table.Texts(append(row, wording.Frame(b.Caller))...))
	}
	return t
}

func (r *Report) stuckTable(i, most int) *table.Table {
	d := &r.Deadlocks[i]
	t := &table.Table{Title: fmt.Sprintf("Stuck because of deadlock %d", i+1), Columns: stuckColumns}
	for j := range d.Stuck {
		s := &d.Stuck[j]
		if most > 0 && j >= 5*most {
			t.AddNote(fmt.Sprintf("and %s", phrase.Count(len(d.Stuck)-j+d.More, "more thread")))
			break
		}
		waitsFor := "its end"
		if !s.Joins {
			waitsFor = s.Monitor.title()
		}
		t.Rows = append(t.Rows, table.Texts(s.Thread.title(), waitsFor, s.Blocker.title(), r.moment(s.Since),
			wording.Frame(s.Caller)))
	}
	return t
}

func (r *Report) inversionTables(heading string, inversions []Inversion, most int) []*table.Table {
	var tables []*table.Table
	for i, g := range groups(inversions) {
		if most > 0 && i >= most {
			break
		}
		t := &table.Table{Title: fmt.Sprintf("%s %d%s", heading, i+1, recording(g.Orders[0].Example.Thread.Session)),
			Columns: orderColumns}
		for j := range g.Orders {
			o := &g.Orders[j]
			row := table.Texts(o.Example.Thread.title(), o.Held.title(), o.Example.Monitor.title(),
				r.moment(o.Example.Since))
			t.Rows = append(t.Rows, append(row, table.Count(uint64(o.Times)),
				table.Text(wording.Frame(o.Example.Caller))))
		}
		if g.others > 0 {
			t.AddNote(fmt.Sprintf("%d more like it: the same classes in the same places, other objects", g.others))
		}
		tables = append(tables, t)
	}
	return tables
}
