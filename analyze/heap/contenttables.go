package heap

import (
	"slices"
	"strconv"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
)

// SetContents sets the contents of arrays and containers, for the Duplicates and Fill of the question.
func (r *Report) SetContents(c *Contents, className func(class uint64) string) {
	if r.question.Duplicates {
		r.duplicates = c.Duplicates(className)
	}
	if r.question.Fill {
		r.containers, r.arrays = c.Fills(className)
	}
}

// maxContent limits the content of a row, in characters.
const maxContent = 40

func (r *Report) duplicateTable() answer.Table {
	t := answer.Table{Title: "Equal strings and arrays",
		Columns: slices.Concat(answer.Right("wasted", "copies"), answer.Right("bytes", "length").Spare(1),
			answer.Left("class", "content"))}
	total := uint64(0)
	for i := range r.duplicates {
		d := &r.duplicates[i]
		total += d.Wasted
		content := ""
		if d.Content != "" {
			content = strconv.Quote(sanitize.Short(d.Content, maxContent))
		}
		t.Add(answer.Bytes(d.Wasted), d.Copies, answer.Bytes(d.Size), uint64(d.Length), d.Class, content)
	}
	t.Limit(r.question.Top)
	if len(r.duplicates) == 0 {
		t.Note("none")
	} else {
		t.Note("%s in all", phrase.Size(total))
	}
	return t
}

// fillTable shows how full containers or arrays are.
func (r *Report) fillTable(title string, fills []Fill) answer.Table {
	t := answer.Table{Title: title,
		Columns: slices.Concat(answer.Right("unused", "fill"), answer.Right("used", "capacity").Spare(1),
			answer.Right("count", "empty").Spare(2), answer.Left("class"))}
	for i := range fills {
		f := &fills[i]
		var fill any
		if f.Capacity > 0 {
			fill = phrase.Percent(int64(f.Used), int64(f.Capacity))
		}
		t.Add(answer.Bytes(f.Unused), fill, f.Used, f.Capacity, f.Count, f.Empty, f.Class)
	}
	if len(fills) == 0 {
		t.Note("none")
	}
	t.Limit(r.question.Top)
	return t
}

// contentTables returns the tables about contents for which the question asks.
func (r *Report) contentTables() (tables []answer.Table) {
	if r.question.Duplicates {
		tables = append(tables, r.duplicateTable())
	}
	if r.question.Fill {
		tables = append(tables, r.fillTable("How full containers are: buckets of tables, elements of lists", r.containers),
			r.fillTable("How full other arrays are: elements that are neither null nor 0", r.arrays))
	}
	return tables
}

// The JSON of contents.
type (
	jsonDuplicate struct {
		Class   jsontext.String `json:"class"`
		Copies  uint64          `json:"copies"`
		Size    uint64          `json:"size"`
		Wasted  uint64          `json:"wasted"`
		Length  uint32          `json:"length"`
		Content jsontext.String `json:"content,omitempty"`
	}
	jsonFill struct {
		Class    jsontext.String `json:"class"`
		Count    uint64          `json:"count"`
		Empty    uint64          `json:"empty"`
		Capacity uint64          `json:"capacity"`
		Used     uint64          `json:"used"`
		Unused   uint64          `json:"unused"`
	}
)

// contentsJSON returns the fields about contents for which the question asks.
func (r *Report) contentsJSON() (fields answer.Object) {
	if r.question.Duplicates {
		fields = append(fields, answer.Field{Name: "duplicates", Line: true, Value: answer.ListOf(r.duplicates,
			func(d *Duplicate) jsonDuplicate {
				return jsonDuplicate{jsontext.String(d.Class), d.Copies, d.Size, d.Wasted, d.Length,
					jsontext.String(d.Content)}
			})})
	}
	fill := func(f *Fill) jsonFill {
		return jsonFill{jsontext.String(f.Class), f.Count, f.Empty, f.Capacity, f.Used, f.Unused}
	}
	if r.question.Fill {
		fields = append(fields, answer.Field{Name: "containers", Line: true, Value: answer.ListOf(r.containers, fill)},
			answer.Field{Name: "arrays", Line: true, Value: answer.ListOf(r.arrays, fill)})
	}
	return fields
}
