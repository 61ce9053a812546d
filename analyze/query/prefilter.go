package query

import (
	"bytes"
	"slices"

	"github.com/trcx/trcx/trace"
)

// condition reports whether an element without content can match, by its attributes alone; nil always can. It is
// cheaper than an evaluation.
type condition func(*trace.Event) bool

// resultCondition returns the condition on the attributes of an element without content. In such an element the last
// element of a path is the element itself.
func resultCondition(n *node) condition {
	switch n.form {
	case group:
		return resultCondition(n.operands[0])
	case binary: // a union
		return either(resultCondition(n.operands[0]), resultCondition(n.operands[1]))
	}
	for i := len(n.steps) - 1; i >= 0; i-- {
		switch s := &n.steps[i]; s.axis {
		case "child", "descendant", "descendant-or-self", "self":
			if s.isAnywhere() || s.test == "node()" {
				return nil
			}
			var all condition
			for _, predicate := range s.predicates {
				all = both(all, conditionOf(predicate))
			}
			return all
		case "attribute":
		default:
			return nil
		}
	}
	return nil
}

func both(a, b condition) condition {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return func(e *trace.Event) bool { return a(e) && b(e) }
}

func either(a, b condition) condition {
	if a == nil || b == nil {
		return nil
	}
	return func(e *trace.Event) bool { return a(e) || b(e) }
}

// conditionOf returns the condition of a predicate.
func conditionOf(n *node) condition {
	switch n.form {
	case group:
		if len(n.predicates) == 0 {
			return conditionOf(n.operands[0])
		}
	case path:
		if name, ok := attributeOf(n); ok {
			return attributeThat(name, func([]byte) bool { return true })
		}
	case call:
		return callOf(n)
	case binary:
		return comparisonOf(n)
	}
	return nil
}

func comparisonOf(n *node) condition {
	left, right := n.operands[0], n.operands[1]
	switch n.text {
	case "and":
		return both(conditionOf(left), conditionOf(right))
	case "or":
		return either(conditionOf(left), conditionOf(right))
	}
	if mirrored[n.text] == "" {
		return nil
	}
	if right.form == path {
		left, right = right, left
	}
	name, ok := attributeOf(left)
	switch {
	case !ok || right.form != literal && right.form != number:
		return nil
	case right.form == literal && n.text == "=":
		return attributeThat(name, equals(right.text))
	}
	return attributeThat(name, func([]byte) bool { return true })
}

func equals(text string) func([]byte) bool {
	return func(value []byte) bool { return string(value) == text }
}

// callOf returns the condition of a function of an attribute and a text.
func callOf(n *node) condition {
	finds := map[string]func([]byte, []byte) bool{"starts-with": bytes.HasPrefix, "ends-with": bytes.HasSuffix,
		"contains": bytes.Contains}[n.text]
	switch {
	case n.text == "boolean":
		return conditionOf(n.operands[0])
	case finds == nil || n.operands[1].form != literal || n.operands[1].text == "":
		return nil
	}
	name, ok := attributeOf(n.operands[0])
	if !ok {
		return nil
	}
	wanted := []byte(n.operands[1].text)
	return attributeThat(name, func(value []byte) bool { return finds(value, wanted) })
}

// attributeOf returns the name of the context node's attribute that a path selects.
func attributeOf(n *node) (name string, ok bool) {
	if n.form != path || n.absolute || len(n.operands) > 0 || len(n.steps) != 1 {
		return "", false
	}
	s := n.steps[0]
	return s.test, s.axis == "attribute" && isNameTest(s.test) && s.test != "*" && len(s.predicates) == 0
}

// attributeThat returns the condition that the element has an attribute of the name with a fitting value.
func attributeThat(name string, fits func([]byte) bool) condition {
	var positions [trace.KindCount]int
	for kind := range positions {
		positions[kind] = slices.IndexFunc(trace.Kind(kind).Element().Attributes, func(a trace.Attribute) bool {
			return a.Name == name
		})
	}
	return func(e *trace.Event) bool {
		if position := positions[e.Kind]; position >= 0 && e.Positions()>>position&1 != 0 {
			return fits(e.At(position))
		}
		if e.Extra == nil {
			return false
		}
		return slices.ContainsFunc(e.Extra.Attributes, func(a trace.NamedValue) bool {
			return a.Name == name &&
				fits([]byte(a.Value))
		})
	}
}
