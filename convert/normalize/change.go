package normalize

import (
	"fmt"
	"strings"

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
	Others // changes beyond those that are told apart
	kindCount
)

// String describes one change of the kind.
func (k Kind) String() string { return kinds[k].one }

// kinds describes the changes: one, and several.
var kinds = [kindCount]struct{ one, several string }{
	ClassName: {"a class name that is not written as java/lang/Object",
		"class names that are not written as java/lang/Object"},
	MethodName: {"a method name that is not written as -init-", "method names that are not written as -init-"},
	Signature:  {"a signature with dots", "signatures with dots"},
	Order: {"an element whose attributes are in another order",
		"elements whose attributes are in another order"},
	Spelling:  {"an attribute under another name", "attributes under another name"},
	Flag:      {"a flag that is not 1 or 0", "flags that are not 1 or 0"},
	Precision: {"a time with more than nine decimals", "times with more than nine decimals"},
	ForeignAttribute: {"an attribute that TPTP does not know, which is left out",
		"attributes that TPTP does not know, which are left out"},
	ForeignElement: {"an element unknown to TPTP, which is left out; known elements inside are kept",
		"elements unknown to TPTP, which are left out; known elements inside are kept"},
	Inside: {"something inside of an element that does not belong there, and is left out or put after it",
		"things inside of elements that do not belong there, and are left out or put after them"},
	Preamble: {"an element of the preamble that is missing, and is added",
		"elements of the preamble that are missing, and are added"},
	PreambleOrder: {"an element of the preamble that comes after a later one",
		"elements of the preamble that come after later ones"},
	EndTag: {"a missing </TRACE>", "missing </TRACE>"},
	Others: {"another kind of change", "other kinds of change"},
}

// Change has the changes of one kind to the attributes or elements of one name in a document.
type Change struct {
	Kind  Kind
	Count int
	// First is the place of the first change, Example its old and new text.
	First   trace.Place
	Example string
}

// String returns the change in words.
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

// subject identifies changes: the kind, the name of an element or attribute, and of the element around it.
type subject struct {
	kind          Kind
	element, name string
}

// Limits of the changes that are told apart. Beyond them only the number of changes is reported.
const (
	maxChanges  = 100
	maxSubjects = 1 << 12
)

// changes has the changes made in a document.
type changes struct {
	of     map[subject]*Change
	order  []subject        // in the order of their first changes
	others map[subject]bool // beyond maxChanges
	first  trace.Place      // of the others
}

func newChanges() changes {
	return changes{of: map[subject]*Change{}, others: map[subject]bool{}}
}

// add counts a change. It returns the Change if it is the first of its subject, for the caller to set First and
// Example; else nil.
func (c *changes) add(of subject) *Change {
	if change := c.of[of]; change != nil {
		change.Count++
		return nil
	}
	of.element, of.name = strings.Clone(of.element), strings.Clone(of.name)
	if len(c.of) >= maxChanges && of.kind < Preamble {
		if len(c.others) < maxSubjects {
			c.others[of] = true
		}
		return nil
	}
	change := &Change{Kind: of.kind, Count: 1}
	c.of[of] = change
	c.order = append(c.order, of)
	return change
}

// report reports the changes by kind, and within a kind in the order of their first places.
func (c *changes) report(put func(Change)) {
	for kind := range Others {
		for _, of := range c.order {
			if of.kind == kind {
				put(*c.of[of])
			}
		}
	}
	if n := len(c.others); n > 0 {
		put(Change{Kind: Others, Count: n, First: c.first})
	}
}
