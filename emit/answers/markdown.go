package answers

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/sanitize"
)

// WriteMarkdown writes the report for people in GitHub's Markdown, in one call of Write. Nothing is shortened.
func WriteMarkdown(out io.Writer, a *answer.Answer, o Options) error {
	w := &markdownWriter{Options: o}
	w.report(a.Report())
	_, err := out.Write(w.Bytes())
	return err
}

// markdownWriter builds the Markdown.
type markdownWriter struct {
	bytes.Buffer
	Options
}

func (w *markdownWriter) report(r *answer.Report) {
	if r.Lead != nil {
		w.report(r.Lead)
		w.WriteByte('\n')
	}
	for _, line := range append([]string{r.Headline}, r.Remarks...) {
		if line != "" {
			w.WriteString(markdown(line) + "\n")
		}
	}
	for i := range r.Trees {
		w.WriteString("\n### " + markdown(r.Trees[i].Title) + "\n\n")
		w.nodes(r.Trees[i].Nodes, "")
	}
	for i := range r.Tables {
		w.WriteByte('\n')
		w.table(&r.Tables[i])
	}
	if r.Note != "" {
		w.WriteString("\n" + r.Note + "\n")
	}
}

// nodes writes lines of a tree as a list, and their children as nested lists.
func (w *markdownWriter) nodes(nodes []answer.Node, indent string) {
	for i := range nodes {
		text := strings.TrimLeft(strings.TrimRight(nodes[i].Label, " ")+" "+nodes[i].Text, " ")
		w.WriteString(indent + "- " + markdown(text) + "\n")
		w.nodes(nodes[i].Nodes, indent+"  ")
	}
}

func (w *markdownWriter) table(t *answer.Table) {
	w.WriteString("### " + markdown(t.Title) + "\n\n|")
	for _, column := range t.Columns {
		w.WriteString(" " + column.Name + " |")
	}
	w.WriteString("\n|")
	for _, column := range t.Columns {
		if column.Right {
			w.WriteString(" ---: |")
		} else {
			w.WriteString(" --- |")
		}
	}
	w.WriteByte('\n')
	for _, row := range t.Rows {
		w.WriteByte('|')
		for _, cell := range row {
			w.WriteString(" " + indent(cell, "&emsp;") + markdown(Words(cell)) + " |")
		}
		w.WriteByte('\n')
	}
	for _, note := range w.notes(t) {
		w.WriteString("\n" + markdown(note) + "\n")
	}
	w.WriteByte('\n')
}

// markdown returns a text on one line, escaped so that Markdown shows it as it is: GitHub makes no mention, link, emoji
// or formula from it.
func markdown(text string) string {
	text = sanitize.Text(text)
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
