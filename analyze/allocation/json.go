package allocation

import (
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/internal/jsonform"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The JSON of a report. Sizes are in bytes. Figures that are unknown are absent.
type (
	jsonSum struct {
		Count *uint64 `json:"count,omitempty"`
		Bytes uint64  `json:"bytes"`
	}
	jsonAge struct {
		Mean float64 `json:"mean"`
		Max  uint32  `json:"max"`
	}
	jsonChange struct {
		Count int64 `json:"count"`
		Bytes int64 `json:"bytes"`
	}
	jsonRow struct {
		Class   jsontext.String   `json:"class,omitempty"`
		Package jsontext.String   `json:"package,omitempty"`
		Thread  jsontext.String   `json:"thread,omitempty"`
		Method  jsontext.String   `json:"method,omitempty"`
		Stack   []*jsonform.Frame `json:"stack,omitempty"`

		Allocated jsonSum  `json:"allocated"`
		Live      *jsonSum `json:"live,omitempty"`
		Freed     *jsonSum `json:"freed,omitempty"`
		Largest   *uint64  `json:"largest,omitempty"`
		Age       *jsonAge `json:"age,omitempty"`

		Samples        uint64   `json:"samples,omitempty"`
		AllocatedError *jsonSum `json:"allocatedError,omitempty"`
		LiveError      *jsonSum `json:"liveError,omitempty"`

		Growth  *jsonChange `json:"growth,omitempty"`
		Suspect bool        `json:"suspect,omitempty"`
	}
)

// object returns the JSON of the report: the classes, the sites, and the rows of the grouping.
func (c *Collector) object(view View) (object answer.Object) {
	list := func(name string, by Grouping) {
		rows := c.ordered(View{By: by, Growth: view.Growth})
		object = append(object, answer.Field{Name: name, Line: len(object) > 0, Value: answer.ListOf(rows,
			func(r *Row) jsonRow { return c.json(r, by, c.hasGrowth(view)) })})
	}
	list("classes", Classes)
	list("sites", callStacks)
	switch view.By {
	case Packages, Threads, Methods:
		list(string(view.By)+"s", view.By)
	}
	return object
}

func (c *Collector) json(r *Row, by Grouping, growth bool) jsonRow {
	f := c.Facts()
	row := jsonRow{Allocated: c.sum(r.Allocated.Count, r.Allocated.Bytes)}
	switch title := jsontext.String(r.Title); by {
	case Packages:
		row.Package = title
	case Threads:
		row.Thread = title
	case Methods:
		row.Method = title
	default:
		row.Class = title
	}
	if by == callStacks {
		row.Stack = frames(r.Stacks[0].Stack)
	}
	if f.Followed {
		live, freed := c.sum(r.Live.Count, r.Live.Bytes), c.sum(r.Freed.Count, r.Freed.Bytes)
		row.Live, row.Freed = &live, &freed
	}
	if c.hasLargest() {
		row.Largest = &r.Largest
	}
	if c.hasAges() {
		row.Age = &jsonAge{r.Age, r.Oldest}
	}
	if f.Sampled {
		allocated := c.sum(r.Allocated.CountError(), r.Allocated.BytesError())
		row.Samples, row.AllocatedError = r.Allocated.Seen, &allocated
	}
	if f.Sampled && f.Followed {
		live := c.sum(r.Live.CountError(), r.Live.BytesError())
		row.LiveError = &live
	}
	if growth {
		row.Growth, row.Suspect = &jsonChange{int64(r.Growth.Count), int64(r.Growth.Bytes)}, r.Suspect
	}
	return row
}

func (c *Collector) sum(count, bytes float64) jsonSum {
	if c.facts.Weighted {
		return jsonSum{Bytes: whole(bytes)}
	}
	number := whole(count)
	return jsonSum{&number, whole(bytes)}
}

// frames returns the frames of a call stack, innermost first.
func frames(stack *trace.Stack) (all []*jsonform.Frame) {
	if stack == nil {
		return nil
	}
	for _, f := range stack.Frames {
		frame := jsonform.FrameOf(f)
		frame.Class = jsontext.String(strings.ReplaceAll(f.Method.Class, "/", "."))
		frame.Method = jsontext.String(javaname.Method(f.Method.Name))
		all = append(all, frame)
	}
	return all
}
