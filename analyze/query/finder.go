package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"github.com/trcx/trcx/trace"
)

// Query is an expression that can be answered one element at a time.
type Query struct {
	text      string
	condition bool // it is true or false of an element
	gives     Selection
	filter    *filter
	compiled  *xpath.Expr
	inRoot    bool // relative paths begin at TRACE
	doubts    []string
}

// Selection is what an expression selects.
type Selection uint8

// The selections.
const (
	Elements Selection = 1 << iota
	Values             // attributes and texts
)

// Compile reads an XPath 1.0 expression. Relative paths begin at TRACE, or above it if they begin with that name. A
// condition stands for the elements of which it is true. The error is an *Error.
func Compile(text string) (*Query, error) {
	n, err := parse(text)
	if err != nil {
		return nil, err
	}
	q := &Query{text: text, inRoot: !namesRoot(n)}
	c := &checker{text: text, start: document}
	if q.inRoot {
		c.start = root
	}
	if err := c.checkResult(n); err != nil {
		return nil, err
	}
	spelled := spell(n)
	var glance glance
	if q.condition = n.kind == truth; q.condition {
		q.gives, spelled = Elements, "self::node()[boolean("+spelled+")]"
	} else {
		q.gives, glance = selectionOf(n), glanceOf(n)
	}
	q.filter, q.doubts = newFilter(needsOf(n), glance), doubtsOf(n)
	if q.compiled, err = compile(spelled); err != nil {
		return nil, c.failAt(0, "this expression cannot be evaluated (%v)", err)
	}
	return q, nil
}

// compile has the library compile an expression, which ends in a panic for some that are odd.
func compile(spelled string) (compiled *xpath.Expr, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("%v", trouble)
		}
	}()
	return xpath.Compile(spelled)
}

// namesRoot says whether a relative path outside of predicates begins with TRACE.
func namesRoot(n *node) bool {
	return n.some(func(n *node) bool {
		return n.form == path && !n.absolute && len(n.operands) == 0 && n.steps[0].axis == "child" &&
			n.steps[0].test == trace.Root.String()
	})
}

// selectionOf is what an expression selects that gives nodes.
func selectionOf(n *node) Selection {
	switch {
	case n.form == group:
		return selectionOf(n.operands[0])
	case n.form == binary:
		return selectionOf(n.operands[0]) | selectionOf(n.operands[1])
	}
	for i := len(n.steps) - 1; i >= 0; i-- {
		switch s := &n.steps[i]; {
		case s.axis == "attribute" || s.test == "text()":
			return Values
		case s.axis == "self" && s.test == "node()":
			continue
		case s.axis == "parent" || s.axis == "ancestor" || s.test != "node()":
			return Elements
		}
		return Elements | Values
	}
	if len(n.operands) > 0 {
		return selectionOf(n.operands[0])
	}
	return Elements
}

// Gives is what the expression selects.
func (q *Query) Gives() Selection { return q.gives }

// Doubts are sentences on names in the expression that no element or attribute of the format has. They are worth saying
// where nothing was found.
func (q *Query) Doubts() []string { return q.doubts }

// Result is what an expression has selected. It is good until the function that it is given to returns.
type Result struct {
	// Event is the element of TRACE that it belongs to, and Document where that stands.
	Event    *trace.Event
	Document string
	// Node is the element, that of an attribute, or a text. Whole says that it is the Event itself.
	Node  *xmlquery.Node
	Whole bool
	// IsValue says that an attribute or a text was selected: Value, and the name of the Attribute.
	IsValue          bool
	Attribute, Value string
}

// ErrEnough ends the reading when there are enough results.
var ErrEnough = errors.New("there are enough results")

// Finder is a convert.Sink that gives what its Query selects.
type Finder struct {
	*Query
	// Document is the name of what is read.
	Document string
	// Most is how many results are given before ErrEnough; 0 is all.
	Most  int
	give  func(*Result) error
	tree  *tree
	found int
	hits  []hit
}

// hit is a result with its place.
type hit struct {
	node, attribute int
	Result
}

// NewFinder returns a Finder that gives its results to the function.
func NewFinder(q *Query, give func(*Result) error) *Finder {
	return &Finder{Query: q, give: give, tree: newTree()}
}

// Found is how many results there were.
func (f *Finder) Found() int { return f.found }

// Begin begins a recording.
func (f *Finder) Begin(int) error { return nil }

// End ends it.
func (f *Finder) End(trace.Ending) error { return nil }

// Finish comes last.
func (f *Finder) Finish() error { return nil }

// Put evaluates the expression on the element. The error is ErrEnough, that of the function that takes results, or
// says that the expression takes too long, or the element has too much inside.
func (f *Finder) Put(e *trace.Event) error {
	if e.Kind == trace.Root {
		f.tree.begin(e)
		return nil
	}
	if !f.filter.passes(e) {
		return nil
	}
	err := f.tree.take(e)
	if err == nil {
		err = f.evaluate(e)
	}
	if err != nil {
		return f.located(e, err)
	}
	for i := range f.hits {
		if err := f.give(&f.hits[i].Result); err != nil {
			return err
		}
		if f.found++; f.found == f.Most {
			return ErrEnough
		}
	}
	return nil
}

// located says where the element is that an error is about.
func (f *Finder) located(e *trace.Event, err error) error {
	if e.Source == nil {
		return fmt.Errorf("%s: %s at byte %d: %w", f.Document, e.Name(), e.Offset, err)
	}
	at, _ := e.Source.Locate(e)
	return fmt.Errorf("%s:%d:%d: %w", f.Document, at.Line, at.Column, err)
}

// evaluate finds the results in the tree, in the order of the document.
func (f *Finder) evaluate(e *trace.Event) (err error) {
	f.hits = f.hits[:0]
	defer func() {
		switch trouble := recover().(type) {
		case nil:
		case tooMuch:
			err = fmt.Errorf("the expression takes too long on this element (%d steps)", mostSteps)
		default:
			err = fmt.Errorf("the expression cannot be evaluated on this element (%v)", trouble)
		}
	}()
	at := &navigator{xmlquery.CreateXPathNavigator(&f.tree.document), &effort{}}
	if f.inRoot {
		at.MoveToChild()
	}
	for results := f.compiled.Select(at); results.MoveNext(); {
		f.hit(e, results.Current().(*navigator))
	}
	if len(f.hits) > 1 {
		slices.SortFunc(f.hits, func(a, b hit) int {
			return cmp.Or(cmp.Compare(a.node, b.node),
				cmp.Compare(a.attribute, b.attribute))
		})
		f.hits = slices.CompactFunc(f.hits, func(a, b hit) bool {
			return a.node == b.node &&
				a.attribute == b.attribute
		})
	}
	return nil
}

// hit keeps a result. What is above the element is none.
func (f *Finder) hit(e *trace.Event, at *navigator) {
	n := at.Current()
	switch {
	case f.condition:
		n = &f.tree.element
	case n == &f.tree.document || n == &f.tree.root:
		return
	}
	h := hit{Result: Result{Event: e, Document: f.Document, Node: n, Whole: n == &f.tree.element}}
	h.node, h.attribute = at.place()
	switch at.NodeType() {
	case xpath.AttributeNode:
		h.IsValue, h.Value, h.Attribute = true, at.Value(), at.name()
	case xpath.TextNode:
		h.IsValue, h.Value = true, at.Value()
	}
	f.hits = append(f.hits, h)
}
