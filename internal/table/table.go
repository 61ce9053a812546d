// Package table prints tables for people and for their spreadsheets: aligned text, Markdown, CSV. It stands aside of
// the walk, for what analyze has computed.
package table

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/trcx/trcx/internal/sanitize"
)

// Table is a heading with rows beneath it.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Cell
	notes   []string
}

// AddNote has something said below the rows.
func (t *Table) AddNote(note string) { t.notes = append(t.notes, note) }

// Column is one of a table.
type Column struct {
	Name string
	// Right says that the cells stand at the right, as numbers do.
	Right bool
}

// Cell is what stands in a row: a text or a number.
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
	isNothing
)

// Text is a cell with a text, which may come from a trace.
func Text(text string) Cell { return Cell{text: text} }

// Count is a cell with a number of things.
func Count(n uint64) Cell { return Cell{number: shown(n), unit: isCount} }

// Time is a cell with a length of time in nanoseconds. People see it in the unit that fits, programs as it is.
func Time(nanoseconds int64) Cell { return Cell{number: nanoseconds, unit: isTime} }

// Total is a cell with a sum of lengths of time in nanoseconds; see TotalDuration.
func Total(nanoseconds uint64) Cell { return Time(shown(nanoseconds)) }

// TotalDuration is a sum of lengths of time as people read it. What is more than 292 years is shown as that.
func TotalDuration(nanoseconds uint64) string { return Duration(shown(nanoseconds)) }

func shown(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// Nothing is an empty cell.
func Nothing() Cell { return Cell{unit: isNothing} }

// words is the cell as people read it.
func (c Cell) words() string {
	switch c.unit {
	case isCount:
		return strconv.FormatInt(c.number, 10)
	case isTime:
		return Duration(c.number)
	}
	return c.text
}

// Duration is a length of time as people read it: three digits or a little more, in the unit that fits.
func Duration(nanoseconds int64) string {
	size := uint64(nanoseconds)
	if nanoseconds < 0 {
		size = -size
	}
	for _, u := range []struct {
		name  string
		nanos int64
	}{{"s", 1_000_000_000}, {"ms", 1_000_000}, {"µs", 1000}} {
		if size >= uint64(u.nanos) {
			return decimals(nanoseconds, u.nanos) + " " + u.name
		}
	}
	return strconv.FormatInt(nanoseconds, 10) + " ns"
}

// decimals is the quotient with as many decimals as make three digits.
func decimals(value, unit int64) string {
	places := 0
	for rest := value / unit; places < 2 && rest > -100 && rest < 100; places++ {
		rest *= 10
		if rest == 0 {
			rest = 1
		}
	}
	return strconv.FormatFloat(float64(value)/float64(unit), 'f', places, 64)
}

// widest is how wide a cell of text may be; what is longer is cut, and ends in an ellipsis.
const widest = 72

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
			padding := strings.Repeat(" ", widths[column]-runewidth.StringWidth(text))
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

// layout is the text of all cells, the head first, and how wide the columns are.
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
			texts[i] = runewidth.Truncate(sanitize.Text(cell.words()), widest, "…")
		}
		cells = append(cells, texts)
	}
	for _, row := range cells {
		for i, text := range row {
			widths[i] = max(widths[i], runewidth.StringWidth(text))
		}
	}
	return cells, widths
}

// WriteMarkdown writes the table as GitHub shows it.
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
			b.WriteString(" " + markdown(runewidth.Truncate(sanitize.Text(cell.words()), widest, "…")) + " |")
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

// Markdown is a text on one line that Markdown shows as it is.
func Markdown(text string) string { return markdown(sanitize.Text(text)) }

// markdown is a text that Markdown shows as it is: GitHub makes no mention, link, emoji or formula of it.
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
			b.WriteString(nothingThere)
		}
		before = r
	}
	return b.String()
}

// nothingThere is seen by nobody, and keeps what stands before it apart from what follows.
const nothingThere = "<!-- -->"

// isMagic says whether GitHub makes something of the character together with what follows: @name, https://…, :smile:,
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

// WriteCSV writes the rows as comma-separated values, after a line with the names of the columns. Times are in
// nanoseconds.
func (t *Table) WriteCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	head := make([]string, len(t.Columns))
	for i, column := range t.Columns {
		head[i] = column.Name
	}
	w.Write(head) // an error stays in w
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, cell := range row {
			record[i] = cell.value()
		}
		w.Write(record)
	}
	w.Flush()
	return w.Error()
}

// value is the cell as a program reads it.
func (c Cell) value() string {
	switch c.unit {
	case isText:
		return Harmless(c.text)
	case isNothing:
		return ""
	}
	return strconv.FormatInt(c.number, 10)
}

// Harmless is a text that no spreadsheet takes for a formula: one that begins like a formula gets an apostrophe before
// it. What is no UTF-8, and the controls that are none of plain text, become U+FFFD.
func Harmless(text string) string {
	text = strings.Map(visible, strings.ToValidUTF8(text, "\uFFFD"))
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// visible is the character, or U+FFFD for a control that is not one of plain text. No spreadsheet shows such, and a
// terminal would obey it.
func visible(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7F && r < 0xA0 {
		return '\uFFFD'
	}
	return r
}
