package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/validate"
)

// text prints for people: a line for each finding, its element with a caret, and a line with the numbers of findings.
// It prints nothing for a document without findings.
type text struct {
	out    *bufio.Writer
	colors palette
}

func newText(out io.Writer, options Options) Printer {
	return &text{out: bufio.NewWriter(out), colors: palette(options.Color)}
}

func (t *text) Print(r *validate.Result) error {
	if r.Errors+r.Warnings == 0 {
		return nil
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintln(t.out, sentence(r.Input, f, t.colors))
		t.quote(f.Quote)
	}
	fmt.Fprintf(t.out, "%s: %s\n", presentable(r.Input, maxName), tally(r))
	return t.out.Flush()
}

func (t *text) Close() error { return t.out.Flush() }

func (t *text) quote(q trace.Quote) {
	if q.Text == "" {
		return
	}
	line, column := layOut(q)
	fmt.Fprintf(t.out, "    %s\n    %s%s\n", line, strings.Repeat(" ", column), t.colors.paint(green, "^"))
}

// sentence returns a finding in one line: input:line:column: severity: message [rule].
func sentence(input string, f *trace.Finding, colors palette) string {
	return strings.Join([]string{
		colors.paint(bold, located(input, f)+":"),
		colors.paint(severityStyles[f.Severity], f.Severity.String()+":"),
		presentable(f.Message, maxMessage),
		colors.paint(dim, "["+presentable(f.Rule, maxName)+"]"),
	}, " ")
}

// palette reports whether there are colors.
type palette bool

const colorless palette = false

// style is the parameters of an escape sequence.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "1;33"
	green  style = "1;32"
)

// severityStyles are the colors that compilers use.
var severityStyles = map[trace.Severity]style{trace.Error: red, trace.Warning: yellow}

func (p palette) paint(s style, part string) string {
	if !p {
		return part
	}
	return "\x1b[" + string(s) + "m" + part + "\x1b[0m"
}

// The code points of a quote that are shown: more after the caret than before it, because the defect is there.
const (
	shownBefore = 80
	shownAfter  = 120
)

// layOut returns a quote as one printable line of limited length, and the column of the caret, from 0.
func layOut(q trace.Quote) (line string, column int) {
	caret := min(max(q.Caret, 0), utf8.RuneCountInString(q.Text))
	begin, end := sanitize.Bytes(q.Text, caret-shownBefore), sanitize.Bytes(q.Text, caret+shownAfter)
	at := sanitize.Bytes(q.Text, caret)
	var laid []byte
	if begin > 0 {
		laid = append(laid, "…"...)
	}
	laid = appendLine(laid, q.Text[begin:at])
	column = runewidth.StringWidth(string(laid))
	laid = appendLine(laid, q.Text[at:end])
	if end < len(q.Text) {
		laid = append(laid, "…"...)
	}
	return string(laid), column
}

// appendLine appends text as sanitize.Text shows it, except that a tab, common between attributes, becomes a space.
func appendLine(dst []byte, text string) []byte {
	return append(dst, sanitize.Text(strings.ReplaceAll(text, "\t", " "))...)
}
