package answers

import (
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/sanitize"
)

// The texts before each line of a table and between its columns.
const (
	margin = "  "
	gap    = "  "
)

const (
	// readable is the width to which texts are shortened before columns are left out, narrow the width to which they
	// are shortened when no more columns can be left out.
	readable, narrow = 16, 8
	// maxCell limits a cell if the width has no limit. Longer names are attacks: a single one would make each line of
	// the table as long.
	maxCell = 1000
)

// layout is a table as text whose columns are not fitted into a width yet.
type layout struct {
	columns []layoutColumn
	rows    [][]string // the head first
}

// layoutColumn is a column with the width that it needs and the width that it gets.
type layoutColumn struct {
	answer.Column
	needs, width int
}

func newLayout(t *answer.Table) *layout {
	l := &layout{columns: make([]layoutColumn, len(t.Columns)), rows: make([][]string, 1+len(t.Rows))}
	for i, column := range t.Columns {
		l.columns[i].Column = column
	}
	for r := range l.rows {
		cells := t.Columns.Names()
		if r > 0 {
			cells = t.Rows[r-1]
		}
		for i, cell := range cells {
			text := indent(cell, "  ") + shortened(sanitize.Text(Words(cell)), maxCell)
			l.rows[r] = append(l.rows[r], text)
			l.columns[i].needs = max(l.columns[i].needs, width(text))
		}
	}
	return l
}

// fit sets the widths of the columns so that a line has at most room terminal columns, and returns the names of columns
// that it had to leave out. 0 is no limit.
func (l *layout) fit(room int) (left []string) {
	for i := range l.columns {
		l.columns[i].width = l.columns[i].needs
	}
	if room <= 0 || l.total() <= room {
		return nil
	}
	for i := range l.columns {
		l.columns[i].width = l.least(i)
	}
	for l.total() > room {
		spare := slices.MaxFunc(l.columns, func(a, b layoutColumn) int { return a.Spare - b.Spare }).Spare
		if spare == 0 {
			break
		}
		for i := len(l.columns) - 1; i >= 0; i-- {
			if c := l.columns[i]; c.Spare == spare {
				left = append(left, c.Name)
				l.leaveOut(i)
			}
		}
	}
	for l.share(room) {
	}
	return readableNames(left)
}

// share distributes the unused part of room over the columns, or shrinks them if they exceed it. It reports whether a
// column uses less than it got, so that others can have more.
func (l *layout) share(room int) (again bool) {
	for rest := room - l.total(); rest != 0; {
		change := 1
		if rest < 0 {
			change = -1
		}
		c := l.pick(change)
		if c == nil {
			return false
		}
		c.width += change
		rest -= change
	}
	for i := range l.columns {
		c, used := &l.columns[i], 0
		if c.Right || c.width == c.needs {
			continue
		}
		for _, row := range l.rows {
			used = max(used, width(shortened(row[i], c.width)))
		}
		if used < c.width {
			c.needs, c.width, again = used, used, true
		}
	}
	return again
}

// least returns the smallest width at which the column's texts can be understood.
func (l *layout) least(i int) int {
	if l.columns[i].Right {
		return l.columns[i].needs
	}
	least := width(l.rows[0][i])
	for _, row := range l.rows[1:] {
		least = max(least, min(width(row[i]), max(readable, core(row[i]))))
	}
	return least
}

// total returns the width of a line.
func (l *layout) total() int {
	total := len(gap) * (len(l.columns) - 1)
	for _, c := range l.columns {
		total += c.width
	}
	return total
}

// leaveOut leaves out a column.
func (l *layout) leaveOut(i int) {
	l.columns = slices.Delete(l.columns, i, i+1)
	for r, row := range l.rows {
		l.rows[r] = slices.Delete(row, i, i+1)
	}
}

// pick returns the column to change: to widen it, the one that lacks most; to narrow it, the widest; nil for none.
func (l *layout) pick(change int) (picked *layoutColumn) {
	most := 0
	for i := range l.columns {
		c := &l.columns[i]
		gain := c.needs - c.width
		if change < 0 {
			gain = c.width - narrow
		}
		if !c.Right && gain > most {
			picked, most = c, gain
		}
	}
	return picked
}

// readableNames returns the names of columns, each once and from the left, without names that are signs.
func readableNames(columns []string) (names []string) {
	for _, name := range slices.Backward(columns) {
		if name != "" && name != "→" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
