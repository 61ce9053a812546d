package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/antchfx/xmlquery"
	"github.com/antchfx/xpath"

	"github.com/trcx/trcx/trace"
)

// Query is a compiled expression.
type Query struct {
	// Elements and Attributes are the names in the expression.
	Elements, Attributes []string

	paths            []*xpath.Expr // joined by |
	condition        bool          // the expression is one
	elements, values bool          // what it selects; values are attributes and texts
	needs            condition
}

// Compile compiles an expression in the part of XPath that is supported. Paths begin at TRACE. A condition selects the
// elements for which it is true. The error is an *Error.
func Compile(text string) (q *Query, err error) {
	p := &parser{text: text}
	defer func() {
		if trouble := recover(); trouble != nil {
			q, err = nil, trouble.(*Error)
		}
	}()
	p.split()
	q = &Query{}
	for more := true; more; more = p.sees("|") {
		p.written = nil
		q.add(p, p.alternatives())
	}
	if t := p.tokens[0]; t.kind != 0 {
		p.fail(t, "%s is not allowed here", t.text)
	}
	q.Elements, q.Attributes = p.elements, p.attributes
	return q, nil
}

// add adds an operand of |, or the whole expression.
func (q *Query) add(p *parser, v value) {
	text := strings.Join(p.written, " ")
	if first := len(q.paths) == 0; first && v.kind == truth && !p.next("|") {
		q.condition, q.elements, text = true, true, "self::node()["+text+"]"
	} else if v.kind != nodes {
		p.fail(v.begin, "want the path of elements or attributes here")
	}
	q.values, q.elements = q.values || v.ends, q.elements || !v.ends
	compiled, err := xpath.Compile(text)
	if err != nil {
		p.fail(v.begin, "this is too complex for the library (%v)", err)
	}
	if q.needs = either(q.needs, v.needs); len(q.paths) == 0 {
		q.needs = v.needs
	}
	q.paths = append(q.paths, compiled)
}

// Result is a selected node. It is valid until the function that receives it returns.
type Result struct {
	// Event is the element of TRACE to which the node belongs, Document the name of its input.
	Event    *trace.Event
	Document string
	// Node is the element or text, or the element that has the Attribute, which is nil if none is selected.
	Node      *xmlquery.Node
	Attribute *xmlquery.Attr
}

// ErrEnough ends the reading after Finder.Most results.
var ErrEnough = errors.New("there are enough results")

// RuleLimit is the rule of the findings about elements that exceed a limit.
const RuleLimit = "query-limit"

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
	hits  []Result // by place in document order; those not found have no Node
}

// NewFinder returns a Finder that passes its results to the function.
func NewFinder(q *Query, give func(*Result) error) *Finder {
	return &Finder{Query: q, give: give, tree: newTree()}
}

// Found returns the number of results so far.
func (f *Finder) Found() int { return f.found }

// Begin, End and Finish do nothing: each element is searched on its own.
func (f *Finder) Begin(int) error        { return nil }
func (f *Finder) End(trace.Ending) error { return nil }
func (f *Finder) Finish() error          { return nil }

// Put evaluates the expression on the element. The error is ErrEnough, comes from the function that receives results,
// or says why the expression cannot be evaluated on this element.
func (f *Finder) Put(e *trace.Event) error {
	if e.Kind == trace.Root || !f.needs.met(e) {
		return nil
	}
	if trouble := f.evaluate(e); trouble != nil {
		place := trace.Place{Offset: e.Offset}
		if e.Source != nil {
			place, _ = e.Source.Locate(e)
		}
		limit, limited := trouble.(tooMuch)
		if !limited || f.Report == nil {
			return fmt.Errorf("%s: the expression cannot be evaluated: %v", place.In(f.Document), trouble)
		}
		f.Report(f.Document, trace.Finding{Rule: RuleLimit, Place: place, Element: e.Name(), Message: string(limit)})
		return nil
	}
	for i := range f.hits {
		if f.hits[i].Node == nil {
			continue
		}
		if err := f.give(&f.hits[i]); err != nil {
			return err
		}
		if f.found++; f.found == f.Most {
			return ErrEnough
		}
	}
	return nil
}

// evaluate collects the results in the tree. It returns a panic that ended the evaluation.
func (f *Finder) evaluate(e *trace.Event) (trouble any) {
	defer func() { trouble = recover() }()
	f.tree.set(e)
	f.hits = slices.Grow(f.hits[:0], f.tree.places+1)[:f.tree.places+1]
	clear(f.hits)
	root, steps := xmlquery.CreateXPathNavigator(&f.tree.root), 0
	for _, path := range f.paths {
		for results := path.Select(&navigator{*root, &steps}); results.MoveNext(); {
			f.hit(e, results.Current().(*navigator))
		}
	}
	return nil
}

func (f *Finder) hit(e *trace.Event, at *navigator) {
	n := at.Current()
	if f.condition {
		n = &f.tree.element
	}
	r, place := Result{Event: e, Document: f.Document, Node: n}, n.LineNumber
	if name := at.LocalName(); at.NodeType() == xpath.AttributeNode {
		i := slices.IndexFunc(n.Attr, func(a xmlquery.Attr) bool { return a.Name.Local == name })
		r.Attribute, place = &n.Attr[i], place+1+i
	}
	f.hits[place] = r
}
