package allocation

import (
	"slices"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// The JSON of a page about the allocations. Sizes are in bytes, times in nanoseconds since the trace's start.
type (
	jsonExtract struct {
		Headline jsontext.String   `json:"headline"`
		Remarks  []jsontext.String `json:"remarks"`
		Facts    jsonFacts         `json:"facts"`
		Classes  []jsonRow         `json:"classes"`
		Sites    []jsonSite        `json:"sites"`
		// Samples are call stacks, the outermost call first; the class of the objects is the last frame.
		Samples []jsonSample `json:"samples"`
		// Omitted is the number of rows left out, by table.
		Omitted     map[string]int  `json:"omitted,omitempty"`
		Collections jsonCollections `json:"collections"`
	}
	jsonFacts struct {
		Sampled  bool `json:"sampled"`
		Weighted bool `json:"weighted"`
		Followed bool `json:"followed"`
	}
	jsonSite struct {
		jsonRow
		Place jsontext.String `json:"place"`
	}
	jsonSample struct {
		Frames []jsontext.String `json:"frames"`
		Total  uint64            `json:"total"`
	}
	// jsonCollections is a table by columns, in the order of the trace.
	jsonCollections struct {
		From    []int64           `json:"from"`
		To      []int64           `json:"to"`
		Paused  []int64           `json:"paused"`
		Used    []uint64          `json:"used"`  // after it; 0 is unknown
		Total   []uint64          `json:"total"` // of the heap; 0 is unknown
		Live    []uint64          `json:"live"`  // of recorded objects, after it
		Name    []jsontext.String `json:"name"`  // the collector, and the cause where it is known
		Pause   []bool            `json:"pause"` // of a collection that is not complete after it
		Omitted int               `json:"omitted"`
	}
)

// Extract returns the JSON of a page: the classes, sites and call stacks with the most bytes, at most `most` of each,
// and the collections of Options.Curve.
func (c *Collector) Extract(most int) any {
	f := c.Facts()
	rows := c.Rows(Classes)
	extract := jsonExtract{Facts: jsonFacts{f.Sampled, f.Weighted, f.Followed}, Classes: []jsonRow{},
		Sites: []jsonSite{}, Samples: []jsonSample{}, Omitted: map[string]int{}, Collections: c.jsonCollections()}
	if c.HasAllocations() {
		extract.Headline = jsontext.String(c.headline(rows))
		for _, remark := range c.remarks(View{By: Classes}) {
			extract.Remarks = append(extract.Remarks, jsontext.String(remark))
		}
	}
	cut := func(table string, size int) int {
		if size > most {
			extract.Omitted[table] = size - most
		}
		return min(size, most)
	}
	for i := range cut("classes", len(rows)) {
		extract.Classes = append(extract.Classes, c.json(&rows[i], Classes, false))
	}
	rows = c.Rows(Sites)
	for i := range cut("sites", len(rows)) {
		site := jsonSite{c.json(&rows[i], Sites, false), jsontext.String(rows[i].Place)}
		extract.Sites = append(extract.Sites, site)
	}
	rows = c.Rows(callStacks)
	for i := range cut("samples", len(rows)) {
		frames := calls(rows[i].Stacks[0].Stack)
		extract.Samples = append(extract.Samples, jsonSample{append(frames, jsontext.String(rows[i].Title)),
			whole(rows[i].Allocated.Bytes)})
	}
	return extract
}

// calls returns the methods of a call stack, the outermost first.
func calls(stack *trace.Stack) (frames []jsontext.String) {
	if stack == nil {
		return []jsontext.String{unknownPlace}
	}
	for _, f := range slices.Backward(stack.Frames) {
		frames = append(frames, jsontext.String(f.Method.Title()))
	}
	return frames
}

func (c *Collector) jsonCollections() jsonCollections {
	c.curve.endCollection()
	t := jsonCollections{From: []int64{}, To: []int64{}, Paused: []int64{}, Used: []uint64{}, Total: []uint64{},
		Live: []uint64{}, Name: []jsontext.String{}, Pause: []bool{}, Omitted: c.curve.thinned}
	for i := range c.curve.points {
		p := &c.curve.points[i]
		t.From, t.To = append(t.From, int64(p.Time-c.start)), append(t.To, int64(p.End-c.start))
		t.Paused, t.Pause = append(t.Paused, p.Paused), append(t.Pause, p.Pause)
		t.Used, t.Total = append(t.Used, p.Used), append(t.Total, p.Total)
		t.Live = append(t.Live, whole(p.live))
		name := p.Name
		if name == "" {
			name = p.Collector
		}
		t.Name = append(t.Name, jsontext.String(name))
	}
	return t
}

// HasCollections reports whether the window has garbage collections; see Options.Curve.
func (c *Collector) HasCollections() bool { return len(c.curve.points) > 0 }
