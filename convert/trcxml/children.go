package trcxml

import (
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// children reads what stands inside the element at hand, to its end tag, and keeps it on the event as XML text. The
// event's values are copied, for the scanner moves on.
func (r *reader) children(e *trace.Event) error {
	keep(e)
	r.scanner.SetSkipBlank(false)
	defer r.scanner.SetSkipBlank(true)
	content := content{depth: 1}
	text := false
	for content.depth > 0 {
		token, err := r.scanner.Next()
		if err != nil {
			return err
		}
		text = text || token == xmlscan.Text && len(trimSpace(r.scanner.Text())) > 0
		content.add(token, r.scanner)
	}
	if len(content.elements) == 0 && !text {
		return nil
	}
	if e.Extra == nil {
		e.Extra = &trace.Extra{}
	}
	e.Extra.Inner, e.Extra.Elements = content.xml, content.elements
	return nil
}

// keep makes the event's values its own.
func keep(e *trace.Event) {
	kept := *e
	e.Reset(kept.Kind, nil)
	for position := range kept.Kind.Element().Attributes {
		if kept.Positions()>>position&1 != 0 {
			e.SetValue(position, kept.At(position))
		}
	}
	e.Time, e.Reading, e.Extra = kept.Time, kept.Reading, kept.Extra
}

// content is the inside of an element, written anew.
type content struct {
	xml      []byte
	elements []string
	depth    int
}

func (c *content) add(token xmlscan.Token, s *xmlscan.Scanner) {
	switch token {
	case xmlscan.StartTag:
		name := s.TextOf(s.Name())
		c.elements = append(c.elements, name)
		c.xml = append(append(c.xml, '<'), name...)
		for i := range s.Attributes() {
			a := &s.Attributes()[i]
			c.xml = append(append(append(c.xml, ' '), s.TextOf(a.Name)...), `="`...)
			c.xml = append(trace.AppendValue(c.xml, s.Value(a)), '"')
		}
		if s.Empty() {
			c.xml = append(c.xml, "/>"...)
			return
		}
		c.xml = append(c.xml, '>')
		c.depth++
	case xmlscan.EndTag:
		if c.depth--; c.depth > 0 {
			c.xml = append(append(append(c.xml, "</"...), s.TextOf(s.Name())...), '>')
		}
	case xmlscan.Text:
		c.xml = trace.AppendText(c.xml, s.Text())
	}
}
