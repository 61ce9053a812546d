// Package answers prints the answers of analyses as aligned text, Markdown, CSV and JSON.
//
//   - text.go: text, whose lines fit a terminal; layout.go and shorten.go make tables fit
//   - colour.go: the colours of states on a terminal
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
	"github.com/trcx/trcx/internal/sanitize"
)

// Options say how reports are written for people.
type Options struct {
	// Width is the number of terminal columns that lines of text must fit, at least MinWidth; 0 is no limit.
	Width int
	// Color writes the words of states in the colours of a terminal; text only.
	Color bool
	// All tells readers how to see all rows where some are left out; it may be "".
	All string
}

// Words returns the value of a cell for people.
func Words(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case answer.Time:
		return phrase.Duration(int64(v))
	case answer.Bytes:
		return phrase.Size(uint64(v))
	case answer.CountChange:
		return sign(int64(v)) + strconv.FormatUint(magnitude(int64(v)), 10)
	case answer.BytesChange:
		return sign(int64(v)) + phrase.Size(magnitude(int64(v)))
	case answer.Nested:
		return v.Text
	}
	return fmt.Sprint(cell)
}

// value returns the value of a cell for CSV.
func value(cell any) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case int, uint64, answer.Time, answer.Bytes, answer.CountChange, answer.BytesChange:
		return fmt.Sprint(v)
	}
	return sanitize.Harmless(Words(cell))
}

// indent returns the indentation of a nested text: the given text for each level, and the level's number if it is deep.
func indent(cell any, one string) string {
	switch nested, _ := cell.(answer.Nested); {
	case nested.Level > maxIndent:
		return strings.Repeat(one, maxIndent) + fmt.Sprintf("(level %d) ", nested.Level)
	default:
		return strings.Repeat(one, nested.Level)
	}
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
