// Package table writes tables as aligned text, Markdown and CSV.
//
// The commands fill tables with the results of package analyze.
package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
)

// Table is a title with columns, rows and notes below them.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Cell
	notes   []string
}

// AddNote adds a line below the rows.
func (t *Table) AddNote(note string) { t.notes = append(t.notes, note) }

// Column is a column of a table.
type Column struct {
	Name string
	// Right aligns the cells at the right, as for numbers.
	Right bool
}

// Left returns columns of texts.
func Left(names ...string) []Column { return columns(names, false) }

// Right returns columns of numbers.
func Right(names ...string) []Column { return columns(names, true) }

func columns(names []string, right bool) []Column {
	all := make([]Column, len(names))
	for i, name := range names {
		all[i] = Column{name, right}
	}
	return all
}

// Cell is a cell of a row: a text, a count, a duration, a size, or nothing.
type Cell struct {
	text   string
	number int64
	unit   unit
}

type unit uint8

const (
	isText unit = iota
	isCount
	isTime
	isBytes
	isCountChange
	isByteChange
	isNothing
)

// Text returns a cell with a text, which may come from a trace.
func Text(text string) Cell { return Cell{text: text} }

// Nested returns a cell with a text at a level of a tree, 0 at the top. Text and Markdown indent it.
func Nested(level int, text string) Cell { return Cell{text: text, number: int64(level)} }

// Texts returns a cell for each text.
func Texts(texts ...string) []Cell {
	cells := make([]Cell, len(texts))
	for i, text := range texts {
		cells[i] = Text(text)
	}
	return cells
}

// Count returns a cell with a number.
func Count(n uint64) Cell { return Cell{number: shown(n), unit: isCount} }

// Time returns a cell with a duration in nanoseconds. Text and Markdown show it in a fitting unit, CSV in nanoseconds.
func Time(nanoseconds int64) Cell { return Cell{number: nanoseconds, unit: isTime} }

// Bytes returns a cell with a size in bytes.
func Bytes(n uint64) Cell { return Cell{number: shown(n), unit: isBytes} }

// CountChange returns a cell with a difference of numbers: +3, -2, or 0.
func CountChange(n int64) Cell { return Cell{number: n, unit: isCountChange} }

// BytesChange returns a cell with a difference of sizes in bytes.
func BytesChange(n int64) Cell { return Cell{number: n, unit: isByteChange} }

// Total returns a cell with a sum of durations in nanoseconds; see phrase.Total.
func Total(nanoseconds uint64) Cell { return Time(shown(nanoseconds)) }

func shown(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// Nothing returns an empty cell.
func Nothing() Cell { return Cell{unit: isNothing} }

// words returns the cell for text and Markdown.
func (c Cell) words() string {
	switch c.unit {
	case isCount:
		return strconv.FormatInt(c.number, 10)
	case isTime:
		return phrase.Duration(c.number)
	case isBytes:
		return phrase.Size(uint64(c.number))
	case isCountChange:
		return sign(c.number) + strconv.FormatUint(magnitude(c.number), 10)
	case isByteChange:
		return sign(c.number) + phrase.Size(magnitude(c.number))
	}
	return c.text
}

// indent returns what precedes a nested text: the given text for each level, and the level's number where it is deep.
func (c Cell) indent(one string) string {
	switch {
	case c.unit != isText || c.number == 0:
		return ""
	case c.number > maxIndent:
		return strings.Repeat(one, maxIndent) + fmt.Sprintf("(level %d) ", c.number)
	}
	return strings.Repeat(one, int(c.number))
}

// maxIndent limits the indentation of nested texts, in levels.
const maxIndent = 20

// sign returns the sign of a difference.
func sign(n int64) string {
	switch {
	case n > 0:
		return "+"
	case n < 0:
		return "-"
	}
	return ""
}

// magnitude returns a number without its sign.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// maxWidth limits a cell of text and Markdown, in columns of a terminal. A longer one ends in an ellipsis.
const maxWidth = 72

// WriteText writes the table in aligned columns.
func (t *Table) WriteText(out io.Writer) error {
	var b strings.Builder
	b.WriteString(t.Title)
	b.WriteByte('\n')
	cells, widths := t.layout()
	for _, row := range cells {
		b.WriteString("  ")
		var line strings.Builder
		for column, text := range row {
			if column > 0 {
				line.WriteString("  ")
			}
			padding := strings.Repeat(" ", widths[column]-width(text))
			if t.Columns[column].Right {
				line.WriteString(padding + text)
			} else {
				line.WriteString(text + padding)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	for _, note := range t.notes {
		b.WriteString("  " + sanitize.Text(note) + "\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// layout returns the text of all cells, the head first, and the columns' widths.
func (t *Table) layout() (cells [][]string, widths []int) {
	widths = make([]int, len(t.Columns))
	head := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		head[i] = column.Name
	}
	cells = append(cells, head)
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, cell := range row {
			texts[i] = cell.indent("  ") + truncated(sanitize.Text(cell.words()))
		}
		cells = append(cells, texts)
	}
	for _, row := range cells {
		for i, text := range row {
			widths[i] = max(widths[i], width(text))
		}
	}
	return cells, widths
}

// WriteMarkdown writes the table in GitHub's Markdown.
func (t *Table) WriteMarkdown(out io.Writer) error {
	var b strings.Builder
	b.WriteString("### " + markdown(t.Title) + "\n\n|")
	for _, column := range t.Columns {
		b.WriteString(" " + column.Name + " |")
	}
	b.WriteString("\n|")
	for _, column := range t.Columns {
		if column.Right {
			b.WriteString(" ---: |")
		} else {
			b.WriteString(" --- |")
		}
	}
	b.WriteByte('\n')
	for _, row := range t.Rows {
		b.WriteByte('|')
		for _, cell := range row {
			b.WriteString(" " + cell.indent("&emsp;") + markdown(truncated(sanitize.Text(cell.words()))) + " |")
		}
		b.WriteByte('\n')
	}
	for _, note := range t.notes {
		b.WriteString("\n" + Markdown(note) + "\n")
	}
	b.WriteByte('\n')
	_, err := io.WriteString(out, b.String())
	return err
}

// Markdown returns the text on one line, escaped so that Markdown shows it as it is.
func Markdown(text string) string { return markdown(sanitize.Text(text)) }

// markdown escapes a text: GitHub makes no mention, link, emoji or formula of it.
func markdown(text string) string {
	var b strings.Builder
	before := ' '
	for i, r := range text {
		rest := text[i+utf8.RuneLen(r):]
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '$' && !isWord(before):
			b.WriteString("&#36;")
		case strings.ContainsRune("\\`*_[]|~>#", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		if isMagic(text[:i], r, rest) {
			b.WriteString(separator)
		}
		before = r
	}
	return b.String()
}

// separator is invisible. It separates characters that GitHub would otherwise replace together.
const separator = "<!-- -->"

// isMagic reports whether GitHub replaces the character together with the next ones: @name, https://…, :smile:,
// www.…, GH-1.
func isMagic(before string, r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case '@':
		return isWord(next)
	case ':':
		return next == '/' || unicode.IsLetter(next)
	case 'w', 'W':
		return strings.HasSuffix(strings.ToLower(before), "ww") && next == '.'
	case 'h', 'H':
		return strings.HasSuffix(strings.ToLower(before), "g") && next == '-'
	}
	return false
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// WriteCSV writes a line with the columns' names, then the rows, as comma-separated values. Durations are in
// nanoseconds.
func (t *Table) WriteCSV(out io.Writer) error {
	w := NewCSV(out, t.Columns)
	for _, row := range t.Rows {
		w.Row(row...)
	}
	return w.Close()
}

// CSV writes a table of many rows as WriteCSV does, row by row.
type CSV struct {
	to     *csv.Writer // which keeps the first error
	record []string
}

// NewCSV returns a CSV that has written the columns' names.
func NewCSV(out io.Writer, columns []Column) *CSV {
	w := &CSV{to: csv.NewWriter(out)}
	for _, column := range columns {
		w.record = append(w.record, column.Name)
	}
	w.to.Write(w.record)
	return w
}

// Row writes a row.
func (w *CSV) Row(cells ...Cell) {
	w.record = w.record[:0]
	for _, cell := range cells {
		w.record = append(w.record, cell.value())
	}
	w.to.Write(w.record)
}

// Close writes what is left, and returns the first error.
func (w *CSV) Close() error {
	w.to.Flush()
	return w.to.Error()
}

// value returns the cell for CSV.
func (c Cell) value() string {
	switch c.unit {
	case isText:
		return sanitize.Harmless(c.text)
	case isNothing:
		return ""
	}
	return strconv.FormatInt(c.number, 10)
}
