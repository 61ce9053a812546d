package answer

import (
	"fmt"
	"iter"
	"math"
)

// Table is a title with columns, rows of values, and notes below them.
type Table struct {
	Title   string
	Columns Columns
	Rows    [][]any
	// More is the number of rows that are left out.
	More  int
	Notes []string
}

// Add adds a row.
func (t *Table) Add(values ...any) { t.Rows = append(t.Rows, Row(values...)) }

// Limit leaves out the rows beyond the first ones; 0 is no limit.
func (t *Table) Limit(most int) {
	if more := len(t.Rows) - most; most > 0 && more > 0 {
		t.Rows, t.More = t.Rows[:most], t.More+more
	}
}

// Note adds a line below the rows.
func (t *Table) Note(format string, arguments ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, arguments...))
}

// Rows returns the rows that the function adds, as Row has them, while they are read. Rows that it adds after the
// reader has stopped are dropped.
func Rows(each func(add func(values ...any))) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		reading := true
		each(func(values ...any) { reading = reading && yield(Row(values...)) })
	}
}

// RowsOf returns the rows of a table for CSV: the names of its columns, and then its rows. The table is computed when
// they are read.
func RowsOf(table func() Table) iter.Seq[[]any] {
	return Rows(func(add func(...any)) {
		t := table()
		add(t.Columns.Names()...)
		for _, row := range t.Rows {
			add(row...)
		}
	})
}

// Column is a column of a table.
type Column struct {
	Name string
	// Right aligns the cells at the right, as for numbers. Such cells are never shortened.
	Right bool
	// Spare is above 0 if the column may be left out of lines that are too long. The columns with the highest number
	// are left out first; columns with equal numbers go together.
	Spare int
}

// Columns are the columns of a table, from the left.
type Columns []Column

// Left returns columns of texts.
func Left(names ...string) Columns { return columns(names, false) }

// Right returns columns of numbers.
func Right(names ...string) Columns { return columns(names, true) }

func columns(names []string, right bool) Columns {
	all := make(Columns, len(names))
	for i, name := range names {
		all[i] = Column{Name: name, Right: right}
	}
	return all
}

// Spare sets the number by which columns are left out.
func (c Columns) Spare(number int) Columns {
	for i := range c {
		c[i].Spare = number
	}
	return c
}

// Names returns a row of the columns' names.
func (c Columns) Names() []any {
	names := make([]any, len(c))
	for i := range c {
		names[i] = c[i].Name
	}
	return names
}

// Values of cells, besides texts, numbers and nil for an empty cell. Text and Markdown show them in fitting units, CSV
// in nanoseconds and bytes.
type (
	// Time is a duration in nanoseconds.
	Time int64
	// Bytes is a size.
	Bytes uint64
	// CountChange is a difference of numbers: +3, -2, or 0.
	CountChange int64
	// BytesChange is a difference of sizes.
	BytesChange int64
	// Nested is a text at a level of a tree, 0 at the top. Text and Markdown indent it.
	Nested struct {
		Level int
		Text  string
	}
)

// Total returns a sum of durations in nanoseconds. It saturates at 292 years.
func Total(nanoseconds uint64) Time { return Time(min(nanoseconds, math.MaxInt64)) }

// Known returns a number above 0, or an empty cell for 0.
func Known(n uint64) any {
	if n == 0 {
		return nil
	}
	return n
}

// Row returns a row of values, and of the values in lists.
func Row(values ...any) (row []any) {
	for _, value := range values {
		switch v := value.(type) {
		case []any:
			row = append(row, v...)
		case []string:
			for _, text := range v {
				row = append(row, text)
			}
		default:
			row = append(row, value)
		}
	}
	return row
}

// Class is a class of a histogram, with its objects.
type Class struct {
	Name           string
	Objects, Bytes uint64
}
