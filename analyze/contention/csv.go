package contention

import (
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/trace/javaname"
)

// csv adds the rows of the tables as one table: a line for each row and each kind of time that it has, so that a
// spreadsheet can filter and pivot. Times are in nanoseconds. The column monitorClass is the class of a site's
// monitors. Pairs, owners and holders are only in the JSON. The group of starts is the pool of the threads that started
// others.
func (s *Statistics) csv(add func(...any)) {
	add(slices.Concat([]string{"table", "id", "name", "group", "class", "method", "line", "monitorClass", "kind"},
		spreadColumns, []string{"open", "monitors", "threads"}))
	row := answer.Row
	times := func(key []any, all *Times, monitors, threads any) {
		for kind := range KindCount {
			if d := all.Of(kind); d.Count > 0 {
				add(key, kinds[kind], spread(all, kind), d.Open, monitors, threads)
			}
		}
	}
	for _, r := range s.Threads {
		times(row(TableThreads, r.ID, r.Name, r.Group, nil, nil, nil, nil), &r.Times, nil, nil)
	}
	for _, r := range s.Pools {
		times(row(tablePools, nil, r.Name, nil, nil, nil, nil, nil), &r.Times, nil, r.Threads)
	}
	for _, r := range s.Classes {
		times(row(tableClasses, nil, nil, nil, r.Name, nil, nil, nil), &r.Times, r.Monitors, r.Threads)
	}
	for _, r := range s.Monitors {
		class := javaname.DeclaredClass(r.Class)
		times(row(TableMonitors, r.ID, nil, nil, class, nil, nil, nil), &r.Times, nil, r.Threads)
	}
	for _, r := range s.Callers {
		times(row(tableCallers, nil, nil, nil, r.Class, r.Method, nil, nil), &r.Times, r.Monitors, r.Threads)
	}
	for _, r := range s.Sites {
		line := answer.Known(uint64(max(r.Line, 0)))
		times(row(TableSites, nil, nil, nil, r.Class, r.Method, line, r.Monitor), &r.Times, r.Monitors, r.Threads)
	}
	for _, r := range s.Starts.Rows {
		add(tableStarts, nil, r.Pool, r.By, nil, nil, nil, nil, "starting", r.Count, r.Total, nil, r.Max, nil, nil, nil,
			nil, r.Open, nil, nil)
	}
	if s.Workers != nil {
		s.Workers.csv(add)
	}
}

// csv adds a row for each state of a saturated pool, with its threads' time in it, and one for threads that never
// ended.
func (w *Workers) csv(add func(...any)) {
	none := make([]any, len(spreadColumns)-2)
	row := func(table, name string, at Place, kind, count, total any, threads uint64) {
		add(table, nil, name, nil, at.Class, at.Method, answer.Known(uint64(max(at.Line, 0))), nil, kind, count, total,
			none, nil, nil, threads)
	}
	for _, r := range w.Saturated {
		for _, d := range r.Did {
			row("saturated", r.Pool, d.Place, d.State, r.Count, answer.Total(d.Total), r.Threads)
		}
	}
	for _, r := range w.NeverEnded {
		row("neverEnded", r.Pool, r.Place, nil, nil, nil, r.Threads)
	}
}
