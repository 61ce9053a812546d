package heap

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/table"
)

// SetContents sets what arrays and containers hold, for the Duplicates and Fill of the question.
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

func (r *Report) duplicateTable() table.Table {
	t := table.Table{Title: "Equal strings and arrays",
		Columns: append(table.Right("wasted", "copies", "bytes", "length"), table.Left("class", "content")...)}
	total := uint64(0)
	for i := range r.duplicates {
		d := &r.duplicates[i]
		total += d.Wasted
		content := ""
		if d.Content != "" {
			content = strconv.Quote(sanitize.Short(d.Content, maxContent))
		}
		t.Rows = append(t.Rows, []table.Cell{table.Bytes(d.Wasted), table.Count(d.Copies), table.Bytes(d.Size),
			table.Count(uint64(d.Length)), table.Text(d.Class), table.Text(content)})
	}
	t = r.cut(t)
	if len(r.duplicates) == 0 {
		t.AddNote("none")
	} else {
		t.AddNote(fmt.Sprintf("%s in all", phrase.Size(total)))
	}
	return t
}

// fillTable shows how full containers or arrays are.
func (r *Report) fillTable(title string, fills []Fill) table.Table {
	t := table.Table{Title: title,
		Columns: append(table.Right("unused", "fill", "used", "capacity", "count", "empty"), table.Left("class")...)}
	for i := range fills {
		f := &fills[i]
		fill := table.Nothing()
		if f.Capacity > 0 {
			fill = table.Text(phrase.Percent(int64(f.Used), int64(f.Capacity)))
		}
		t.Rows = append(t.Rows, []table.Cell{table.Bytes(f.Unused), fill, table.Count(f.Used), table.Count(f.Capacity),
			table.Count(f.Count), table.Count(f.Empty), table.Text(f.Class)})
	}
	if len(fills) == 0 {
		t.AddNote("none")
	}
	return r.cut(t)
}

// contentTables returns the tables about contents that the question asks for.
func (r *Report) contentTables() (tables []table.Table) {
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

// writeContents writes what the question asks for of contents.
func (r *Report) writeContents(w *jsontext.Writer) {
	if r.question.Duplicates {
		w.Text(",\n\"duplicates\":[")
		for i, d := range r.duplicates {
			w.Item(i, jsonDuplicate{jsontext.String(d.Class), d.Copies, d.Size, d.Wasted, d.Length,
				jsontext.String(d.Content)})
		}
		w.Text("]")
	}
	if r.question.Fill {
		for _, list := range []struct {
			name  string
			fills []Fill
		}{{"containers", r.containers}, {"arrays", r.arrays}} {
			w.Text(",\n\"" + list.name + "\":[")
			for i, f := range list.fills {
				w.Item(i, jsonFill{jsontext.String(f.Class), f.Count, f.Empty, f.Capacity, f.Used, f.Unused})
			}
			w.Text("]")
		}
	}
}
