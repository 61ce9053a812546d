package query

import "github.com/trcx/trcx/trace"

// neighbours returns the error for a step that leads to other elements.
func (c *checker) neighbours(n *node, s *step, from levels, inPredicate bool) error {
	switch {
	case n.absolute && inPredicate:
		return c.failAt(n.at, "this path leads to other elements than the current one: "+oneByOne+
			"begin it with a name, @, or .//; "+advice)
	case from&(documentAbove|rootAbove) != 0:
		return c.failAt(s.at, "%s:: of a parent leads to the element's neighbours: "+oneByOne+advice, s.axis)
	}
	return c.failAt(s.at, "%s:: leads to the element's neighbours: "+oneByOne+advice, s.axis)
}

// nothing returns the error for a step without any result.
func (c *checker) nothing(n *node, s *step, from levels) error {
	switch {
	case from&^document == 0 && s.axis == "child":
		return c.failAt(s.at, "the root of a trace is TRACE; write /TRACE/%s, or //%s", s.test, s.test)
	case from&^above == 0 && s.test == trace.Annotation.String():
		return c.failAt(s.at, "annotations are inside other elements; write //annotation")
	case from&^(rootValue|eventValue|insideValue) == 0:
		return c.failAt(s.at, "attributes have no children")
	}
	return c.failAt(s.at, "no element of a trace can be there")
}

// aboveAll returns the error for an expression about TRACE itself.
func (c *checker) aboveAll(at int) error {
	return c.failAt(at,
		"this selects TRACE itself, not its elements; write *[…] or */@name for elements of any name, or use trcx "+
			"convert for the whole trace")
}

// scalar returns the error for an expression with one value for the whole trace.
func (c *checker) scalar(n *node) error {
	what := "the path"
	for n.form == group {
		n = n.operands[0]
	}
	if n.form == call && len(n.operands) > 0 && n.operands[0].kind == nodes {
		argument := n.operands[0]
		switch n.text {
		case "count":
			return c.failAt(n.at, "count(…) would count in each element alone: write the path, and use --format "+
				"count")
		case "string", "number", "normalize-space":
			return c.failAt(argument.at,
				"%s(…) would return a value for every element: write the path; attributes are printed as text", n.text)
		}
	}
	return c.failAt(n.at, "this returns a value, not elements: write %s of the elements or attributes that you want",
		what)
}
