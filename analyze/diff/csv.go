package diff

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
)

// csv adds the rows of the CSV: for each kind of time of all threads, each pattern of names, each class and each
// method, and for each pool and state of the blame. Times are in nanoseconds.
func (c *Comparison) csv(add func(...any)) {
	figures := func(side string) (names []string) {
		for _, name := range []string{"Count", "Total", "Max", "Mean", "P50", "P90", "P99"} {
			names = append(names, side+name)
		}
		return names
	}
	add("table", "name", "kind", figures("base"), figures("head"), "change", "noise", "judgement")
	for _, t := range []struct {
		name string
		rows []Row
	}{{"all", []Row{{Kinds: c.All}}}, {"threads", c.Threads}, {"classes", c.Classes}, {"callers", c.Callers}} {
		for _, row := range t.rows {
			for kind, change := range row.Kinds {
				if change.count() > 0 { // base or head has it
					add(t.name, row.Key, contention.Kind(kind).String(), csvFigures(change.Base),
						csvFigures(change.Head), answer.Time(change.Delta()), answer.Time(change.Noise()),
						change.Judge())
				}
			}
		}
	}
	c.csvMethods(add)
	none := answer.Row(nil, nil, nil, nil, nil)
	for _, row := range c.Blame {
		add("blame", row.Pool, row.Did(row.states), row.Base.Count, answer.Total(row.Base.Total), none, row.Head.Count,
			answer.Total(row.Head.Total), none, answer.Time(row.Change), answer.Time(row.Noise), nil)
	}
}

func csvFigures(d *histogram.Distribution) []any {
	return answer.Row(d.Count, answer.Total(d.Total), answer.Time(d.Max), answer.Time(d.Mean()),
		answer.Time(d.Percentile(50)), answer.Time(d.Percentile(90)), answer.Time(d.Percentile(99)))
}
