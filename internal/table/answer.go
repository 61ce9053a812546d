package table

import (
	"bytes"
	"io"

	"github.com/trcx/trcx/internal/sanitize"
)

// Answer is a report for people: a headline, remarks below it, tables, and a note below them.
type Answer struct {
	Headline string
	Remarks  []string // a line each
	Tables   []Table
	Note     string // "" for none
}

// WriteText writes the answer as text, in one call of Write.
func (a *Answer) WriteText(out io.Writer) error {
	return a.write(out, sanitize.Text, (*Table).WriteText)
}

// WriteMarkdown writes the answer in GitHub's Markdown, in one call of Write.
func (a *Answer) WriteMarkdown(out io.Writer) error {
	return a.write(out, Markdown, (*Table).WriteMarkdown)
}

func (a *Answer) write(out io.Writer, escape func(string) string, write func(*Table, io.Writer) error) error {
	var text bytes.Buffer
	text.WriteString(escape(a.Headline) + "\n")
	for _, remark := range a.Remarks {
		text.WriteString(escape(remark) + "\n")
	}
	for i := range a.Tables {
		text.WriteByte('\n')
		_ = write(&a.Tables[i], &text) // a Buffer's Write returns no error
	}
	if a.Note != "" {
		text.WriteString("\n" + a.Note + "\n")
	}
	_, err := out.Write(text.Bytes())
	return err
}
