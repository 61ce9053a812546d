package contention

import (
	"io"
	"slices"

	"github.com/trcx/trcx/internal/table"
	"github.com/trcx/trcx/trace/javaname"
)

// WriteCSV writes the tables of the view as one: a line for each row and each kind of time that it has, so that a
// spreadsheet can filter and pivot. Times are in nanoseconds. The column monitorClass is the class of a site's
// monitors. Pairs, owners and holders are in the JSON only.
func (s *Statistics) WriteCSV(out io.Writer, view View) error {
	s = s.only(view)
	w := table.NewCSV(out, slices.Concat(table.Left("table", "id", "name", "group", "class", "method", "line",
		"monitorClass", "kind"), table.Right(spreadColumns...), table.Right("open", "monitors", "threads")))
	add := func(key []table.Cell, all *Times, monitors, threads table.Cell) {
		for kind := range KindCount {
			if d := all.Of(kind); d.Count > 0 {
				w.Row(slices.Concat(key, []table.Cell{table.Text(kinds[kind])}, spread(all, kind),
					[]table.Cell{table.Count(d.Open), monitors, threads})...)
			}
		}
	}
	text, none := table.Text, table.Nothing()
	for _, r := range s.Threads {
		add([]table.Cell{text(TableThreads), text(r.ID), text(r.Name), text(r.Group), none, none, none, none}, &r.Times,
			none, none)
	}
	for _, r := range s.Pools {
		add([]table.Cell{text(tablePools), none, text(r.Name), none, none, none, none, none}, &r.Times, none,
			table.Count(r.Threads))
	}
	for _, r := range s.Classes {
		add([]table.Cell{text(tableClasses), none, none, none, text(r.Name), none, none, none}, &r.Times,
			table.Count(r.Monitors), table.Count(r.Threads))
	}
	for _, r := range s.Monitors {
		add([]table.Cell{text(TableMonitors), text(r.ID), none, none, text(javaname.DeclaredClass(r.Class)), none, none,
			none}, &r.Times, none,
			table.Count(r.Threads))
	}
	for _, r := range s.Callers {
		add([]table.Cell{text(tableCallers), none, none, none, text(r.Class), text(r.Method), none, none}, &r.Times,
			table.Count(r.Monitors), table.Count(r.Threads))
	}
	for _, r := range s.Sites {
		add([]table.Cell{text(TableSites), none, none, none, text(r.Class), text(r.Method), line(r.Line),
			text(r.Monitor)}, &r.Times, table.Count(r.Monitors), table.Count(r.Threads))
	}
	return w.Close()
}

// line is a line of a source file, or nothing if it is unknown.
func line(number int32) table.Cell {
	if number <= 0 {
		return table.Nothing()
	}
	return table.Count(uint64(number))
}
