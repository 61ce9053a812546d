package query

import (
	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// navigator is xmlquery's, with limits: an expression on an element with much inside could take longer than anybody
// waits, or more memory than there is.
type navigator struct {
	*xmlquery.NodeNavigator
	spent *effort
}

// effort is what has been done for an expression on one element.
type effort struct{ steps, text int }

const (
	mostSteps = 5_000_000 // about a second
	mostText  = 256 << 20 // bytes
)

// tooMuch is the panic that ends an evaluation; the library has no other way out.
type tooMuch struct{}

func (n *navigator) step() {
	if n.spent.steps++; n.spent.steps > mostSteps {
		panic(tooMuch{})
	}
}

// Copy is a navigator of its own at the same node.
func (n *navigator) Copy() xpath.NodeNavigator {
	n.step()
	return &navigator{n.NodeNavigator.Copy().(*xmlquery.NodeNavigator), n.spent}
}

// MoveTo goes to where the other one is.
func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	return n.NodeNavigator.MoveTo(other.(*navigator).NodeNavigator)
}

// MoveToRoot goes to the document, also from an attribute, for which xmlquery forgets that it is at one.
func (n *navigator) MoveToRoot() {
	for n.NodeNavigator.MoveToParent() {
	}
}

// MoveToNext goes to the next sibling.
func (n *navigator) MoveToNext() bool {
	n.step()
	return n.NodeNavigator.MoveToNext()
}

// MoveToPrevious goes to the previous sibling.
func (n *navigator) MoveToPrevious() bool {
	n.step()
	return n.NodeNavigator.MoveToPrevious()
}

// MoveToChild goes to the first child.
func (n *navigator) MoveToChild() bool {
	n.step()
	return n.NodeNavigator.MoveToChild()
}

// MoveToNextAttribute goes to the next attribute.
func (n *navigator) MoveToNextAttribute() bool {
	n.step()
	for n.NodeNavigator.MoveToNextAttribute() {
		if n.LocalName() != "xmlns" && n.Prefix() != "xmlns" {
			return true
		}
	}
	return false
}

// LocalName is the name of an element or attribute without its prefix; nothing else has a name.
func (n *navigator) LocalName() string {
	if n.Current().Type != xmlquery.ElementNode {
		return ""
	}
	return n.NodeNavigator.LocalName()
}

// Value is the text of the node.
func (n *navigator) Value() string {
	value := n.NodeNavigator.Value()
	if n.Current().Type == xmlquery.DocumentNode {
		value = n.Current().InnerText()
	}
	n.step()
	if n.spent.text += len(value); n.spent.text > mostText {
		panic(tooMuch{})
	}
	return value
}

// String is Value.
func (n *navigator) String() string { return n.Value() }

// place is where in the document the node is, attributes behind their element.
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

// name is the name of the element or attribute.
func (n *navigator) name() string { return joined(n.Prefix(), n.LocalName()) }
