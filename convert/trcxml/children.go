package trcxml

import (
	"fmt"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// maxInner limits the bytes inside one element that are kept.
const maxInner = 8 << 20

// children reads the content of the current element, to its end tag, and keeps it on the event as XML text. The event's
// values are copied, because the scanner moves on.
func (r *reader) children(e *trace.Event) error {
	b := r.builders.last()
	b.Copy(&b.Event)
	b.Fill(e)
	r.remember()
	r.scanner.SetSkipBlank(false)
	defer r.scanner.SetSkipBlank(true)
	if !r.builders.keep {
		r.arena.clear()
	}
	content := r.arena.begin(e.Kind.Element().Content == trace.AnnotationsOf)
	for content.depth > 0 {
		token, err := r.scanner.Next()
		if err != nil {
			return err
		}
		if token == xmlscan.StartTag && content.depth == 1 && r.leaves(e) {
			break
		}
		r.validate(token)
		if token == xmlscan.Skipped {
			r.skipped(string(r.scanner.Text()), e.Name())
		}
		content.add(token, r.scanner)
	}
	if content.dropped {
		r.reportAt(trace.Finding{Rule: RuleTooLarge, Place: r.place, Element: e.Name(),
			Message: fmt.Sprintf("%s has more than %d bytes inside, which are left out", e.Name(), maxInner)})
	}
	content.keep(e)
	return nil
}

// arena is the memory for the content of elements: of one element until the next one with content, or of a chunk of
// elements until the next chunk. It is reused, so reading a trace full of annotations allocates nothing.
type arena struct {
	xml      []byte
	values   []byte // of the annotations that are call stacks
	stacks   [][]byte
	elements []trace.ElementCount
	extras   []trace.Extra
}

func (a *arena) clear() {
	a.xml, a.values, a.stacks, a.elements, a.extras = a.xml[:0], a.values[:0], a.stacks[:0], a.elements[:0],
		a.extras[:0]
}

// begin begins the content of another element, in which annotations are allowed or not.
func (a *arena) begin(annotated bool) content {
	return content{arena: a, xmlAt: len(a.xml), stacksAt: len(a.stacks), elementsAt: len(a.elements),
		annotated: annotated, depth: 1}
}

// content is the content of an element, rewritten at the end of the arena.
type content struct {
	*arena
	xmlAt, stacksAt, elementsAt int // where it begins in the arena

	dropped   bool           // it became too large
	places    map[string]int // of the elements beyond the first few
	text      bool           // there is more than white space
	annotated bool           // annotations belong here and may be decoded into the event
	known     trace.Known
	depth     int
}

// keep assigns the content to the event, unless it is only white space.
func (c *content) keep(e *trace.Event) {
	if len(c.elements) == c.elementsAt && !c.text {
		return
	}
	if e.Extra == nil {
		c.extras = append(c.extras, trace.Extra{})
		e.Extra = &c.extras[len(c.extras)-1]
	}
	e.Extra.Inner = c.xml[c.xmlAt:len(c.xml):len(c.xml)]
	e.Extra.Elements = c.elements[c.elementsAt:len(c.elements):len(c.elements)]
	e.Extra.Stacks = c.stacks[c.stacksAt:len(c.stacks):len(c.stacks)]
	e.Extra.Known = c.known
}

func (c *content) add(token xmlscan.Token, s *xmlscan.Scanner) {
	switch token {
	case xmlscan.StartTag:
		name := s.TextOf(s.Name())
		c.count(name)
		if c.depth == 1 && c.annotated && name == trace.Annotation.String() {
			c.annotation(s)
		}
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
		c.xml = xmltext.AppendText(c.xml, s.Text())
	}
	if c.dropped = c.dropped || len(c.xml)-c.xmlAt > maxInner; c.dropped {
		c.xml, c.stacks = c.xml[:c.xmlAt], c.stacks[:c.stacksAt]
	}
}

// annotation keeps the value of the current annotation if its name has a meaning.
func (c *content) annotation(s *xmlscan.Scanner) {
	var name, value []byte
	for i := range s.Attributes() {
		a := &s.Attributes()[i]
		switch s.TextOf(a.Name) {
		case trace.AttrName.String():
			name = s.Value(a)
		case trace.AttrValue.String():
			value = s.Value(a)
		}
	}
	if c.dropped {
		return
	}
	known := &c.known
	thread := func(to *trace.ThreadID) { // the first one counts
		if !to.Known() {
			*to = trace.ThreadFrom(value)
		}
	}
	switch string(name) {
	case trace.NoteStack:
		c.stacks = append(c.stacks, c.copyOf(value))
	case trace.NoteCausedBy:
		thread(&known.By)
	case trace.NoteInferred:
		known.Inferred = known.Inferred || string(value) == "1"
	case trace.NotePark:
		known.Park = true
	case trace.NoteIO:
		if known.IO == trace.NoIO {
			known.IO = named(value, trace.IOSelect)
		}
	case trace.NoteInit:
		thread(&known.Init)
	case trace.NoteAgain:
		known.Again = known.Again || string(value) == "1"
	case trace.NoteGaveUp:
		if known.GaveUp == 0 {
			known.GaveUp = named(value, trace.GaveUpInterrupt)
		}
	case trace.NoteLockFrom:
		thread(&known.LockFrom)
	case trace.NoteLock:
		if !known.Lock.Known() {
			known.Lock = trace.ObjectFrom(value)
		}
	case trace.NoteCPU:
		if known.CPU == 0 {
			known.CPU, _ = digits.Number(value)
		}
	case trace.NoteWakes:
		if known.Wakes == nil {
			known.Wakes = c.copyOf(value)
		}
	}
}

// copyOf returns a copy in the arena, which is not nil.
func (c *content) copyOf(value []byte) []byte {
	begin := len(c.values)
	c.values = append(c.values, value...)
	if c.values == nil {
		return []byte{}
	}
	return c.values[begin:len(c.values):len(c.values)]
}

// start writes the current start tag.
func (c *content) start(s *xmlscan.Scanner) {
	c.xml = append(append(c.xml, '<'), s.TextOf(s.Name())...)
	for i := range s.Attributes() {
		a := &s.Attributes()[i]
		c.xml = append(append(append(c.xml, ' '), s.TextOf(a.Name)...), `="`...)
		c.xml = append(xmltext.AppendValue(c.xml, s.Value(a)), '"')
	}
	if s.Empty() {
		c.xml = append(c.xml, '/')
	}
	c.xml = append(c.xml, '>')
}

// fewNames is the number of names that are compared one by one; more are in a map.
const fewNames = 16

func (c *content) count(name string) {
	counted := c.elements[c.elementsAt:]
	for i := range counted[:min(len(counted), fewNames)] {
		if counted[i].Name == name {
			counted[i].Count++
			return
		}
	}
	if i, ok := c.places[name]; ok {
		counted[i].Count++
		return
	}
	if len(counted) >= fewNames {
		if c.places == nil {
			c.places = map[string]int{}
		}
		c.places[name] = len(counted)
	}
	c.elements = append(c.elements, trace.ElementCount{Name: name, Count: 1})
}

// named returns the kind of the name, up to the last one; 0 for any other name.
func named[T interface {
	~uint8
	String() string
}](name []byte, last T) T {
	for kind := T(1); kind <= last; kind++ {
		if string(name) == kind.String() {
			return kind
		}
	}
	return 0
}
