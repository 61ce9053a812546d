package query

import (
	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// navigator is xmlquery's with limits of time and memory, for expressions on elements with much content.
type navigator struct {
	*xmlquery.NodeNavigator
	spent *effort
}

// effort counts the steps, and the bytes of text, of an evaluation.
type effort struct{ steps, text int }

const (
	maxSteps = 5_000_000 // about a second
	maxText  = 256 << 20 // bytes
)

// tooMuch is the panic that ends an evaluation. The library cannot be canceled otherwise.
type tooMuch struct{}

func (n *navigator) step() {
	if n.spent.steps++; n.spent.steps > maxSteps {
		panic(tooMuch{})
	}
}

// Copy returns another navigator at the same node.
func (n *navigator) Copy() xpath.NodeNavigator {
	n.step()
	return &navigator{n.NodeNavigator.Copy().(*xmlquery.NodeNavigator), n.spent}
}

// MoveTo moves to the node of the other navigator.
func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	return n.NodeNavigator.MoveTo(other.(*navigator).NodeNavigator)
}

// MoveToRoot moves to the document. xmlquery's own method fails at an attribute.
func (n *navigator) MoveToRoot() {
	for n.NodeNavigator.MoveToParent() {
	}
}

// MoveToNext moves to the next sibling.
func (n *navigator) MoveToNext() bool {
	n.step()
	return n.NodeNavigator.MoveToNext()
}

// MoveToPrevious moves to the previous sibling.
func (n *navigator) MoveToPrevious() bool {
	n.step()
	return n.NodeNavigator.MoveToPrevious()
}

// MoveToChild moves to the first child.
func (n *navigator) MoveToChild() bool {
	n.step()
	return n.NodeNavigator.MoveToChild()
}

// MoveToNextAttribute moves to the next attribute that declares no namespace.
func (n *navigator) MoveToNextAttribute() bool {
	n.step()
	for n.NodeNavigator.MoveToNextAttribute() {
		if n.LocalName() != "xmlns" && n.Prefix() != "xmlns" {
			return true
		}
	}
	return false
}

// LocalName returns the name of an element or attribute without its prefix, or "".
func (n *navigator) LocalName() string {
	if n.Current().Type != xmlquery.ElementNode {
		return ""
	}
	return n.NodeNavigator.LocalName()
}

// Value returns the text of the node.
func (n *navigator) Value() string {
	value := n.NodeNavigator.Value()
	if n.Current().Type == xmlquery.DocumentNode {
		value = n.Current().InnerText()
	}
	n.step()
	if n.spent.text += len(value); n.spent.text > maxText {
		panic(tooMuch{})
	}
	return value
}

// String returns Value.
func (n *navigator) String() string { return n.Value() }

// place returns the node's position in document order; attributes follow their element.
func (n *navigator) place() (node, attribute int) {
	if n.NodeType() != xpath.AttributeNode {
		return n.Current().LineNumber, 0
	}
	for i, a := range n.Current().Attr {
		if a.Name.Local == n.LocalName() && a.Name.Space == n.Prefix() {
			return n.Current().LineNumber, i + 1
		}
	}
	return n.Current().LineNumber, len(n.Current().Attr) + 1
}

// name returns the name of the element or attribute, with its prefix.
func (n *navigator) name() string { return joined(n.Prefix(), n.LocalName()) }
