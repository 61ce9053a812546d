package query

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/antchfx/xmlquery"

	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// tree is a document with a TRACE that has one element, and is reused for each. LineNumber is not the line of a node
// but its position in document order, in which attributes count.
type tree struct {
	document, root, element xmlquery.Node
	places                  int  // number of nodes and attributes of the element
	inside                  bool // the element has content
	feed                    feed
	scanner                 *xmlscan.Scanner // of the content of one element after the other
}

// feed is a reader whose text is replaced for each element.
type feed struct{ text []byte }

func (f *feed) Read(p []byte) (int, error) {
	if len(f.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}

// maxNodes limits the elements, attributes and texts of an element. So many need up to 30 MB.
const maxNodes = 100_000

func newTree() *tree {
	t := &tree{
		document: xmlquery.Node{Type: xmlquery.DocumentNode}, root: xmlquery.Node{Type: xmlquery.ElementNode,
			Data: trace.Root.String()},
		element: xmlquery.Node{Type: xmlquery.ElementNode},
	}
	xmlquery.AddChild(&t.document, &t.root)
	xmlquery.AddChild(&t.root, &t.element)
	return t
}

// begin sets the attributes of the root.
func (t *tree) begin(e *trace.Event) {
	t.root.Attr = t.root.Attr[:0]
	fill(&t.root, e)
}

// set sets the element of the tree to the event.
func (t *tree) set(e *trace.Event) error {
	t.element.Prefix, t.element.Data = split(e.Name())
	fill(&t.element, e)
	t.places = len(t.element.Attr)
	if t.inside {
		t.element.FirstChild, t.element.LastChild, t.inside = nil, nil, false
	}
	if e.Extra == nil || len(e.Extra.Inner) == 0 {
		return nil
	}
	t.inside = true
	err := t.grow(e.Extra.Inner)
	if err != nil {
		t.scanner = nil // it is in the middle of this element
	}
	return err
}

// fill sets the attributes. It reuses unchanged strings: names and ids often repeat.
func fill(n *xmlquery.Node, e *trace.Event) {
	before := n.Attr
	n.Attr = n.Attr[:0]
	present := e.Positions()
	for position := range e.Kind.Element().Attributes {
		if present>>position&1 == 0 {
			continue
		}
		name, value := e.Kind.Element().Attributes[position].Name, e.At(position)
		if i := len(n.Attr); i < len(before) && before[i].Value == string(value) {
			n.Attr = append(n.Attr, xmlquery.Attr{Name: xml.Name{Local: name}, Value: before[i].Value})
		} else {
			n.Attr = append(n.Attr, xmlquery.Attr{Name: xml.Name{Local: name}, Value: string(value)})
		}
	}
	if e.Extra != nil {
		for _, a := range e.Extra.Attributes {
			addAttribute(n, a.Name, a.Value)
		}
	}
}

func addAttribute(n *xmlquery.Node, name, value string) {
	prefix, local := split(name)
	n.Attr = append(n.Attr, xmlquery.Attr{Name: xml.Name{Space: prefix, Local: local}, Value: value})
}

// split splits a name into its prefix and local name.
func split(name string) (prefix, local string) {
	if prefix, local, ok := strings.Cut(name, ":"); ok {
		return prefix, local
	}
	return "", name
}

// joined returns the name with its prefix.
func joined(prefix, local string) string {
	if prefix == "" {
		return local
	}
	return prefix + ":" + local
}

// unlimited exceeds the limits of all readers: the content was read before.
var unlimited = xmlscan.Limits{Depth: 1 << 16, Attributes: 1 << 20, Name: 1 << 24, Value: 1 << 28, Names: 1 << 24}

// grow adds elements and texts to the element. White space between elements is left out.
func (t *tree) grow(inner []byte) error {
	t.feed.text = append(append(append(t.feed.text[:0], "<_>"...), inner...), "</_>"...)
	if t.scanner == nil {
		t.scanner = xmlscan.New(&t.feed, xmlscan.Options{Fragments: true, Limits: unlimited, BufferSize: initialBuffer})
	}
	at, depth := &t.element, 0
	for {
		token, err := t.scanner.Next()
		switch {
		case err != nil:
			return fmt.Errorf("what is inside %s cannot be read: %w", t.element.Data, err)
		case token == xmlscan.StartTag && depth == 0:
			depth = 1
		case token == xmlscan.StartTag:
			n := t.addElement(at, t.scanner)
			if !t.scanner.Empty() {
				at, depth = n, depth+1
			}
		case token == xmlscan.EndTag:
			if depth--; depth == 0 {
				return nil
			}
			at = at.Parent
		case token == xmlscan.Text && len(bytes.TrimSpace(t.scanner.Text())) > 0:
			t.addText(at, string(t.scanner.Text()))
		}
		if t.places > maxNodes {
			return tooMuch("this element is left out: it has more than 100,000 elements, attributes and texts")
		}
	}
}

// initialBuffer is enough for the content of most elements.
const initialBuffer = 4 << 10

func (t *tree) addElement(parent *xmlquery.Node, scanner *xmlscan.Scanner) *xmlquery.Node {
	t.places++
	n := &xmlquery.Node{Type: xmlquery.ElementNode, LineNumber: t.places}
	n.Prefix, n.Data = split(scanner.TextOf(scanner.Name()))
	t.places += len(scanner.Attributes())
	for i := range scanner.Attributes() {
		a := &scanner.Attributes()[i]
		addAttribute(n, scanner.TextOf(a.Name), string(scanner.Value(a)))
	}
	xmlquery.AddChild(parent, n)
	return n
}

// addText adds a text, or appends it to the previous one.
func (t *tree) addText(parent *xmlquery.Node, text string) {
	if last := parent.LastChild; last != nil && last.Type == xmlquery.TextNode {
		last.Data += text
		return
	}
	t.places++
	xmlquery.AddChild(parent, &xmlquery.Node{Type: xmlquery.TextNode, Data: text, LineNumber: t.places})
}
