package trcxml

import (
	"fmt"

	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// maxInner is how many bytes inside one element are kept.
const maxInner = 8 << 20

// children reads what stands inside the element at hand, to its end tag, and keeps it on the event as XML text. The
// event's values are copied, for the scanner moves on.
func (r *reader) children(e *trace.Event) error {
	e.Own()
	r.remember()
	r.scanner.SetSkipBlank(false)
	defer r.scanner.SetSkipBlank(true)
	content := content{depth: 1}
	for content.depth > 0 {
		token, err := r.scanner.Next()
		if err != nil {
			return err
		}
		if token == xmlscan.StartTag && content.depth == 1 && r.leaves(e) {
			break
		}
		r.look(token)
		if token == xmlscan.Skipped {
			r.skipped(string(r.scanner.Text()), e.Name())
		}
		content.add(token, r.scanner)
	}
	if len(content.elements) == 0 && !content.text {
		return nil
	}
	if content.dropped {
		r.reportAt(trace.Finding{Rule: trace.RuleTooLarge, Place: r.at, Element: e.Name(),
			Message: fmt.Sprintf("%s has more than %d bytes inside, which are left out", e.Name(), maxInner)})
	}
	if e.Extra == nil {
		e.Extra = &trace.Extra{}
	}
	e.Extra.Inner, e.Extra.Elements = content.xml, content.elements
	return nil
}

// content is the inside of an element, written anew.
type content struct {
	xml      []byte
	dropped  bool // it became too much
	elements []trace.ElementCount
	places   map[string]int // of those beyond the first few
	text     bool           // there is more than white space
	depth    int
}

func (c *content) add(token xmlscan.Token, s *xmlscan.Scanner) {
	switch token {
	case xmlscan.StartTag:
		c.count(s.TextOf(s.Name()))
		c.start(s)
		if !s.Empty() {
			c.depth++
		}
	case xmlscan.EndTag:
		if c.depth--; c.depth > 0 {
			c.xml = append(append(append(c.xml, "</"...), s.TextOf(s.Name())...), '>')
		}
	case xmlscan.Text:
		c.text = c.text || len(trimSpace(s.Text())) > 0
		c.xml = trace.AppendText(c.xml, s.Text())
	}
	if c.dropped = c.dropped || len(c.xml) > maxInner; c.dropped {
		c.xml = nil
	}
}

// start writes the start tag at hand.
func (c *content) start(s *xmlscan.Scanner) {
	c.xml = append(append(c.xml, '<'), s.TextOf(s.Name())...)
	for i := range s.Attributes() {
		a := &s.Attributes()[i]
		c.xml = append(append(append(c.xml, ' '), s.TextOf(a.Name)...), `="`...)
		c.xml = append(trace.AppendValue(c.xml, s.Value(a)), '"')
	}
	if s.Empty() {
		c.xml = append(c.xml, '/')
	}
	c.xml = append(c.xml, '>')
}

// fewNames is how many names are looked through; more are looked up.
const fewNames = 16

func (c *content) count(name string) {
	for i := range c.elements[:min(len(c.elements), fewNames)] {
		if c.elements[i].Name == name {
			c.elements[i].Count++
			return
		}
	}
	if i, ok := c.places[name]; ok {
		c.elements[i].Count++
		return
	}
	if len(c.elements) >= fewNames {
		if c.places == nil {
			c.places = map[string]int{}
		}
		c.places[name] = len(c.elements)
	}
	c.elements = append(c.elements, trace.ElementCount{Name: name, Count: 1})
}
