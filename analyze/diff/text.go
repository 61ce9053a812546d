package diff

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
	"github.com/trcx/trcx/trace"
)

// Options select the rows that are printed for people.
type Options struct {
	// All prints also rows that changed within noise.
	All bool
	// Top limits the rows of a table; 0 is no limit.
	Top int
}

// WriteText writes the verdict, the outcomes of thresholds, and tables of the changes for people.
func (c *Comparison) WriteText(out io.Writer, outcomes []Outcome, options Options) error {
	return c.people(outcomes, options).WriteText(out)
}

// WriteMarkdown writes what WriteText writes as GitHub shows it.
func (c *Comparison) WriteMarkdown(out io.Writer, outcomes []Outcome, options Options) error {
	return c.people(outcomes, options).WriteMarkdown(out)
}

func (c *Comparison) people(outcomes []Outcome, options Options) *table.Answer {
	answer := &table.Answer{Headline: c.verdict()}
	for _, t := range []table.Table{
		thresholdTable(outcomes),
		c.table("Threads, by the pattern of their names", "threads", c.Threads, options),
		c.table("Classes of monitors", "class", c.Classes, options),
		c.table("Callers", "method", c.Callers, options),
		c.blameTable(options),
	} {
		if len(t.Rows) > 0 {
			answer.Tables = append(answer.Tables, t)
		}
	}
	if len(answer.Tables) == 0 {
		answer.Note = "Nothing changed beyond noise (--all shows every row)."
	}
	if c.NoBlame != "" {
		answer.Remarks = append(answer.Remarks, fmt.Sprintf(
			"Who kept threads waiting is not compared: the statistics of %s do not have it.", c.NoBlame))
	}
	return answer
}

// verdict summarizes the changes of all threads together.
func (c *Comparison) verdict() string {
	var parts []string
	for kind, change := range c.All {
		if contention.Kind(kind).IsPart() || change.Base.Count+change.Head.Count == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s instead of %s (%s, %s)", c.state(contention.Kind(kind)),
			phrase.Total(change.Head.Total),
			phrase.Duration(whole(change.scaled())), percent(change), change.Judge()))
	}
	if len(parts) == 0 {
		return "No thread was blocked or waited, in base or head."
	}
	text := "All threads together: " + strings.Join(parts, "; ") + "."
	if c.Scale != 1 {
		text += fmt.Sprintf(" Base combines %d traces, head %d: times of the base are scaled.", len(c.Base),
			len(c.Head))
	}
	return text
}

// percent is the change of the total, in percent.
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

func (c *Comparison) table(title, key string, rows []Row, options Options) table.Table {
	t := table.Table{Title: title, Columns: slices.Concat(table.Left(key, "what"),
		table.Right("count", "→", "total", "→", "change", "", "p50", "→", "p99", "→"), table.Left("judgement"))}
	quiet, more := 0, 0
	for _, row := range rows {
		for kind, change := range row.Kinds {
			judgement := change.Judge()
			switch {
			case change.Base.Count+change.Head.Count == 0 || !isShown(contention.Kind(kind)):
			case judgement == Same && !options.All:
				quiet++
			case options.Top > 0 && len(t.Rows) >= options.Top:
				more++
			default:
				t.Rows = append(t.Rows, cells(row.title(), c.state(contention.Kind(kind)), change, judgement))
			}
		}
	}
	addMore(&t, more)
	if quiet > 0 {
		t.AddNote(withinNoise(quiet))
	}
	return t
}

// withinNoise is the note about rows that are not shown.
func withinNoise(rows int) string {
	return fmt.Sprintf("%d more changed within noise, or not at all (--all shows them)", rows)
}

// addMore notes how many rows the limit leaves out.
func addMore(t *table.Table, more int) {
	if more > 0 {
		t.AddNote(fmt.Sprintf("… and %d more (--top 0 shows all)", more))
	}
}

// state names the kind for people. With parks and waits for input or output, what JSON calls waited are several states.
func (c *Comparison) state(kind contention.Kind) string {
	parked, io := c.All[contention.Parked], c.All[contention.IO]
	if kind == contention.Waited && parked.Base.Count+parked.Head.Count+io.Base.Count+io.Head.Count > 0 {
		return "waits"
	}
	return kind.Title()
}

// isShown reports whether the tables have rows of the kind: parks and waits for input or output are also parts of
// others.
func isShown(kind contention.Kind) bool {
	return !kind.IsPart() || kind == contention.Parked || kind == contention.IO
}

// title is the row's key for people.
func (r *Row) title() string {
	switch {
	case r.Key == "":
		return "(unknown)"
	case r.Class == "":
		return r.Key
	case r.Class == r.Key:
		return trace.PlainClassName(r.Key)
	}
	return strings.ReplaceAll(r.Key, "/", ".")
}

func cells(key, state string, c Change, judgement Judgement) []table.Cell {
	both := func(of func(*histogram.Distribution) table.Cell) []table.Cell {
		return []table.Cell{of(c.Base), of(c.Head)}
	}
	return slices.Concat(table.Texts(key, state),
		both(func(d *histogram.Distribution) table.Cell { return table.Count(d.Count) }),
		both(func(d *histogram.Distribution) table.Cell { return table.Total(d.Total) }),
		[]table.Cell{table.Time(c.Delta()), table.Text(percent(c))},
		both(func(d *histogram.Distribution) table.Cell { return table.Time(d.Percentile(50)) }),
		both(func(d *histogram.Distribution) table.Cell { return table.Time(d.Percentile(99)) }),
		[]table.Cell{table.Text(string(judgement))})
}

// thresholdTable lists which thresholds are exceeded.
func thresholdTable(outcomes []Outcome) table.Table {
	t := table.Table{Title: "Thresholds",
		Columns: slices.Concat(table.Left("threshold"), table.Right("base", "head"), table.Left(""))}
	for _, o := range outcomes {
		verdict := "kept"
		switch {
		case o.Matched == 0:
			verdict = "not exceeded: nothing matches the pattern"
		case o.Exceeded && o.Noise:
			verdict = "EXCEEDED, though within noise"
		case o.Exceeded:
			verdict = "EXCEEDED"
		}
		value := func(v float64) table.Cell { return table.Time(whole(v)) }
		if o.counts {
			value = func(v float64) table.Cell { return table.Count(uint64(math.Round(v))) }
		}
		t.Rows = append(t.Rows, []table.Cell{table.Text(o.Threshold), value(o.Base), value(o.Head),
			table.Text(verdict)})
	}
	return t
}
