package allocation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// View is what a report shows.
type View struct {
	By Grouping
	// Callers adds the call stacks with the most bytes to each row.
	Callers bool
	// Growth adds how the live objects changed, and the rows that grew over each of the last full collections.
	Growth bool
	// Top limits the rows of each table; 0 is no limit.
	Top int
}

// Answer returns the answer: for people the rows of the grouping and, if asked for, what grew; as CSV all these rows;
// as JSON the classes, the sites and the rows.
func (c *Collector) Answer(view View) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report { return c.report(view) },
		CSV: answer.RowsOf(func() answer.Table {
			all := view
			all.Top = 0
			return c.rowTable(all, c.ordered(view), false)
		}),
		JSON: func() any { return c.object(view) },
	}
}

func (c *Collector) report(view View) *answer.Report {
	rows := c.ordered(view)
	report := &answer.Report{Headline: c.headline(rows), Remarks: c.remarks(view),
		Tables: []answer.Table{c.rowTable(view, rows, true)}}
	if view.Growth {
		report.Tables = append(report.Tables, c.suspectTable(view, rows))
	}
	return report
}

// ordered returns the rows in the order in which the view shows them.
func (c *Collector) ordered(view View) []Row {
	rows := c.Rows(view.By)
	if c.hasGrowth(view) {
		slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Growth.Bytes, a.Growth.Bytes) })
	}
	return rows
}

// hasGrowth reports whether the view has growth, and the window has two full collections to compare.
func (c *Collector) hasGrowth(view View) bool {
	g := &c.collections
	return view.Growth && g.first > 0 && len(g.full) > g.first
}

// headline sums up the rows.
func (c *Collector) headline(rows []Row) string {
	var allocated, live Estimate
	for i := range rows {
		allocated.add(&rows[i].Allocated)
		live.add(&rows[i].Live)
	}
	f := c.Facts()
	text := "Allocated: "
	if f.Sampled {
		text = "Allocated, by estimate: "
	}
	if f.Weighted {
		return text + phrase.Size(whole(allocated.Bytes)) + "."
	}
	text += amount(&allocated) + "."
	if f.Followed {
		text += " Live: " + amount(&live) + "."
	}
	return text
}

// amount returns a sum in words, such as "1,234 objects, 56.7 KiB".
func amount(e *Estimate) string {
	noun := "objects"
	if whole(e.Count) == 1 {
		noun = "object"
	}
	return fmt.Sprintf("%s %s, %s", phrase.Number(whole(e.Count)), noun, phrase.Size(whole(e.Bytes)))
}

// whole returns the value as the nearest whole number.
func whole(value float64) uint64 { return uint64(math.Round(max(0, value))) }

// remarks say what a reader must know about the figures.
func (c *Collector) remarks(view View) (remarks []string) {
	f := c.Facts()
	add := func(is bool, format string, arguments ...any) {
		if is {
			remarks = append(remarks, fmt.Sprintf(format, arguments...))
		}
	}
	add(f.Sampled, "Figures are estimates from %s; ± is the standard error.", phrase.Count(f.Allocations, "sample"))
	add(f.Weighted, "The trace does not report how many objects a sample represents, nor what became of them.")
	add(f.Tables, "The figures come from the profiler's own table.")
	g := &c.collections
	switch {
	case !f.HasFrees():
	case f.Frees == 0 && c.options.Window.IsEverything():
		add(true, "The trace has no objFree: all objects count as live.")
	case g.inWindow == 0:
		add(true, "Objects count as live until their objFree; no garbage collection ended.")
	default:
		add(true, "Objects count as live until a collection frees them; the last one ended at %s.", wording.Moment(g.ended, c.start))
	}
	add(f.UnknownFrees > 0, "Left out: %s of objects whose allocation the trace does not have.",
		phrase.Count(f.UnknownFrees, "objFree", "objFree"))
	add(f.Unfollowed, "More than %s objects lived at the same time: what became of objects is left out.",
		phrase.Number(c.options.MaxLive))
	add(f.Folded, "Too many call stacks or threads: some are added up.")
	if view.Growth {
		remarks = append(remarks, c.growthRemarks()...)
	}
	return remarks
}

// growthRemarks say at which two times the live objects are compared.
func (c *Collector) growthRemarks() (remarks []string) {
	g := &c.collections
	if !c.hasGrowth(View{Growth: true}) {
		return []string{fmt.Sprintf("Growth is from one %s to another; the window does not have two of them.", g.noun())}
	}
	remarks = append(remarks, fmt.Sprintf("Growth is from the %s at %s to that at %s.", g.noun(),
		wording.Moment(g.full[g.first-1].end, c.start), wording.Moment(g.full[len(g.full)-1].end, c.start)))
	switch {
	case g.unknown == 0:
	case g.unknown < int(g.inWindow):
		remarks = append(remarks, fmt.Sprintf(
			"Collections that may not have been full are counted, too: %s.", phrase.Number(g.unknown)))
	case g.pauses:
		remarks = append(remarks, "The trace does not report which pauses end a full collection: all of them count.")
	default:
		remarks = append(remarks, "The trace does not report which collections were full: all of them count.")
	}
	return remarks
}

// rowTable shows the rows; forPeople marks estimates from few samples.
func (c *Collector) rowTable(view View, rows []Row, forPeople bool) answer.Table {
	t := answer.Table{Title: "Allocations by " + string(view.By), Columns: c.columns(view)}
	few := false
	if view.Top > 0 && len(rows) > view.Top {
		rows, t.More = rows[:view.Top], len(rows)-view.Top
	}
	for i := range rows {
		cells, isFew := c.cellsOf(&rows[i], view, forPeople)
		few = few || isFew
		t.Rows = append(t.Rows, cells)
		if view.Callers {
			t.Rows = append(t.Rows, callers(&rows[i], t.Columns)...)
		}
	}
	if few {
		t.Note("* fewer than %d samples: the estimate says little", fewSamples)
	}
	return t
}

// fewSamples is the number of samples below which an estimate is marked.
const fewSamples = 10

// columns returns the columns of rowTable.
func (c *Collector) columns(view View) (columns answer.Columns) {
	f := c.Facts()
	add := func(is bool, spare int, names ...string) {
		if is {
			columns = append(columns, answer.Right(names...).Spare(spare)...)
		}
	}
	add(view.Growth, 1, "growth", "growth bytes")
	add(f.Sampled, 6, "samples")
	add(!f.Weighted, 4, "allocated")
	add(true, 0, "bytes")
	add(f.Sampled, 3, "±")
	add(f.Followed, 2, "live", "live bytes")
	add(f.Followed && f.Sampled, 6, "live ±")
	add(f.Followed, 7, "freed", "freed bytes")
	add(c.hasLargest(), 5, "largest")
	add(c.hasAges(), 8, "age", "oldest")
	return append(columns, titleColumns(view.By)...)
}

// titleColumns returns the columns of the rows' titles.
func titleColumns(by Grouping) answer.Columns {
	if by == Sites {
		return answer.Left(string(Classes), "place")
	}
	return answer.Left(string(by))
}

// hasLargest reports whether the trace has the sizes of single objects.
func (c *Collector) hasLargest() bool { return !c.facts.Tables && !c.facts.Weighted }

// hasAges reports whether the trace has objects that may have survived a collection.
func (c *Collector) hasAges() bool {
	return c.facts.HasFrees() && c.collections.count > 0
}

// cellsOf returns the cells of a row, and whether it has few samples.
func (c *Collector) cellsOf(r *Row, view View, forPeople bool) (cells []any, few bool) {
	f := c.Facts()
	add := func(is bool, more ...any) {
		if is {
			cells = append(cells, more...)
		}
	}
	samples := any(r.Allocated.Seen)
	if few = f.Sampled && r.Allocated.Seen < fewSamples; few && forPeople {
		samples = strconv.FormatUint(r.Allocated.Seen, 10) + " *"
	}
	add(c.hasGrowth(view), answer.CountChange(int64(math.Round(r.Growth.Count))),
		answer.BytesChange(int64(math.Round(r.Growth.Bytes))))
	add(view.Growth && !c.hasGrowth(view), nil, nil)
	add(f.Sampled, samples)
	add(!f.Weighted, whole(r.Allocated.Count))
	add(true, answer.Bytes(whole(r.Allocated.Bytes)))
	add(f.Sampled, answer.Bytes(whole(r.Allocated.BytesError())))
	add(f.Followed, whole(r.Live.Count), answer.Bytes(whole(r.Live.Bytes)))
	add(f.Followed && f.Sampled, answer.Bytes(whole(r.Live.BytesError())))
	add(f.Followed, whole(r.Freed.Count), answer.Bytes(whole(r.Freed.Bytes)))
	add(c.hasLargest(), answer.Bytes(r.Largest))
	add(c.hasAges(), strconv.FormatFloat(r.Age, 'f', 1, 64), uint64(r.Oldest))
	add(true, r.Title)
	add(view.By == Sites, r.Place)
	return cells, few
}

// maxCallers limits the call stacks of a row, and maxFrames the frames of each.
const (
	maxCallers = 3
	maxFrames  = 32
)

// callers returns a row for each frame of the call stacks with the most bytes.
func callers(r *Row, columns []answer.Column) (rows [][]any) {
	bytes := slices.IndexFunc(columns, func(column answer.Column) bool { return column.Name == "bytes" })
	for i, sum := range r.Stacks {
		if i == maxCallers {
			break
		}
		for n, frame := range framesOf(sum.Stack) {
			cells := make([]any, len(columns))
			if n == 0 && len(r.Stacks) > 1 {
				cells[bytes] = answer.Bytes(whole(sum.Allocated.Bytes))
			}
			cells[len(cells)-1] = "   at " + frame
			rows = append(rows, cells)
		}
	}
	return rows
}

// framesOf returns the frames of a call stack for people, innermost first.
func framesOf(stack *trace.Stack) (frames []string) {
	if stack == nil {
		return []string{unknownPlace}
	}
	for i, frame := range stack.Frames {
		if i == maxFrames {
			frames = append(frames, fmt.Sprintf("… %d more", len(stack.Frames)-maxFrames+stack.Omitted))
			break
		}
		frames = append(frames, cmp.Or(wording.Frame(frame), "(unknown method)"))
	}
	return frames
}

// suspectTable shows the rows whose live bytes grew over each of the last full collections.
func (c *Collector) suspectTable(view View, rows []Row) answer.Table {
	g := &c.collections
	over := "the last " + g.noun()
	if c.options.Last > 1 {
		over = fmt.Sprintf("each of the last %d %ss", c.options.Last, g.noun())
	}
	t := answer.Table{Title: "Live bytes that grew over " + over,
		Columns: append(answer.Right("growth bytes", "live bytes"), titleColumns(view.By)...)}
	suspects := suspectsOf(rows)
	if n := len(g.full); n < c.options.Last {
		t.Note("none: only %s up to the window's end", phrase.Count(n, g.noun()))
	} else if len(suspects) == 0 {
		t.Note("none")
	}
	for i := range suspects {
		r := &suspects[i]
		cells := []any{answer.BytesChange(int64(math.Round(r.LastGrowth()))),
			answer.Bytes(whole(r.last[len(r.last)-1].Bytes)), r.Title}
		if view.By == Sites {
			cells = append(cells, r.Place)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Limit(view.Top)
	return t
}

// Histogram returns the live objects by class.
func (c *Collector) Histogram() (classes []answer.Class) {
	for _, row := range c.Rows(Classes) {
		if row.Live.Seen > 0 {
			classes = append(classes, answer.Class{Name: row.Title, Objects: whole(row.Live.Count),
				Bytes: whole(row.Live.Bytes)})
		}
	}
	return classes
}
