package query

import "slices"

const disorder = "the order and the number of nodes are unknown if a path goes up, sideways, or more than once down " +
	"by //; write a condition in [ ] instead"

// isOrderly reports whether the library returns each node of a path once, and the first one first; if union, each node
// of a union once. It matters where the first node or their number does, not for results, which are sorted.
func (n *node) isOrderly(union bool) bool {
	switch {
	case n.form == group:
		return len(n.predicates) == 0 && n.operands[0].isOrderly(union)
	case n.form == binary && n.text == "|":
		return union && n.operands[0].isOrderly(true) && n.operands[1].isOrderly(true)
	case n.form != path:
		return true
	case len(n.operands) > 0:
		return false
	}
	down, deep := false, 0
	for _, s := range n.steps {
		switch {
		case s.axis == "parent" && !down || s.axis == "self" || s.axis == "attribute":
		case s.axis == "child" && deep < 2, s.axis == "descendant" && deep == 0, s.axis == "descendant-or-self" &&
			deep == 0:
			down = true
			switch {
			case s.axis != "child" && !s.isAnywhere():
				deep = 2
			case s.axis != "child" || deep > 0:
				deep++
			}
		default:
			return false
		}
	}
	return true
}

// independent refuses operands with a predicate before a relative path: the library would evaluate that path from
// another context node.
func (c *checker) independent(operands []*node) error {
	for i, n := range operands[:max(len(operands)-1, 0)] {
		if !n.hasPredicate() {
			continue
		}
		if later := slices.IndexFunc(operands[i+1:], (*node).isRelative); later >= 0 {
			other := &Error{Expression: c.text, At: operands[i+1+later].at}
			return c.failAt(n.at,
				"a path with [ ] cannot be evaluated before another path, at character %d; exchange them, or write "+
					"a separate condition",
				other.Column())
		}
	}
	return nil
}

// some reports whether the condition holds for the node or one inside it, except in predicates of steps.
func (n *node) some(holds func(*node) bool) bool {
	return holds(n) || slices.ContainsFunc(n.operands, func(operand *node) bool { return operand.some(holds) })
}

func (n *node) hasPredicate() bool {
	return n.some(func(n *node) bool {
		return len(n.predicates) > 0 || slices.ContainsFunc(n.steps, func(s step) bool { return len(s.predicates) > 0 })
	})
}

// isRelative reports whether the value depends on the context node.
func (n *node) isRelative() bool {
	return n.some(func(n *node) bool {
		return n.form == path && !n.absolute && len(n.operands) == 0 || n.form == call && len(n.operands) == 0 &&
			functions[n.text].gives > truth
	})
}
