package diff

import (
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
)

// figuresRow is the base or head of a change in JSON, in nanoseconds.
type figuresRow struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
	Max   int64  `json:"max"`
	Mean  int64  `json:"mean"`
	P50   int64  `json:"p50"`
	P90   int64  `json:"p90"`
	P99   int64  `json:"p99"`
}

func figuresOf(d *histogram.Distribution) figuresRow {
	return figuresRow{d.Count, d.Total, d.Max, d.Mean(), d.Percentile(50), d.Percentile(90), d.Percentile(99)}
}

type changeRow struct {
	Base      figuresRow `json:"base"`
	Head      figuresRow `json:"head"`
	Change    int64      `json:"change"`
	Noise     int64      `json:"noise"`
	Judgement Judgement  `json:"judgement"`
}

// changes returns the changes of the kinds that have lengths, by the kind's name.
func changes(kinds [contention.KindCount]Change) map[string]changeRow {
	all := map[string]changeRow{}
	for kind, c := range kinds {
		if c.Base.Count+c.Head.Count > 0 {
			all[contention.Kinds()[kind]] = changeRow{figuresOf(c.Base), figuresOf(c.Head), c.Delta(), c.Noise(),
				c.Judge()}
		}
	}
	return all
}

func rowsOf(key string, rows []Row) []map[string]any {
	all := []map[string]any{}
	for _, row := range rows {
		fields := map[string]any{key: row.Key}
		for kind, change := range changes(row.Kinds) {
			fields[kind] = change
		}
		all = append(all, fields)
	}
	return all
}

// json returns the value of the JSON; see docs/diff.md.
func (c *Comparison) json(outcomes []Outcome) map[string]any {
	all := map[string]any{
		"base": append([]contention.Trace{}, c.Base...), "head": append([]contention.Trace{}, c.Head...),
		"scale": c.Scale,
		"all":   changes(c.All), "threads": rowsOf("threads", c.Threads), "classes": rowsOf("class", c.Classes),
		"callers":    rowsOf("method", c.Callers),
		"thresholds": append([]Outcome{}, outcomes...),
	}
	if c.HasMethods() {
		all["methods"] = c.jsonMethods()
	}
	if c.NoBlame == "" {
		all["blame"] = append([]BlameRow{}, c.Blame...)
	}
	return all
}
