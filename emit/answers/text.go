package answers

import (
	"bytes"
	"io"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/sanitize"
)

// MinWidth is the smallest limit of the width. Two columns of numbers and a place fit into it.
const MinWidth = 40

// WriteText writes the report for people as text, in one call of Write.
func WriteText(out io.Writer, a *answer.Answer, o Options) error {
	if o.Width > 0 {
		o.Width = max(o.Width, MinWidth)
	}
	w := &textWriter{Options: o}
	w.report(a.Report())
	text := w.Bytes()
	if o.Color {
		text = coloured(text)
	}
	_, err := out.Write(text)
	return err
}

// textWriter builds the text.
type textWriter struct {
	bytes.Buffer
	Options
}

func (w *textWriter) report(r *answer.Report) {
	if r.Lead != nil {
		w.report(r.Lead)
		w.WriteByte('\n')
	}
	if r.Headline != "" {
		w.line("", r.Headline)
	}
	for _, remark := range r.Remarks {
		w.line("", remark)
	}
	for i := range r.Trees {
		w.WriteByte('\n')
		w.line("", r.Trees[i].Title)
		for j := range r.Trees[i].Nodes {
			w.WriteByte('\n')
			w.node(&r.Trees[i].Nodes[j], "  ")
		}
	}
	for i := range r.Tables {
		w.WriteByte('\n')
		w.table(&r.Tables[i])
	}
	if r.Note == "" {
		return
	}
	w.WriteByte('\n')
	for line := range strings.SplitSeq(r.Note, "\n") {
		w.line("", line)
	}
}

// node writes a line of a tree after its indentation, and the lines below it.
func (w *textWriter) node(n *answer.Node, indent string) {
	below := indent + "  "
	if n.Label != "" {
		below = indent + strings.Repeat(" ", len(n.Label)+1)
	}
	w.line(indent, strings.TrimLeft(n.Label+" "+n.Text, " "))
	for i := range n.Nodes {
		w.node(&n.Nodes[i], below)
	}
}

// table writes the table in aligned columns.
func (w *textWriter) table(t *answer.Table) {
	w.line("", t.Title)
	l := newLayout(t)
	left := l.fit(w.Width - len(margin))
	for _, row := range l.rows {
		var line strings.Builder
		for i, text := range row {
			c := &l.columns[i]
			if i > 0 {
				line.WriteString(gap)
			}
			text = shortened(text, c.width)
			padding := strings.Repeat(" ", c.width-width(text))
			if c.Right {
				line.WriteString(padding + text)
			} else {
				line.WriteString(text + padding)
			}
		}
		w.WriteString(margin + strings.TrimRight(line.String(), " ") + "\n")
	}
	for _, note := range w.notes(t) {
		w.line(margin, note)
	}
	if len(left) > 0 {
		w.line(margin, "too narrow for: "+strings.Join(left, ", "))
	}
}

// line writes a text after its indentation. It breaks a too long text at blanks. A line with a command stays whole, so
// that it can be copied.
func (w *textWriter) line(indent, text string) {
	text = sanitize.Text(text)
	w.WriteString(indent)
	if w.Width == 0 || strings.Contains(text, ": trcx ") {
		w.WriteString(text + "\n")
		return
	}
	room, at := max(w.Width-len(indent), MinWidth/2), 0
	for i, word := range strings.Split(text, " ") {
		word = shortened(word, room)
		size := width(word)
		switch {
		case i == 0:
		case at+1+size > room:
			w.WriteString("\n" + indent)
			at = 0
		default:
			w.WriteByte(' ')
			at++
		}
		w.WriteString(word)
		at += size
	}
	w.WriteByte('\n')
}
