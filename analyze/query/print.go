package query

import (
	"bufio"
	"fmt"
	"io"

	"github.com/antchfx/xmlquery"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// The names of the formats.
const XML, JSON, Text, count = "trcxml", "json", "text", "count"

// Formats returns the names of the formats that fit what the query selects, the default first.
func (q *Query) Formats() []string {
	switch {
	case !q.values:
		return []string{XML, JSON, count}
	case !q.elements:
		return []string{Text, JSON, count}
	}
	return []string{JSON, count}
}

// Printer prints results in one format.
type Printer struct {
	format  string
	out     *bufio.Writer
	element func([]byte, *trace.Event) []byte
	line    []byte
}

// NewPrinter returns a Printer of the format. element appends an element of a trace as a line of XML.
func NewPrinter(format string, out io.Writer, element func([]byte, *trace.Event) []byte) *Printer {
	p := &Printer{format: format, out: bufio.NewWriterSize(out, 64<<10), element: element}
	if format == XML {
		p.out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<TRACE>\n") // not flushed before a result
	}
	return p
}

// Result prints a result.
func (p *Printer) Result(r *Result) error {
	switch raw := r.Event.Raw(); {
	case p.format == count:
		return nil
	case p.format == JSON:
		p.line = append(appendResult(p.line[:0], r), '\n')
	case r.Attribute != nil:
		p.line = append(append(p.line[:0], sanitize.Text(r.Attribute.Value)...), '\n')
	case p.format == Text:
		p.line = append(append(p.line[:0], sanitize.Text(r.Node.Data)...), '\n')
	case r.Node.LineNumber > 0: // inside of the event
		p.line = append(appendXML(p.line[:0], r.Node), '\n')
	case len(raw) > 0:
		p.line = append(append(p.line[:0], raw...), '\n')
	default:
		p.line = p.element(p.line[:0], r.Event)
	}
	_, err := p.out.Write(p.line)
	return err
}

// Close completes the output after this number of results.
func (p *Printer) Close(found int) error {
	switch p.format {
	case count:
		fmt.Fprintln(p.out, found) // an error stays in the writer
	case XML:
		p.out.WriteString("</TRACE>\n")
	}
	return p.out.Flush()
}

// appendXML appends an element inside of another one, or a text.
func appendXML(dst []byte, n *xmlquery.Node) []byte {
	if n.Type == xmlquery.TextNode {
		return xmltext.AppendText(dst, []byte(n.Data))
	}
	dst = append(append(dst, '<'), n.Data...)
	for _, a := range n.Attr {
		dst = append(append(append(dst, ' '), a.Name.Local...), `="`...)
		dst = append(xmltext.AppendValue(dst, []byte(a.Value)), '"')
	}
	if n.FirstChild == nil {
		return append(dst, "/>"...)
	}
	dst = append(dst, '>')
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		dst = appendXML(dst, child)
	}
	return append(append(append(dst, "</"...), n.Data...), '>')
}

// appendField appends a name, which is JSON, and a text.
func appendField(dst []byte, name, text string) []byte {
	return jsontext.Append(append(dst, name...), text)
}

// appendResult appends a result as a JSON object.
func appendResult(dst []byte, r *Result) []byte {
	switch {
	case r.Attribute != nil:
		dst = appendField(dst, `{"attribute":`, r.Attribute.Name.Local)
		dst = appendField(appendField(dst, `,"value":`, r.Attribute.Value), `,"element":`, r.Node.Data)
	case r.Node.Type == xmlquery.TextNode:
		dst = appendField(appendField(dst, `{"text":`, r.Node.Data), `,"element":`, r.Node.Parent.Data)
	default:
		dst = appendJSON(append(dst, '{'), r.Node)
	}
	dst = appendField(dst, `,"document":`, r.Document)
	if r.Event.Source != nil {
		at, _ := r.Event.Source.Locate(r.Event)
		dst = fmt.Appendf(dst, `,"line":%d`, at.Line)
	}
	return fmt.Appendf(dst, `,"offset":%d}`, r.Event.Offset)
}

// appendJSON appends the fields of an element.
func appendJSON(dst []byte, n *xmlquery.Node) []byte {
	dst = append(appendField(dst, `"element":`, n.Data), `,"attributes":{`...)
	for i, a := range n.Attr {
		dst = appendField(appendField(dst, ","[:min(i, 1)], a.Name.Local), ":", a.Value)
	}
	if dst = append(dst, '}'); n.FirstChild == nil {
		return dst
	}
	dst = append(dst, `,"children":[`...)
	var text []byte
	children := 0
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == xmlquery.TextNode {
			text = append(text, child.Data...)
			continue
		}
		dst = append(appendJSON(append(append(dst, ","[:min(children, 1)]...), '{'), child), '}')
		children++
	}
	if dst = append(dst, ']'); len(text) > 0 {
		dst = jsontext.Append(append(dst, `,"text":`...), text)
	}
	return dst
}
