package query

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/antchfx/xmlquery"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// Printer prints results in one format.
type Printer interface {
	// Result prints a result.
	Result(*Result) error
	// Close completes the output after this number of results.
	Close(found int) error
}

// The names of the formats.
const (
	XML         = "trcxml"
	formatJSON  = "json"
	formatCount = "count"
	Text        = "text"
)

// Formats returns the names of the formats that fit what the query selects, the default first.
func (q *Query) Formats() []string {
	switch q.gives {
	case Elements:
		return []string{XML, formatJSON, formatCount}
	case Values:
		return []string{Text, formatJSON, formatCount}
	}
	return []string{formatJSON, formatCount}
}

// NewPrinter returns a Printer of the format. element appends an element of a trace as a line of XML.
func NewPrinter(format string, out io.Writer, element func([]byte, *trace.Event) []byte) Printer {
	w := bufio.NewWriterSize(out, 64<<10)
	switch format {
	case XML:
		return &excerpt{out: w, element: element}
	case formatJSON:
		return &objects{out: w}
	case Text:
		return &texts{out: w}
	}
	return &counter{out: w}
}

// counter prints the number of results.
type counter struct{ out *bufio.Writer }

func (c *counter) Result(*Result) error { return nil }

func (c *counter) Close(found int) error {
	fmt.Fprintln(c.out, found) // an error stays in the writer
	return c.out.Flush()
}

// texts prints values, one a line.
type texts struct{ out *bufio.Writer }

func (t *texts) Result(r *Result) error {
	t.out.WriteString(sanitize.Text(r.Value))
	return t.out.WriteByte('\n')
}

func (t *texts) Close(int) error { return t.out.Flush() }

// excerpt prints a trace of the results only.
type excerpt struct {
	out     *bufio.Writer
	element func([]byte, *trace.Event) []byte
	begun   bool
	line    []byte
}

func (d *excerpt) begin() {
	if !d.begun {
		d.begun = true
		d.out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<TRACE>\n")
	}
}

func (d *excerpt) Result(r *Result) error {
	d.begin()
	switch raw := r.Event.Raw(); {
	case !r.Whole:
		d.line = append(appendNode(d.line[:0], r.Node), '\n')
	case len(raw) > 0:
		d.line = append(append(d.line[:0], raw...), '\n')
	default:
		d.line = d.element(d.line[:0], r.Event)
	}
	_, err := d.out.Write(d.line)
	return err
}

func (d *excerpt) Close(int) error {
	d.begin()
	d.out.WriteString("</TRACE>\n")
	return d.out.Flush()
}

// appendNode appends an element inside of another one, or a text, as XML.
func appendNode(dst []byte, n *xmlquery.Node) []byte {
	if n.Type == xmlquery.TextNode {
		return trace.AppendText(dst, []byte(n.Data))
	}
	name := joined(n.Prefix, n.Data)
	dst = append(append(dst, '<'), name...)
	for _, a := range n.Attr {
		dst = append(append(append(dst, ' '), joined(a.Name.Space, a.Name.Local)...), `="`...)
		dst = append(trace.AppendValue(dst, []byte(a.Value)), '"')
	}
	if n.FirstChild == nil {
		return append(dst, "/>"...)
	}
	dst = append(dst, '>')
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		dst = appendNode(dst, child)
	}
	return append(append(append(dst, "</"...), name...), '>')
}

// objects prints a JSON object a line.
type objects struct {
	out  *bufio.Writer
	line bytes.Buffer
}

func (o *objects) Result(r *Result) error {
	o.line.Reset()
	switch {
	case r.IsValue && r.Attribute != "":
		o.field(`{"attribute":`, r.Attribute)
		o.field(`,"value":`, r.Value)
		o.field(`,"element":`, r.elementName())
	case r.IsValue:
		o.field(`{"text":`, r.Value)
		o.field(`,"element":`, r.elementName())
	default:
		o.line.WriteByte('{')
		o.fields(r.Node)
	}
	o.field(`,"document":`, r.Document)
	if r.Event.Source != nil {
		at, _ := r.Event.Source.Locate(r.Event)
		fmt.Fprintf(&o.line, `,"line":%d`, at.Line)
	}
	fmt.Fprintf(&o.line, `,"offset":%d}`+"\n", r.Event.Offset)
	_, err := o.out.Write(o.line.Bytes())
	return err
}

func (o *objects) Close(int) error { return o.out.Flush() }

// elementName returns the name of the element that has the attribute or the text.
func (r *Result) elementName() string {
	n := r.Node
	if n.Type == xmlquery.TextNode {
		n = n.Parent
	}
	return joined(n.Prefix, n.Data)
}

// field writes a name, which is JSON, and a text.
func (o *objects) field(name, value string) {
	o.line.WriteString(name)
	o.line.Write(jsontext.Append(o.line.AvailableBuffer(), value))
}

// fields writes the fields of an element, without the braces.
func (o *objects) fields(n *xmlquery.Node) {
	o.field(`"element":`, joined(n.Prefix, n.Data))
	o.line.WriteString(`,"attributes":{`)
	for i, a := range n.Attr {
		if i > 0 {
			o.line.WriteByte(',')
		}
		o.field("", joined(a.Name.Space, a.Name.Local))
		o.field(":", a.Value)
	}
	o.line.WriteByte('}')
	if n.FirstChild == nil {
		return
	}
	var text strings.Builder
	o.line.WriteString(`,"children":[`)
	written := false
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == xmlquery.TextNode {
			text.WriteString(child.Data)
			continue
		}
		if written {
			o.line.WriteByte(',')
		}
		written = true
		o.line.WriteByte('{')
		o.fields(child)
		o.line.WriteByte('}')
	}
	o.line.WriteByte(']')
	if text.Len() > 0 {
		o.field(`,"text":`, text.String())
	}
}
