package query

import (
	"encoding/xml"
	"html"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"github.com/trcx/trcx/trace"
)

// tree is a TRACE with one element, and is reused for each. A node's LineNumber is its place in document order; the
// attributes of an element follow it. Names have their prefix.
type tree struct {
	root, element xmlquery.Node
	places        int // number of nodes and attributes of the element
}

func newTree() *tree {
	t := &tree{root: xmlquery.Node{Type: xmlquery.ElementNode, Data: trace.Root.String()},
		element: xmlquery.Node{Type: xmlquery.ElementNode}}
	xmlquery.AddChild(&t.root, &t.element)
	return t
}

// set sets the element of the tree to the event.
func (t *tree) set(e *trace.Event) {
	n := &t.element
	n.Data, n.Attr, n.FirstChild, n.LastChild = e.Name(), n.Attr[:0], nil, nil
	for position, a := range e.Kind.Element().Attributes {
		if e.Positions()>>position&1 != 0 {
			n.Attr = append(n.Attr, attribute(a.Name, string(e.At(position))))
		}
	}
	var extra trace.Extra
	if e.Extra != nil {
		extra = *e.Extra
	}
	for _, a := range extra.Attributes {
		n.Attr = append(n.Attr, attribute(a.Name, a.Value))
	}
	t.places = len(n.Attr)
	t.grow(string(extra.Inner))
}

func attribute(name, value string) xmlquery.Attr {
	return xmlquery.Attr{Name: xml.Name{Local: name}, Value: value}
}

// maxNodes limits the elements, attributes and texts of an element. That many need up to 30 MB.
const maxNodes = 100_000

// grow adds the elements and texts inside, as readers write them, but no white space between elements.
func (t *tree) grow(inside string) {
	for at := &t.element; ; {
		text, tag, more := strings.Cut(inside, "<")
		if strings.TrimSpace(text) != "" {
			t.add(at, &xmlquery.Node{Type: xmlquery.TextNode, Data: html.UnescapeString(text)})
		}
		if !more {
			return
		}
		if tag[0] == '/' {
			_, inside, _ = strings.Cut(tag, ">")
			at = at.Parent
			continue
		}
		end := strings.IndexAny(tag, " />")
		n := &xmlquery.Node{Type: xmlquery.ElementNode, Data: tag[:end]}
		for tag = tag[end:]; tag[0] == ' '; {
			name, rest, _ := strings.Cut(tag[1:], `="`)
			value, rest, _ := strings.Cut(rest, `"`)
			n.Attr = append(n.Attr, attribute(name, html.UnescapeString(value)))
			tag = rest
		}
		t.add(at, n)
		if _, inside, _ = strings.Cut(tag, ">"); tag[0] == '>' {
			at = n
		}
		if t.places > maxNodes {
			panic(tooMuch("this element is left out: it has more than 100,000 elements, attributes and texts"))
		}
	}
}

func (t *tree) add(parent, n *xmlquery.Node) {
	n.LineNumber = t.places + 1
	t.places += 1 + len(n.Attr)
	xmlquery.AddChild(parent, n)
}

// navigator is xmlquery's with a limit of time and memory.
type navigator struct {
	xmlquery.NodeNavigator
	steps *int // of the evaluation
}

const (
	maxSteps  = 5_000_000 // about a second
	copySteps = 10        // a copy, because the library may keep it: 500,000 copies need 32 MB
	textSteps = 4         // bytes of text in a step: an evaluation reads at most 20 MB
)

// tooMuch is a panic that ends an evaluation, with the reason. The library cannot be canceled otherwise.
type tooMuch string

func (n *navigator) spend(steps int) {
	if *n.steps += steps; *n.steps > maxSteps {
		panic(tooMuch("the expression takes too long on this element, which is left out: more than 5,000,000 steps"))
	}
}

// NodeType returns the type of the node. The library asks for it at each node it visits, so it is a step. The type of
// namespace declarations cannot be selected.
func (n *navigator) NodeType() xpath.NodeType {
	n.spend(1)
	kind := n.NodeNavigator.NodeType()
	if kind == xpath.AttributeNode && (n.LocalName() == "xmlns" || strings.HasPrefix(n.LocalName(), "xmlns:")) {
		return xpath.CommentNode
	}
	return kind
}

// Copy returns another navigator at the same node.
func (n *navigator) Copy() xpath.NodeNavigator {
	n.spend(copySteps)
	another := *n
	return &another
}

// MoveTo moves to the node of the other navigator.
func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	n.NodeNavigator = other.(*navigator).NodeNavigator
	return true
}

// Value returns the text of the node. Each node inside is a step.
func (n *navigator) Value() string {
	last := n.Current()
	for n.NodeNavigator.NodeType() == xpath.ElementNode && last.LastChild != nil {
		last = last.LastChild
	}
	n.spend(1 + last.LineNumber - n.Current().LineNumber)
	value := n.NodeNavigator.Value()
	n.spend(len(value) / textSteps)
	return value
}
