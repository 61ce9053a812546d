package contention

import (
	"io"
	"slices"

	"github.com/trcx/trcx/internal/table"
)

// WriteCSV writes all tables as one: a line for each row and each kind of time that it has, so that a spreadsheet can filter and pivot. Times are in
// nanoseconds.
func (s *Statistics) WriteCSV(out io.Writer) error {
	t := table.Table{}
	for _, name := range slices.Concat([]string{"table", "id", "name", "group", "class", "method", "line", "kind"}, spreadColumns, []string{"open", "monitors", "threads"}) {
		t.Columns = append(t.Columns, table.Column{Name: name})
	}
	add := func(key []table.Cell, all *Times, monitors, threads table.Cell) {
		for kind := range KindCount {
			if d := all.Of(kind); d.Count > 0 {
				t.Rows = append(t.Rows, slices.Concat(key, []table.Cell{table.Text(Kinds[kind])}, spread(all, kind), []table.Cell{table.Count(d.Open), monitors, threads}))
			}
		}
	}
	text, none := table.Text, table.Nothing()
	for _, r := range s.Threads {
		add([]table.Cell{text(TableThreads), text(r.ID), text(r.Name), text(r.Group), none, none, none}, &r.Times, none, none)
	}
	for _, r := range s.Classes {
		add([]table.Cell{text(TableClasses), none, none, none, text(r.Name), none, none}, &r.Times, table.Count(r.Monitors), table.Count(r.Threads))
	}
	for _, r := range s.Monitors {
		add([]table.Cell{text(TableMonitors), text(r.ID), none, none, text(r.Class), none, none}, &r.Times, none, table.Count(r.Threads))
	}
	for _, r := range s.Callers {
		add([]table.Cell{text(TableCallers), none, none, none, text(r.Class), text(r.Method), none}, &r.Times, table.Count(r.Monitors), table.Count(r.Threads))
	}
	for _, r := range s.Sites {
		add([]table.Cell{text(TableSites), none, text(r.Monitor), none, text(r.Class), text(r.Method), table.Count(uint64(r.Line))}, &r.Times, table.Count(r.Monitors), table.Count(r.Threads))
	}
	return t.WriteCSV(out)
}
