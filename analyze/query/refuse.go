package query

import "github.com/trcx/trcx/trace"

// neighbours returns the error for a step that leads to other elements.
func (c *checker) neighbours(n *node, s *step, from levels, inPredicate bool) error {
	switch {
	case n.absolute && inPredicate:
		return c.failAt(n.at, "this path looks at other elements than the current one: "+oneByOne+
			"begin it with a name, @, or .//; "+advice)
	case from&(documentAbove|rootAbove) != 0:
		return c.failAt(s.at, "%s:: of what is above leads to the element's neighbours: "+oneByOne+advice, s.axis)
	}
	return c.failAt(s.at, "%s:: leads to the element's neighbours: "+oneByOne+advice, s.axis)
}

// nothing returns the error for a step without any result.
func (c *checker) nothing(n *node, s *step, from levels) error {
	switch {
	case from&^document == 0 && s.axis == "child":
		return c.failAt(s.at, "the root of a trace is TRACE; write /TRACE/%s, or //%s", s.test, s.test)
	case from&^above == 0 && s.test == trace.Annotation.String():
		return c.failAt(s.at, "annotations are inside of other elements; write //annotation")
	case from&^(rootValue|eventValue|insideValue) == 0:
		return c.failAt(s.at, "attributes have nothing inside")
	}
	return c.failAt(s.at, "nothing in a trace can be there")
}

// aboveAll returns the error for an expression about TRACE itself.
func (c *checker) aboveAll(at int) error {
	return c.failAt(at,
		"this is about TRACE itself, not about its elements; write *[…] or */@name for elements of any name, "+
			"and trcx convert for all of the trace")
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
			return c.failAt(n.at, "count(…) would count in each element alone: give the path, and say --format count")
		case "string", "number", "normalize-space":
			return c.failAt(argument.at,
				"%s(…) would give a value for every element: give the path, which is printed as text if it selects "+
					"attributes", n.text)
		}
	}
	return c.failAt(n.at, "this gives a value, not elements: give %s whose elements or attributes you want", what)
}
