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
	Others // more changes than are told apart
	kindCount
)

// kinds say in words what was changed: one, and several.
var kinds = [kindCount]struct{ one, several string }{
	ClassName: {"a class name that is not written as java/lang/Object",
		"class names that are not written as java/lang/Object"},
	MethodName: {"a method name that is not written as -init-", "method names that are not written as -init-"},
	Signature:  {"a signature with dots", "signatures with dots"},
	Order: {"an element whose attributes stand in another order",
		"elements whose attributes stand in another order"},
	Spelling:  {"an attribute under another name", "attributes under another name"},
	Flag:      {"a flag that is not 1 or 0", "flags that are not 1 or 0"},
	Precision: {"a time with more than nine decimals", "times with more than nine decimals"},
	ForeignAttribute: {"an attribute that TPTP does not know, which is left out",
		"attributes that TPTP does not know, which are left out"},
	ForeignElement: {"an element that TPTP does not know, which is left out, but for what it knows inside",
		"elements that TPTP does not know, which are left out, but for what it knows inside"},
	Inside: {"something inside of an element that does not belong there, and is left out or put behind it",
		"things inside of elements that do not belong there, and are left out or put behind them"},
	Preamble: {"an element of the preamble that is missing, and is made up",
		"elements of the preamble that are missing, and are made up"},
	PreambleOrder: {"an element of the preamble that stands behind a later one",
		"elements of the preamble that stand behind later ones"},
	EndTag: {"a missing </TRACE>", "missing </TRACE>"},
	Others: {"another kind of change", "other kinds of change"},
}

// Change is what was made of one attribute, or element, of a name in a document, wherever it stands.
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

// subject is what changes of a kind are made of: an element or an attribute, by its name, and the element that it
// stands in.
type subject struct {
	kind          Kind
	element, name string
}

// Bounds of the changes that are told apart: of the first ones each is reported, of others how many there are.
const (
	mostChanges  = 100
	mostSubjects = 1 << 12
)

// changes are those that were made in a document.
type changes struct {
	of     map[subject]*Change
	order  []subject // as they were made first
	others map[subject]bool
	first  trace.Place // of the others
}

func newChanges() changes {
	return changes{of: map[subject]*Change{}, others: map[subject]bool{}}
}

// add counts a change, and returns it if it is the first of its subject, for the caller to say where it is and what was
// made of what; else nil.
func (c *changes) add(of subject) *Change {
	if known := c.of[of]; known != nil {
		known.Count++
		return nil
	}
	of.element, of.name = strings.Clone(of.element), strings.Clone(of.name)
	if len(c.of) >= mostChanges && of.kind < Preamble {
		if len(c.others) < mostSubjects {
			c.others[of] = true
		}
		return nil
	}
	change := &Change{Kind: of.kind, Count: 1}
	c.of[of] = change
	c.order = append(c.order, of)
	return change
}

// report gives them to whoever takes them: by their kind, and those of a kind as they were made first.
func (c *changes) report(take func(Change)) {
	for kind := range Others {
		for _, of := range c.order {
			if of.kind == kind {
				take(*c.of[of])
			}
		}
	}
	if n := len(c.others); n > 0 {
		take(Change{Kind: Others, Count: n, First: c.first})
	}
}
