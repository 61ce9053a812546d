package query

import (
	"fmt"
	"strings"
)

// kind is the type of an expression's value.
type kind uint8

const (
	nodes kind = iota
	truth
	numeric
	textual
	anything // as an argument: whatever it is, it is converted
)

// checker checks the types of an expression's parts. It refuses expressions that one element at a time cannot answer.
type checker struct {
	text  string
	start levels // of relative paths outside of predicates
}

func (c *checker) failAt(at int, format string, arguments ...any) error {
	return &Error{c.text, at, fmt.Sprintf(format, arguments...)}
}

const (
	oneByOne = "a query evaluates the elements of TRACE one by one, because a trace may have any length; "
	advice   = "for small traces, use trcx convert --to trcxml and an XPath tool that loads the whole document"
)

// check checks an expression whose context nodes are on the levels. It returns the levels of the resulting nodes, if
// there are any.
func (c *checker) check(n *node, context levels, inPredicate bool) (levels, error) {
	switch n.form {
	case literal, number:
		return 0, nil
	case negative:
		if err := c.checkOrder(n.operands); err != nil {
			return 0, err
		}
		return 0, c.checkAll(n.operands, context, inPredicate)
	case binary:
		return c.checkBinary(n, context, inPredicate)
	case call:
		return 0, c.checkCall(n, context, inPredicate)
	case group:
		return c.checkGroup(n, context, inPredicate)
	}
	return c.checkPath(n, context, inPredicate)
}

// checkOrder refuses operands of which the first node decides, if that is not known.
func (c *checker) checkOrder(operands []*node) error {
	for _, operand := range operands {
		if !operand.isOrderly(false) {
			return c.failAt(operand.begin(), disorder)
		}
	}
	return nil
}

func (c *checker) checkAll(all []*node, context levels, inPredicate bool) error {
	for _, n := range all {
		if _, err := c.check(n, context, inPredicate); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) checkBinary(n *node, context levels, inPredicate bool) (levels, error) {
	left, err := c.check(n.operands[0], context, inPredicate)
	if err != nil {
		return 0, err
	}
	right, err := c.check(n.operands[1], context, inPredicate)
	if err != nil {
		return 0, err
	}
	if n.text != "|" && n.text != "and" && n.text != "or" {
		if err := c.noText(n.operands[0], left, inPredicate); err != nil {
			return 0, err
		}
		if err := c.noText(n.operands[1], right, inPredicate); err != nil {
			return 0, err
		}
	}
	switch {
	case n.kind == numeric:
		return 0, c.checkOrder(n.operands)
	case n.text == "|":
		for _, operand := range n.operands {
			if operand.kind != nodes {
				return 0, c.failAt(operand.at, "want paths on both sides of |; for conditions write or")
			}
		}
		return left | right, nil
	case n.text != "and" && n.text != "or":
		return 0, c.independent(inOrder(n.operands[0], n.operands[1]))
	}
	return 0, nil
}

// noText refuses the text of nodes above the element: it is the text of all elements.
func (c *checker) noText(n *node, at levels, inPredicate bool) error {
	if inPredicate && at&(document|root|documentAbove|rootAbove) != 0 {
		return c.failAt(n.begin(), "the text of TRACE is that of all its elements: "+oneByOne+advice)
	}
	return nil
}

// inOrder returns the operands of a comparison in the order in which the library evaluates them: nodes last, unless
// they are converted to a boolean.
func inOrder(left, right *node) []*node {
	if left.kind == nodes && (right.kind == numeric || right.kind == textual) {
		return []*node{right, left}
	}
	return []*node{left, right}
}

func (c *checker) checkGroup(n *node, context levels, inPredicate bool) (levels, error) {
	at, err := c.check(n.operands[0], context, inPredicate)
	if err != nil || len(n.predicates) == 0 {
		return at, err
	}
	if n.kind != nodes {
		return 0, c.failAt(n.predicates[0].at, "a [ ] can follow a path only")
	}
	if n.final {
		at &^= document | root // which are no results
	}
	for i, predicate := range n.predicates {
		if positional(predicate) && (!inPredicate || at&(event|above) != 0) {
			return 0, c.failAt(predicate.begin(), "the position among all results is unknown: "+oneByOne+
				"for the first result, use --max 1")
		}
		if usesPosition(predicate) && i > 0 {
			return 0, c.failAt(predicate.begin(), "position() and last() are supported in the first [ ] only")
		}
	}
	return at, c.checkAllPredicates(n.predicates, at)
}

func (c *checker) checkAllPredicates(predicates []*node, at levels) error {
	// Nodes above are reached from below here: their other children are missing.
	if at&document != 0 {
		at = at&^document | documentAbove
	}
	if at&root != 0 {
		at = at&^root | rootAbove
	}
	return c.checkAll(predicates, at, true)
}

// positional reports whether a predicate selects by position.
func positional(n *node) bool { return n.kind == numeric || usesPosition(n) }

// usesPosition reports whether the expression has position() or last() outside of the predicates of its steps.
func usesPosition(n *node) bool {
	return n.some(func(n *node) bool { return n.form == call && (n.text == "position" || n.text == "last") })
}

func (c *checker) checkPath(n *node, context levels, inPredicate bool) (at levels, err error) {
	switch {
	case len(n.operands) > 0:
		if at, err = c.check(n.operands[0], context, inPredicate); err != nil {
			return 0, err
		}
		if n.operands[0].kind != nodes {
			return 0, c.failAt(n.operands[0].at, "steps can follow on paths only")
		}
	case n.absolute && inPredicate:
		at = documentAbove
	case n.absolute:
		at = document
	default:
		at = context
	}
	for i := range n.steps {
		if at, err = c.checkStep(n, i, at, inPredicate); err != nil {
			return 0, err
		}
	}
	return at, nil
}

func (c *checker) checkStep(n *node, i int, from levels, inPredicate bool) (levels, error) {
	s := &n.steps[i]
	switch {
	case s.axis == "namespace":
		return 0, c.failAt(s.at, "namespaces cannot be selected; traces have none")
	case s.test == "comment()" || s.test == "processing-instruction()":
		return 0, c.failAt(s.at, "%s selects nothing; text and comments between the elements of a trace are not kept",
			s.test)
	case s.axis == "attribute" && from&(rootValue|eventValue|insideValue) != 0:
		return 0, c.failAt(s.at, "attributes have no attributes; write ../@%s", s.test)
	case strings.HasSuffix(s.test, ":*"):
		return 0, c.failAt(s.at, "a prefix cannot select names; write *[starts-with(name(), '%s')]",
			strings.TrimSuffix(s.test, "*"))
	}
	to := passing(s.test, reached(s.axis, from))
	if s.axis == "attribute" {
		to = reached(s.axis, from)
	}
	if to&neighbour != 0 {
		return 0, c.neighbours(n, s, from, inPredicate)
	}
	if to == 0 && !inPredicate {
		return 0, c.nothing(n, s, from)
	}
	judged := to
	if n.final && i == len(n.steps)-1 {
		judged &^= document | root // which are no results
	}
	for j, predicate := range s.predicates {
		switch {
		case positional(predicate) && to&event != 0:
			return 0, c.failAt(predicate.begin(),
				"the position of the element among its neighbours is unknown: "+oneByOne+
					"for the first results, use --max; "+advice)
		case positional(predicate) && (!countable[s.axis] || !isNameTest(s.test)):
			return 0, c.failAt(predicate.begin(),
				"a position needs children or siblings here; ( )[…] counts the results of the path in it")
		case positional(predicate) && j > 0:
			return 0, c.failAt(predicate.begin(), "only the first [ ] of a step can have a position")
		case usesPosition(predicate) && s.axis != "child":
			return 0, c.failAt(predicate.begin(),
				"position() and last() are supported for children only; a number counts from the nearest")
		}
	}
	return to, c.checkAllPredicates(s.predicates, judged)
}

// countable are the axes along which the library counts correctly.
var countable = map[string]bool{"child": true, "following-sibling": true, "preceding-sibling": true, "ancestor": true,
	"parent": true, "self": true}

func isNameTest(test string) bool { return !strings.HasSuffix(test, "()") }

// checkResult checks the whole expression and its result.
func (c *checker) checkResult(n *node) error {
	if n.kind == nodes {
		n.finish()
	}
	at, err := c.check(n, c.start, false)
	if err != nil {
		return err
	}
	switch n.kind {
	case numeric, textual:
		return c.scalar(n)
	case truth:
		return c.checkPaths(n)
	}
	if at&within == 0 {
		return c.aboveAll(n.at)
	}
	return nil
}

// checkPaths refuses conditions about the trace itself.
func (c *checker) checkPaths(n *node) (err error) {
	n.some(func(n *node) bool {
		if n.form == path && len(n.operands) == 0 {
			var at levels
			if at, err = c.check(n, c.start, false); err == nil && at&within == 0 {
				err = c.aboveAll(n.at)
			}
		}
		return err != nil
	})
	return err
}
