package table

import (
	"bytes"
	"io"

	"github.com/trcx/trcx/internal/sanitize"
)

// Answer is a report for people: a headline, tables, and a note below them.
type Answer struct {
	Headline string
	Tables   []Table
	Note     string // "" for none
}

// WriteText writes the answer as text, in one call of Write.
func (a *Answer) WriteText(out io.Writer) error {
	return a.write(out, sanitize.Text(a.Headline), (*Table).WriteText)
}

// WriteMarkdown writes the answer in GitHub's Markdown, in one call of Write.
func (a *Answer) WriteMarkdown(out io.Writer) error {
	return a.write(out, Markdown(a.Headline), (*Table).WriteMarkdown)
}

func (a *Answer) write(out io.Writer, headline string, write func(*Table, io.Writer) error) error {
	var text bytes.Buffer // whose Write returns no error
	text.WriteString(headline + "\n")
	for i := range a.Tables {
		text.WriteByte('\n')
		write(&a.Tables[i], &text)
	}
	if a.Note != "" {
		text.WriteString("\n" + a.Note + "\n")
	}
	_, err := out.Write(text.Bytes())
	return err
}
