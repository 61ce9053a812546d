package answer

import (
	"fmt"
	"iter"
	"math"
)

// Table is a title with columns, rows and notes below them.
type Table struct {
	Title   string
	Columns Columns
	Rows    [][]Cell
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

// RowsOf returns the rows of a table for CSV: the names of its columns, and then its rows. The table is computed when
// they are read.
func RowsOf(table func() Table) iter.Seq[[]Cell] {
	return func(yield func([]Cell) bool) {
		t := table()
		if !yield(t.Columns.Names()) {
			return
		}
		for _, row := range t.Rows {
			if !yield(row) {
				return
			}
		}
	}
}

// Column is a column of a table.
type Column struct {
	Name string
	// Right aligns the cells at the right, as for numbers. Such cells are never shortened.
	Right bool
	// Spare is above 0 if the column may be left out where a line is too long. Columns with the highest number go
	// first, and those of one number together.
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
func (c Columns) Names() []Cell {
	names := make([]Cell, len(c))
	for i := range c {
		names[i] = Text(c[i].Name)
	}
	return names
}

// Cell is a cell of a row: a text, a count, a duration, a size, or nothing.
type Cell struct {
	Text string
	// Number is the value, or of a text its level in a tree, 0 at the top.
	Number int64
	Unit   Unit
}

// Unit is what a cell has.
type Unit uint8

// The units of cells.
const (
	Word Unit = iota
	Number
	Nanoseconds
	SizeInBytes
	NumberChange
	SizeChange
	Empty
)

// String names the unit.
func (u Unit) String() string {
	return [...]string{"word", "number", "nanoseconds", "bytes", "change of a number", "change of bytes", "empty"}[u]
}

// Text returns a cell with a text, which may come from a trace.
func Text(text string) Cell { return Cell{Text: text} }

// Nested returns a cell with a text at a level of a tree, 0 at the top. Text and Markdown indent it.
func Nested(level int, text string) Cell { return Cell{Text: text, Number: int64(level)} }

// Texts returns a cell for each text.
func Texts(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, text := range texts {
		cells[i] = Text(text)
	}
	return cells
}

// Row returns a row of cells and lists of cells. A string becomes a text, a number a count, and nil an empty cell.
func Row(values ...any) (row []Cell) {
	for _, value := range values {
		switch v := value.(type) {
		case Cell:
			row = append(row, v)
		case []Cell:
			row = append(row, v...)
		case string:
			row = append(row, Text(v))
		case int:
			row = append(row, Count(uint64(max(v, 0))))
		case uint64:
			row = append(row, Count(v))
		case nil:
			row = append(row, Nothing())
		default:
			row = append(row, Text(fmt.Sprint(v)))
		}
	}
	return row
}

// Count returns a cell with a number.
func Count(n uint64) Cell { return Cell{Number: saturated(n), Unit: Number} }

// Known returns a cell with a number above 0, or nothing for 0.
func Known(n uint64) Cell {
	if n == 0 {
		return Nothing()
	}
	return Count(n)
}

// Time returns a cell with a duration in nanoseconds. Text and Markdown show it in a fitting unit, CSV in nanoseconds.
func Time(nanoseconds int64) Cell { return Cell{Number: nanoseconds, Unit: Nanoseconds} }

// Total returns a cell with a sum of durations in nanoseconds. It saturates at 292 years.
func Total(nanoseconds uint64) Cell { return Time(saturated(nanoseconds)) }

// Bytes returns a cell with a size in bytes.
func Bytes(n uint64) Cell { return Cell{Number: saturated(n), Unit: SizeInBytes} }

// CountChange returns a cell with a difference of numbers: +3, -2, or 0.
func CountChange(n int64) Cell { return Cell{Number: n, Unit: NumberChange} }

// BytesChange returns a cell with a difference of sizes in bytes.
func BytesChange(n int64) Cell { return Cell{Number: n, Unit: SizeChange} }

// Nothing returns an empty cell.
func Nothing() Cell { return Cell{Unit: Empty} }

func saturated(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// Class is a class with its objects, for a histogram.
type Class struct {
	Name           string
	Objects, Bytes uint64
}
