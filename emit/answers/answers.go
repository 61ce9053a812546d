// Package answers prints what analyses answer, as aligned text, Markdown, CSV and JSON.
//
//   - text.go: text, whose lines fit a terminal; layout.go and shorten.go make tables fit
//   - markdown.go: the Markdown of GitHub
//   - values.go: CSV and JSON, for programs
//   - histogram.go: classes as jmap -histo prints them
package answers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/phrase"
)

// Options say how reports are written for people.
type Options struct {
	// Width is the number of columns of a terminal into which the lines of text have to fit, MinWidth at least; 0 is no
	// limit.
	Width int
	// All says how all rows are shown, where some are left out: "--all shows all". It may be "".
	All string
}

// words returns the cell for people.
func words(c answer.Cell) string {
	switch c.Unit {
	case answer.Number:
		return strconv.FormatInt(c.Number, 10)
	case answer.Nanoseconds:
		return phrase.Duration(c.Number)
	case answer.SizeInBytes:
		return phrase.Size(uint64(c.Number))
	case answer.NumberChange:
		return sign(c.Number) + strconv.FormatUint(magnitude(c.Number), 10)
	case answer.SizeChange:
		return sign(c.Number) + phrase.Size(magnitude(c.Number))
	}
	return c.Text
}

// indent returns what precedes a nested text: the given text for each level, and the level's number where it is deep.
func indent(c answer.Cell, one string) string {
	switch {
	case c.Unit != answer.Word || c.Number == 0:
		return ""
	case c.Number > maxIndent:
		return strings.Repeat(one, maxIndent) + fmt.Sprintf("(level %d) ", c.Number)
	}
	return strings.Repeat(one, int(c.Number))
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

// notes returns the lines below a table.
func (o *Options) notes(t *answer.Table) []string {
	if t.More == 0 {
		return t.Notes
	}
	more := "and " + phrase.Number(t.More) + " more"
	if o.All != "" {
		more += "; " + o.All
	}
	return append([]string{more}, t.Notes...)
}
