package contention

import (
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/trace"
)

// csv yields the rows of the tables as one table: a line for each row and each kind of time that it has, so that a
// spreadsheet can filter and pivot. Times are in nanoseconds. The column monitorClass is the class of a site's
// monitors. Pairs, owners and holders are in the JSON only.
func (s *Statistics) csv(yield func([]answer.Cell) bool) {
	going := yield(answer.Texts(slices.Concat([]string{"table", "id", "name", "group", "class", "method", "line",
		"monitorClass", "kind"}, spreadColumns, []string{"open", "monitors", "threads"})...))
	add := func(key []answer.Cell, all *Times, monitors, threads answer.Cell) {
		for kind := range KindCount {
			if d := all.Of(kind); going && d.Count > 0 {
				going = yield(slices.Concat(key, []answer.Cell{answer.Text(Kinds[kind])}, spread(all, kind),
					[]answer.Cell{answer.Count(d.Open), monitors, threads}))
			}
		}
	}
	text, none := answer.Text, answer.Nothing()
	for _, r := range s.Threads {
		add([]answer.Cell{text(TableThreads), text(r.ID), text(r.Name), text(r.Group), none, none, none, none}, &r.Times,
			none, none)
	}
	for _, r := range s.Pools {
		add([]answer.Cell{text(tablePools), none, text(r.Name), none, none, none, none, none}, &r.Times, none,
			answer.Count(r.Threads))
	}
	for _, r := range s.Classes {
		add([]answer.Cell{text(tableClasses), none, none, none, text(r.Name), none, none, none}, &r.Times,
			answer.Count(r.Monitors), answer.Count(r.Threads))
	}
	for _, r := range s.Monitors {
		add([]answer.Cell{text(TableMonitors), text(r.ID), none, none, text(trace.DeclaredClass(r.Class)), none, none,
			none}, &r.Times, none,
			answer.Count(r.Threads))
	}
	for _, r := range s.Callers {
		add([]answer.Cell{text(tableCallers), none, none, none, text(r.Class), text(r.Method), none, none}, &r.Times,
			answer.Count(r.Monitors), answer.Count(r.Threads))
	}
	for _, r := range s.Sites {
		add([]answer.Cell{text(TableSites), none, none, none, text(r.Class), text(r.Method), line(r.Line),
			text(r.Monitor)}, &r.Times, answer.Count(r.Monitors), answer.Count(r.Threads))
	}
}

// line is a line of a source file, or nothing if it is unknown.
func line(number int32) answer.Cell {
	if number <= 0 {
		return answer.Nothing()
	}
	return answer.Count(uint64(number))
}
