package query

import (
	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"
)

// navigator is xmlquery's with limits of time and memory, for expressions on elements with much content.
type navigator struct {
	xmlquery.NodeNavigator
	attribute int // the number of the attribute at which it is, from 1; 0 at a node
	spent     *effort
}

// effort counts the steps, and the bytes of text, of an evaluation.
type effort struct{ steps, text int }

const (
	maxSteps  = 5_000_000 // about a second
	copySteps = 10        // of a copy, because the library may keep it: 500,000 copies need 32 MB
	maxText   = 16 << 20  // bytes, because the library may join them
)

// tooMuch is the reason why an element is left out. As a panic it ends the evaluation: the library cannot be canceled
// otherwise.
type tooMuch string

func (t tooMuch) Error() string { return string(t) }

func (n *navigator) spend(steps int) {
	if n.spent.steps += steps; n.spent.steps > maxSteps {
		panic(tooMuch("the expression takes too long on this element, which is left out: more than 5,000,000 steps"))
	}
}

func (n *navigator) step() { n.spend(1) }

// Copy returns another navigator at the same node.
func (n *navigator) Copy() xpath.NodeNavigator {
	n.spend(copySteps)
	another := *n
	return &another
}

// MoveTo moves to the node of the other navigator.
func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	*n = *other.(*navigator)
	return true
}

// MoveToParent moves to the parent, or to the element that has the attribute.
func (n *navigator) MoveToParent() bool {
	n.attribute = 0
	return n.NodeNavigator.MoveToParent()
}

// MoveToRoot moves to the document. xmlquery's own method fails at an attribute.
func (n *navigator) MoveToRoot() {
	for n.MoveToParent() {
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
		n.attribute++
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
		panic(tooMuch("the expression reads too much text in this element, which is left out: more than 16 MiB"))
	}
	return value
}

// String returns Value.
func (n *navigator) String() string { return n.Value() }

// place returns the position in document order: an element's attributes follow it.
func (n *navigator) place() int { return n.Current().LineNumber + n.attribute }

// name returns the name of the element or attribute, with its prefix.
func (n *navigator) name() string { return joined(n.Prefix(), n.LocalName()) }
