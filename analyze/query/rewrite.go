package query

import "strings"

// rewrite returns an expression that the library evaluates as XPath defines the original one. The library's defects,
// and what is written instead:
//
//   - arguments of another type than the function's cause a panic: they are converted, string(…), number(…), boolean(…)
//   - so do functions without their optional argument: it is written, string(.)
//   - a text or a number before = and a path is compared with the path's first node only, and as a number: the operands
//     are exchanged
//   - a boolean compared with another type is converted to a number: the other operand is converted to a boolean
//   - not(…) of a number or a text is false: not(boolean(…))
//   - descendant:: and descendant-or-self:: of names are wrong in many places: they are written as //
//   - NaN is true: a number is true if its text without the characters of 0 and NaN is not empty
func rewrite(n *node) string {
	var b strings.Builder
	writer{&b}.expression(n)
	return b.String()
}

type writer struct{ *strings.Builder }

func (s writer) expression(n *node) {
	switch n.form {
	case literal:
		s.quoted(n.text)
	case number:
		s.WriteString(strings.TrimSuffix(n.text, "."))
	case negative:
		s.WriteString("(0 - ")
		s.as(n.operands[0], numeric)
		s.WriteString(")")
	case binary:
		s.binary(n)
	case call:
		s.call(n)
	case group:
		s.WriteString("(")
		s.expression(n.operands[0])
		s.WriteString(")")
		s.predicates(n.predicates)
	default:
		s.path(n)
	}
}

func (s writer) quoted(text string) {
	quote := `"`
	if strings.Contains(text, quote) {
		quote = `'`
	}
	s.WriteString(quote + text + quote)
}

var conversions = map[kind]string{truth: "boolean", numeric: "number", textual: "string"}

// as writes the expression, converted to the kind.
func (s writer) as(n *node, wanted kind) {
	switch {
	case wanted == anything || wanted == nodes || n.kind == wanted:
		s.expression(n)
		return
	case wanted == truth && n.kind == numeric:
		s.WriteString("(string-length(translate(string(")
		s.expression(n)
		s.WriteString("), '0NaN', '')) > 0)")
		return
	}
	s.WriteString(conversions[wanted] + "(")
	s.expression(n)
	s.WriteString(")")
}

// mirrored maps the comparisons to those of exchanged operands.
var mirrored = map[string]string{"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

func (s writer) binary(n *node) {
	left, right, operator := n.operands[0], n.operands[1], n.text
	wantedLeft, wantedRight := anything, anything
	switch mirror, compares := mirrored[operator]; {
	case operator == "|":
		s.union(n)
		return
	case operator == "and" || operator == "or":
		wantedLeft, wantedRight = truth, truth
	case !compares:
		wantedLeft, wantedRight = numeric, numeric
	case (left.kind == truth || right.kind == truth) && operator != "=" && operator != "!=":
		s.comparedTruths(left, right, operator)
		return
	case left.kind == truth || right.kind == truth:
		wantedLeft, wantedRight = truth, truth
	case right.kind == nodes && left.kind != nodes:
		left, right, operator = right, left, mirror
	}
	s.WriteString("(")
	s.as(left, wantedLeft)
	s.WriteString(" " + operator + " ")
	s.as(right, wantedRight)
	s.WriteString(")")
}

// comparedTruths writes a relational comparison with a boolean operand. Nodes are converted to a boolean.
func (s writer) comparedTruths(left, right *node, operator string) {
	side := func(n *node) {
		s.WriteString("number(")
		if n.kind == nodes {
			s.as(n, truth)
		} else {
			s.expression(n)
		}
		s.WriteString(")")
	}
	s.WriteString("(")
	side(left)
	s.WriteString(" " + operator + " ")
	side(right)
	s.WriteString(")")
}

func (s writer) union(n *node) {
	s.expression(n.operands[0])
	s.WriteString(" | ")
	s.expression(n.operands[1])
}

func (s writer) call(n *node) {
	f := functions[n.text]
	if n.text == "boolean" {
		s.as(n.operands[0], truth)
		return
	}
	s.WriteString(n.text + "(")
	if len(n.operands) == 0 && len(f.takes) > 0 && f.takes[0] != nodes {
		s.WriteString("string(.)")
	}
	for i, operand := range n.operands {
		if i > 0 {
			s.WriteString(", ")
		}
		s.as(operand, f.takes[min(i, len(f.takes)-1)])
	}
	s.WriteString(")")
}

func (s writer) predicates(predicates []*node) {
	for _, predicate := range predicates {
		s.WriteString("[")
		s.expression(predicate)
		s.WriteString("]")
	}
}

func (s writer) path(n *node) {
	if len(n.operands) > 0 {
		s.expression(n.operands[0])
		s.WriteString("/")
	} else if n.absolute {
		s.WriteString("/")
	}
	for i, step := range plain(n) {
		if i > 0 {
			s.WriteString("/")
		}
		if !step.isAnywhere() {
			s.step(step)
		}
	}
}

// plain returns the steps of a path with // for descendant axes. A relative path that begins with // begins with .
// then.
func plain(n *node) []step {
	var steps []step
	descend := func(at int) {
		switch last := len(steps) - 1; {
		case last >= 0 && steps[last].isAnywhere():
			return
		case last < 0 && !n.absolute && len(n.operands) == 0:
			steps = append(steps, step{axis: "self", test: "node()"})
		}
		steps = append(steps, anywhere(at))
	}
	for _, s := range n.steps {
		switch {
		case s.isAnywhere():
			descend(s.at)
			continue
		case s.axis == "descendant-or-self":
			descend(s.at)
			s.axis = "self"
		case s.axis == "descendant":
			descend(s.at)
			s.axis = "child"
		}
		steps = append(steps, s)
	}
	if last := len(steps) - 1; last >= 0 && steps[last].isAnywhere() {
		steps = append(steps, step{axis: "self", test: "node()"})
	}
	return steps
}

// isAnywhere reports whether the step is the one that // abbreviates.
func (s *step) isAnywhere() bool {
	return s.axis == "descendant-or-self" && s.test == "node()" && len(s.predicates) == 0
}

func (s writer) step(step step) {
	switch {
	case step.axis == "self" && step.test == "node()" && len(step.predicates) == 0:
		s.WriteString(".")
		return
	case step.axis == "parent" && step.test == "node()" && len(step.predicates) == 0:
		s.WriteString("..")
		return
	case step.axis == "attribute":
		s.WriteString("@")
	case step.axis != "child":
		s.WriteString(step.axis + "::")
	}
	s.WriteString(step.test)
	s.predicates(step.predicates)
}
