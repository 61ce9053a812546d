package tables

import (
	"encoding/json"
	"io"
	"reflect"
	"strconv"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/emit/answers"
	"github.com/trcx/trcx/fleet/rows"
)

// Formats are the formats of tables.
var Formats = []string{"json", "csv", "parquet"}

// FileName returns the name of the file of the table in the format, in the folder of the run.
func (t *Table) FileName(format string) string {
	name := t.Name
	if name == "traces" || name == "dead" { // these two have folders
		name += "/" + name
	}
	if format == "parquet" {
		return name + "-00000-of-00001.parquet"
	}
	return name + "." + format
}

// Write writes the table in one of the Formats.
func (t *Table) Write(out io.Writer, format string) error {
	switch format {
	case "csv":
		return t.writeCSV(out)
	case "parquet":
		return t.writeParquet(out)
	}
	return t.WriteJSON(out)
}

// WriteJSON writes an array with an object on each line.
func (t *Table) WriteJSON(out io.Writer) error {
	text := []byte("[")
	for i, row := range t.Rows {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, "\n{"...)
		for j, column := range t.Columns {
			if j > 0 {
				text = append(text, ',')
			}
			value, err := json.Marshal(row[j])
			if err != nil {
				return err
			}
			text = append(append(strconv.AppendQuote(text, column.Name), ':'), value...)
		}
		text = append(text, '}')
		if len(text) > 1<<16 {
			if _, err := out.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	_, err := out.Write(append(text, "\n]\n"...))
	return err
}

// figureNames are the names of figures, in their order.
var figureNames = []string{"count", "total", "min", "max", "mean", "p50", "p90", "p99", "open"}

// list returns figures in the order of their names.
func list(f *contention.Figures) []uint64 {
	return []uint64{f.Count, f.Total, uint64(f.Min), uint64(f.Max), uint64(f.Mean), uint64(f.P50), uint64(f.P90),
		uint64(f.P99), f.Open}
}

// flat returns the columns with a column for each figure, whose name has the separator.
func (t *Table) flat(separator string) (columns []rows.Column) {
	for _, column := range t.Columns {
		switch column.Kind {
		case Text:
			columns = append(columns, rows.Column{Name: column.Name, Type: rows.TextColumn})
		case Number:
			columns = append(columns, rows.Column{Name: column.Name, Type: rows.NumberColumn})
		case Lengths:
			for _, figure := range figureNames {
				columns = append(columns, rows.Column{Name: column.Name + separator + figure, Type: rows.NumberColumn})
			}
		}
	}
	return columns
}

// flatRow calls put for each value of a row of flat columns.
func flatRow(row []any, put func(any)) {
	for _, value := range row {
		if f, ok := value.(contention.Figures); ok {
			for _, figure := range list(&f) {
				put(figure)
			}
			continue
		}
		put(value)
	}
}

func (t *Table) writeCSV(out io.Writer) error {
	return answers.WriteCSV(out, &answer.Answer{CSV: func(yield func([]any) bool) {
		var names []any
		for _, column := range t.flat(".") {
			names = append(names, column.Name)
		}
		going := yield(names)
		for _, row := range t.Rows {
			var values []any
			flatRow(row, func(value any) { values = append(values, value) })
			going = going && yield(values)
		}
	}})
}

func (t *Table) writeParquet(out io.Writer) error {
	return rows.WriteColumns(out, t.flat("_"), nil, len(t.Rows), func(i int, values []reflect.Value) {
		at := 0
		flatRow(t.Rows[i], func(value any) {
			values[at].Set(reflect.ValueOf(value))
			at++
		})
	})
}
