package allocation

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
	"github.com/trcx/trcx/trace"
)

// View is what a report shows.
type View struct {
	By Grouping
	// Callers adds the call stacks of most bytes to each row.
	Callers bool
	// Growth adds how the live objects changed, and the rows that grew over each of the last full collections.
	Growth bool
	// Top limits the rows of each table; 0 is no limit.
	Top int
}

// WriteText writes the report for people.
func (c *Collector) WriteText(out io.Writer, view View) error {
	answer := c.answer(view)
	return answer.WriteText(out)
}

// WriteMarkdown is WriteText in GitHub's Markdown.
func (c *Collector) WriteMarkdown(out io.Writer, view View) error {
	answer := c.answer(view)
	return answer.WriteMarkdown(out)
}

// WriteCSV writes the first table with all its rows as comma-separated values, with sizes in bytes.
func (c *Collector) WriteCSV(out io.Writer, view View) error {
	view.Top = 0
	first := c.rowTable(view, c.ordered(view), false)
	return first.WriteCSV(out)
}

func (c *Collector) answer(view View) table.Answer {
	rows := c.ordered(view)
	answer := table.Answer{Headline: c.headline(rows), Remarks: c.remarks(view),
		Tables: []table.Table{c.rowTable(view, rows, true)}}
	if view.Growth {
		answer.Tables = append(answer.Tables, c.suspectTable(view, rows))
	}
	return answer
}

// ordered returns the rows in the order in which the view shows them.
func (c *Collector) ordered(view View) []Row {
	rows := c.Rows(view.By)
	if c.hasGrowth(view) {
		slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Growth.Bytes, a.Growth.Bytes) })
	}
	return rows
}

// hasGrowth reports whether the view has growth, and the window two full collections between which it can be computed.
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

// amount returns a sum in words: 1,234 objects, 56.7 KiB.
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
		add(true, "Objects count as live until a collection frees them; the last one ended at %s.", phrase.Moment(g.ended, c.start))
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

// growthRemarks say from when to when the live objects are compared.
func (c *Collector) growthRemarks() (remarks []string) {
	g := &c.collections
	if !c.hasGrowth(View{Growth: true}) {
		return []string{fmt.Sprintf("Growth is from one %s to another; the window does not have two of them.", g.noun())}
	}
	remarks = append(remarks, fmt.Sprintf("Growth is from the %s at %s to that at %s.", g.noun(),
		phrase.Moment(g.full[g.first-1].end, c.start), phrase.Moment(g.full[len(g.full)-1].end, c.start)))
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
func (c *Collector) rowTable(view View, rows []Row, forPeople bool) table.Table {
	t := table.Table{Title: "Allocations by " + string(view.By), Columns: c.columns(view)}
	few := false
	more := 0
	if view.Top > 0 && len(rows) > view.Top {
		rows, more = rows[:view.Top], len(rows)-view.Top
	}
	for i := range rows {
		cells, isFew := c.cellsOf(&rows[i], view, forPeople)
		few = few || isFew
		t.Rows = append(t.Rows, cells)
		if view.Callers {
			t.Rows = append(t.Rows, callers(&rows[i], t.Columns)...)
		}
	}
	if more > 0 {
		t.AddNote(fmt.Sprintf("and %s more; --top 0 shows all", phrase.Number(more)))
	}
	if few {
		t.AddNote(fmt.Sprintf("* fewer than %d samples: the estimate says little", fewSamples))
	}
	return t
}

// fewSamples is the number of samples below which an estimate is marked.
const fewSamples = 10

// columns returns the columns of rowTable.
func (c *Collector) columns(view View) []table.Column {
	f := c.Facts()
	var names []string
	add := func(is bool, more ...string) {
		if is {
			names = append(names, more...)
		}
	}
	add(view.Growth, "growth", "growth bytes")
	add(f.Sampled, "samples")
	add(!f.Weighted, "allocated")
	add(true, "bytes")
	add(f.Sampled, "±")
	add(f.Followed, "live", "live bytes")
	add(f.Followed && f.Sampled, "live ±")
	add(f.Followed, "freed", "freed bytes")
	add(c.hasLargest(), "largest")
	add(c.hasAges(), "age", "oldest")
	columns := append(table.Right(names...), table.Left(title(view.By))...)
	if view.By == Sites {
		columns = append(columns, table.Left("place")...)
	}
	return columns
}

// title returns the name of the column of the rows' titles.
func title(by Grouping) string {
	if by == Sites {
		return string(Classes)
	}
	return string(by)
}

// hasLargest reports whether the trace has the sizes of single objects.
func (c *Collector) hasLargest() bool { return !c.facts.Tables && !c.facts.Weighted }

// hasAges reports whether the trace has objects that may have survived a collection.
func (c *Collector) hasAges() bool {
	return c.facts.HasFrees() && c.collections.count > 0
}

// cellsOf returns the cells of a row, and whether it has few samples.
func (c *Collector) cellsOf(r *Row, view View, forPeople bool) (cells []table.Cell, few bool) {
	f := c.Facts()
	add := func(is bool, more ...table.Cell) {
		if is {
			cells = append(cells, more...)
		}
	}
	samples := table.Count(r.Allocated.Seen)
	if few = f.Sampled && r.Allocated.Seen < fewSamples; few && forPeople {
		samples = table.Text(strconv.FormatUint(r.Allocated.Seen, 10) + " *")
	}
	add(c.hasGrowth(view), table.CountChange(int64(math.Round(r.Growth.Count))),
		table.BytesChange(int64(math.Round(r.Growth.Bytes))))
	add(view.Growth && !c.hasGrowth(view), table.Nothing(), table.Nothing())
	add(f.Sampled, samples)
	add(!f.Weighted, table.Count(whole(r.Allocated.Count)))
	add(true, table.Bytes(whole(r.Allocated.Bytes)))
	add(f.Sampled, table.Bytes(whole(r.Allocated.BytesError())))
	add(f.Followed, table.Count(whole(r.Live.Count)), table.Bytes(whole(r.Live.Bytes)))
	add(f.Followed && f.Sampled, table.Bytes(whole(r.Live.BytesError())))
	add(f.Followed, table.Count(whole(r.Freed.Count)), table.Bytes(whole(r.Freed.Bytes)))
	add(c.hasLargest(), table.Bytes(r.Largest))
	add(c.hasAges(), table.Text(strconv.FormatFloat(r.Age, 'f', 1, 64)), table.Count(uint64(r.Oldest)))
	add(true, table.Text(r.Title))
	add(view.By == Sites, table.Text(r.Place))
	return cells, few
}

// maxCallers limits the call stacks of a row, and maxFrames the frames of each.
const (
	maxCallers = 3
	maxFrames  = 32
)

// callers returns a row for each frame of the call stacks of most bytes.
func callers(r *Row, columns []table.Column) (rows [][]table.Cell) {
	bytes := slices.IndexFunc(columns, func(column table.Column) bool { return column.Name == "bytes" })
	for i, sum := range r.Stacks {
		if i == maxCallers {
			break
		}
		for n, frame := range framesOf(sum.Stack) {
			cells := make([]table.Cell, len(columns))
			for at := range cells {
				cells[at] = table.Nothing()
			}
			if n == 0 && len(r.Stacks) > 1 {
				cells[bytes] = table.Bytes(whole(sum.Allocated.Bytes))
			}
			cells[len(cells)-1] = table.Text("   at " + frame)
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
		frames = append(frames, cmp.Or(phrase.Frame(frame), "(unknown method)"))
	}
	return frames
}

// suspectTable shows the rows whose live bytes grew over each of the last full collections.
func (c *Collector) suspectTable(view View, rows []Row) table.Table {
	g := &c.collections
	over := "the last " + g.noun()
	if c.options.Last > 1 {
		over = fmt.Sprintf("each of the last %d %ss", c.options.Last, g.noun())
	}
	t := table.Table{Title: "Live bytes that grew over " + over,
		Columns: append(table.Right("growth bytes", "live bytes"), table.Left(title(view.By))...)}
	if view.By == Sites {
		t.Columns = append(t.Columns, table.Left("place")...)
	}
	suspects := suspectsOf(rows)
	if n := len(g.full); n < c.options.Last {
		t.AddNote(fmt.Sprintf("none: only %s up to the window's end; --last asks for fewer",
			phrase.Count(n, g.noun())))
	} else if len(suspects) == 0 {
		t.AddNote("none")
	}
	for i := range suspects {
		r := &suspects[i]
		if view.Top > 0 && i == view.Top {
			t.AddNote(fmt.Sprintf("and %s more; --top 0 shows all", phrase.Number(len(suspects)-view.Top)))
			break
		}
		cells := []table.Cell{table.BytesChange(int64(math.Round(r.LastGrowth()))),
			table.Bytes(whole(r.last[len(r.last)-1].Bytes)), table.Text(r.Title)}
		if view.By == Sites {
			cells = append(cells, table.Text(r.Place))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// WriteHistogram writes the live objects by class as jmap -histo does.
func (c *Collector) WriteHistogram(out io.Writer) error {
	var h table.Histogram
	for _, row := range c.Rows(Classes) {
		if row.Live.Seen > 0 {
			h.Add(whole(row.Live.Count), whole(row.Live.Bytes), row.Title)
		}
	}
	return h.Write(out)
}
