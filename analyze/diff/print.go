package diff

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/table"
)

// Verdict says in words what has become of all threads together.
func (c *Comparison) Verdict() string {
	var parts []string
	for kind, change := range c.All {
		if contention.Kind(kind) == contention.Timed || change.Base.Count+change.Head.Count == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s instead of %s (%s, %s)", contention.Kinds[kind],
			table.TotalDuration(change.Head.Total),
			table.Duration(whole(change.scaled())), percent(change), change.Judge()))
	}
	if len(parts) == 0 {
		return "No thread was blocked or waited, neither in base nor in head."
	}
	text := "All threads together: " + strings.Join(parts, "; ") + "."
	if c.Scale != 1 {
		text += fmt.Sprintf(" Base combines %d traces, head %d: times of the base are scaled.", len(c.Base),
			len(c.Head))
	}
	return text
}

// percent is how much more there is, in percent.
func percent(c Change) string {
	switch {
	case c.Head.Total == c.Base.Total && c.scale == 1:
		return "0 %"
	case c.Base.Total == 0:
		return "new"
	}
	more := math.Round(100 * (float64(c.Head.Total)/c.scaled() - 1))
	if more == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+.0f %%", more)
}

// Tables are the rows that have changed beyond noise, or all of them; at most so many of each, if top is not 0.
func (c *Comparison) Tables(all bool, top int) (tables []table.Table) {
	for _, part := range []struct {
		title, key string
		rows       []Row
	}{{"Threads, by the pattern of their names", "threads", c.Threads}, {"Classes of monitors", "class", c.Classes},
		{"Callers", "method", c.Callers}} {
		if t := c.table(part.title, part.key, part.rows, all, top); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

func (c *Comparison) table(title, key string, rows []Row, all bool, top int) table.Table {
	t := table.Table{Title: title}
	for _, name := range []string{key, "what"} {
		t.Columns = append(t.Columns, table.Column{Name: name})
	}
	for _, name := range []string{"count", "→", "total", "→", "change", "", "p50", "→", "p99", "→"} {
		t.Columns = append(t.Columns, table.Column{Name: name, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Name: "judgement"})
	quiet, more := 0, 0
	for _, row := range rows {
		for kind, change := range row.Kinds {
			judgement := change.Judge()
			switch {
			case change.Base.Count+change.Head.Count == 0 || contention.Kind(kind) == contention.Timed:
			case judgement == Same && !all:
				quiet++
			case top > 0 && len(t.Rows) >= top:
				more++
			default:
				t.Rows = append(t.Rows, cells(row.Key, contention.Kind(kind), change, judgement))
			}
		}
	}
	if more > 0 {
		t.AddNote(fmt.Sprintf("… and %d more (--top 0 shows all)", more))
	}
	if quiet > 0 {
		t.AddNote(fmt.Sprintf("%d more have changed within noise, or not at all (--all shows them)", quiet))
	}
	return t
}

func cells(key string, kind contention.Kind, c Change, judgement Judgement) []table.Cell {
	if key == "" {
		key = "(unknown)"
	}
	both := func(of func(*histogram.Distribution) table.Cell) []table.Cell {
		return []table.Cell{of(c.Base), of(c.Head)}
	}
	return slices.Concat([]table.Cell{table.Text(strings.ReplaceAll(key, "/", ".")),
		table.Text(contention.Kinds[kind])},
		both(func(d *histogram.Distribution) table.Cell { return table.Count(d.Count) }),
		both(func(d *histogram.Distribution) table.Cell { return table.Total(d.Total) }),
		[]table.Cell{table.Time(c.Delta()), table.Text(percent(c))},
		both(func(d *histogram.Distribution) table.Cell { return table.Time(d.Percentile(50)) }),
		both(func(d *histogram.Distribution) table.Cell { return table.Time(d.Percentile(99)) }),
		[]table.Cell{table.Text(string(judgement))})
}

// ThresholdTable says which thresholds are exceeded.
func ThresholdTable(outcomes []Outcome, thresholds []Threshold) table.Table {
	t := table.Table{Title: "Thresholds", Columns: []table.Column{{Name: "threshold"}, {Name: "base", Right: true},
		{Name: "head", Right: true}, {Name: ""}}}
	for i, o := range outcomes {
		verdict := "kept"
		switch {
		case o.Matched == 0:
			verdict = "kept: nothing matches the pattern"
		case o.Exceeded && o.Noise:
			verdict = "EXCEEDED, though within noise"
		case o.Exceeded:
			verdict = "EXCEEDED"
		}
		value := func(v float64) table.Cell { return table.Time(whole(v)) }
		if thresholds[i].figure == "count" {
			value = func(v float64) table.Cell { return table.Count(uint64(math.Round(v))) }
		}
		t.Rows = append(t.Rows, []table.Cell{table.Text(o.Threshold), value(o.Base), value(o.Head),
			table.Text(verdict)})
	}
	return t
}

// side of a change, as the JSON has it; nanoseconds.
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

// changes are those of the kinds that there are.
func changes(kinds [contention.KindCount]Change) map[string]changeRow {
	all := map[string]changeRow{}
	for kind, c := range kinds {
		if c.Base.Count+c.Head.Count > 0 {
			all[contention.Kinds[kind]] = changeRow{figuresOf(c.Base), figuresOf(c.Head), c.Delta(), c.Noise(),
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

// WriteJSON writes the comparison as one JSON object; see docs/diff.md.
func (c *Comparison) WriteJSON(out io.Writer, outcomes []Outcome) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(map[string]any{
		"base": append([]contention.Trace{}, c.Base...), "head": append([]contention.Trace{}, c.Head...),
		"scale": c.Scale,
		"all":   changes(c.All), "threads": rowsOf("threads", c.Threads), "classes": rowsOf("class", c.Classes),
		"callers":    rowsOf("method", c.Callers),
		"thresholds": append([]Outcome{}, outcomes...),
	})
}
