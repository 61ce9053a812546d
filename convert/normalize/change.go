package normalize

import (
	"fmt"

	"github.com/trcx/trcx/trace"
)

// Kind is a kind of change.
type Kind uint8

// The kinds.
const (
	ClassName Kind = iota
	MethodName
	Signature
	Order
	Spelling
	Flag
	Precision
	ForeignAttribute
	ForeignElement
	Inside
	Preamble
	PreambleOrder
	EndTag
	kindCount
)

// kinds say in words what was changed: one, and several.
var kinds = [kindCount]struct{ one, several string }{
	ClassName:        {"a class name that is not written as java/lang/Object", "class names that are not written as java/lang/Object"},
	MethodName:       {"a method name that is not written as -init-", "method names that are not written as -init-"},
	Signature:        {"a signature with dots", "signatures with dots"},
	Order:            {"an element whose attributes stand in another order", "elements whose attributes stand in another order"},
	Spelling:         {"an attribute under another name", "attributes under another name"},
	Flag:             {"a flag that is not 1 or 0", "flags that are not 1 or 0"},
	Precision:        {"a time with more than nine decimals", "times with more than nine decimals"},
	ForeignAttribute: {"an attribute that TPTP does not know, which is left out", "attributes that TPTP does not know, which are left out"},
	ForeignElement:   {"an element that TPTP does not know, which is left out", "elements that TPTP does not know, which are left out"},
	Inside:           {"an element with something inside that does not belong there, which is left out", "elements with something inside that does not belong there, which is left out"},
	Preamble:         {"an element of the preamble that is missing, and is made up", "elements of the preamble that are missing, and are made up"},
	PreambleOrder:    {"an element of the preamble that stands behind a later one", "elements of the preamble that stand behind later ones"},
	EndTag:           {"a missing </TRACE>", "missing </TRACE>"},
}

// Change is a kind of change that was made in a document.
type Change struct {
	Kind  Kind
	Count int
	// First is where it was made first, Example what was made of what there.
	First   trace.Place
	Example string
}

// String says it for people.
func (c Change) String() string {
	text := fmt.Sprintf("%d %s", c.Count, kinds[c.Kind].several)
	if c.Count == 1 {
		text = kinds[c.Kind].one
	}
	if c.Example != "" {
		text += ": " + c.Example
	}
	if c.Count == 1 {
		return fmt.Sprintf("%s, at %v", text, c.First)
	}
	return fmt.Sprintf("%s, first at %v", text, c.First)
}
