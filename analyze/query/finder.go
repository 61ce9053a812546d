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

// Query is a compiled expression.
type Query struct {
	text      string
	condition bool // the expression is a boolean
	gives     ResultKinds
	filter    *filter
	compiled  *xpath.Expr
	inRoot    bool // relative paths begin at TRACE
	doubts    []string
}

// ResultKinds is the kinds of results of an expression.
type ResultKinds uint8

// The selections.
const (
	Elements ResultKinds = 1 << iota
	Values               // attributes and texts
)

// Compile compiles an XPath 1.0 expression. Relative paths begin at TRACE, or above it if they begin with that name. A
// condition selects the elements for which it is true. The error is an *Error.
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
	rewritten := rewrite(n)
	var condition condition
	if q.condition = n.kind == truth; q.condition {
		q.gives, rewritten = Elements, "self::node()[boolean("+rewritten+")]"
	} else {
		q.gives, condition = selectionOf(n), resultCondition(n)
	}
	q.filter, q.doubts = newFilter(needsOf(n), condition), unknownNames(n)
	if q.compiled, err = compile(rewritten); err != nil {
		return nil, c.failAt(0, "this expression cannot be evaluated (%v)", err)
	}
	return q, nil
}

// compile compiles an expression with the library, whose panics become errors.
func compile(text string) (compiled *xpath.Expr, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("%v", trouble)
		}
	}()
	return xpath.Compile(text)
}

// namesRoot reports whether a relative path outside of predicates begins with TRACE.
func namesRoot(n *node) bool {
	return n.some(func(n *node) bool {
		return n.form == path && !n.absolute && len(n.operands) == 0 && n.steps[0].axis == "child" &&
			n.steps[0].test == trace.Root.String()
	})
}

// selectionOf returns the kinds of nodes that an expression selects.
func selectionOf(n *node) ResultKinds {
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

// Gives returns what the expression selects.
func (q *Query) Gives() ResultKinds { return q.gives }

// Doubts returns a sentence for each name in the expression that no element or attribute of the format has, for queries
// without results.
func (q *Query) Doubts() []string { return q.doubts }

// Result is a selected node. It is valid until the function that receives it returns.
type Result struct {
	// Event is the element of TRACE to which the node belongs, Document the name of its input.
	Event    *trace.Event
	Document string
	// Node is the element, the element of an attribute, or a text. Whole is set if it is the Event itself.
	Node  *xmlquery.Node
	Whole bool
	// IsValue is set if an attribute or a text is selected: Value, and the name of the Attribute.
	IsValue          bool
	Attribute, Value string
}

// ErrEnough ends the reading after Finder.Most results.
var ErrEnough = errors.New("there are enough results")

// Finder is a convert.Sink that emits the results of its Query.
type Finder struct {
	*Query
	// Document is the name of what is read.
	Document string
	// Most limits the results; ErrEnough follows the last one. 0 is no limit.
	Most int
	// Report receives an error for each element that exceeds the limits of time and memory, and is left out. If it is
	// nil, Put returns the error.
	Report func(document string, finding trace.Finding)

	give  func(*Result) error
	tree  *tree
	found int
	hits  []hit
}

// RuleLimit is the rule of the findings about elements that exceed a limit.
const RuleLimit = "query-limit"

// hit is a result with its place in document order.
type hit struct {
	place int
	Result
}

// NewFinder returns a Finder that passes its results to the function.
func NewFinder(q *Query, give func(*Result) error) *Finder {
	return &Finder{Query: q, give: give, tree: newTree()}
}

// Found returns the number of results so far.
func (f *Finder) Found() int { return f.found }

// Begin begins a recording.
func (f *Finder) Begin(int) error { return nil }

// End ends it.
func (f *Finder) End(trace.Ending) error { return nil }

// Finish comes last.
func (f *Finder) Finish() error { return nil }

// Put evaluates the expression on the element. The error is ErrEnough, that of the function that receives results, or
// says why the expression cannot be evaluated on this element.
func (f *Finder) Put(e *trace.Event) error {
	if e.Kind == trace.Root {
		f.tree.begin(e)
		return nil
	}
	if !f.filter.passes(e) {
		return nil
	}
	err := f.tree.set(e)
	if err == nil {
		err = f.evaluate(e)
	}
	if err != nil {
		return f.fail(e, err)
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

// fail reports that the element is left out. Other errors are returned, with the element's place.
func (f *Finder) fail(e *trace.Event, err error) error {
	place := trace.Place{Offset: e.Offset}
	if e.Source != nil {
		place, _ = e.Source.Locate(e)
	}
	if _, limited := err.(tooMuch); !limited || f.Report == nil {
		return fmt.Errorf("%s: %w", place.In(f.Document), err)
	}
	f.Report(f.Document, trace.Finding{Rule: RuleLimit, Place: place, Element: e.Name(), Message: err.Error()})
	return nil
}

// evaluate collects the results in the tree, in document order.
func (f *Finder) evaluate(e *trace.Event) (err error) {
	f.hits = f.hits[:0]
	defer func() {
		switch trouble := recover().(type) {
		case nil:
		case tooMuch:
			err = trouble
		default:
			err = fmt.Errorf("the expression cannot be evaluated on this element (%v)", trouble)
		}
	}()
	at := &navigator{NodeNavigator: *xmlquery.CreateXPathNavigator(&f.tree.document), spent: &effort{}}
	if f.inRoot {
		at.MoveToChild()
	}
	for results := f.compiled.Select(at); results.MoveNext(); {
		f.hit(e, results.Current().(*navigator))
		if len(f.hits) > 2*f.tree.places+2 {
			f.sortHits() // a path with two // may give a node any number of times
		}
	}
	f.sortHits()
	return nil
}

// sortHits sorts the results in document order, each once.
func (f *Finder) sortHits() {
	if len(f.hits) > 1 {
		slices.SortFunc(f.hits, func(a, b hit) int { return cmp.Compare(a.place, b.place) })
		f.hits = slices.CompactFunc(f.hits, func(a, b hit) bool { return a.place == b.place })
	}
}

// hit adds a result. Nodes above the element are none.
func (f *Finder) hit(e *trace.Event, at *navigator) {
	n := at.Current()
	switch {
	case f.condition:
		n = &f.tree.element
	case n == &f.tree.document || n == &f.tree.root:
		return
	}
	h := hit{place: at.place(), Result: Result{Event: e, Document: f.Document, Node: n, Whole: n == &f.tree.element}}
	switch at.NodeType() {
	case xpath.AttributeNode:
		h.IsValue, h.Value, h.Attribute = true, at.NodeNavigator.Value(), at.name()
	case xpath.TextNode:
		h.IsValue, h.Value = true, n.Data
	}
	f.hits = append(f.hits, h)
}
