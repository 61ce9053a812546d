package query

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// condition reports whether an element can match, by its names and attributes; nil is always true. It is much cheaper
// than an evaluation.
type condition func(*trace.Event) bool

func (c condition) met(e *trace.Event) bool { return c == nil || c(e) }

func both(a, b condition) condition { return func(e *trace.Event) bool { return a.met(e) && b.met(e) } }

func either(a, b condition) condition {
	return func(e *trace.Event) bool { return a.met(e) || b.met(e) }
}

// named returns the condition that the element has the name or, unless own is set, an element inside it has it.
func named(name string, own bool) condition {
	kind := trace.Lookup([]byte(name))
	return func(e *trace.Event) bool {
		return e.Kind == kind && (kind != trace.Foreign || e.Name() == name) || !own && e.Extra != nil &&
			slices.ContainsFunc(e.Extra.Elements, func(inside trace.ElementCount) bool { return inside.Name == name })
	}
}

// ofOwn returns a condition on an element that matches itself. Unless it must, an element inside it can match.
func ofOwn(itself condition, must bool) condition {
	return func(e *trace.Event) bool { return itself.met(e) || !must && e.Extra != nil && len(e.Extra.Inner) > 0 }
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
		return e.Extra != nil && slices.ContainsFunc(e.Extra.Attributes, func(a trace.NamedValue) bool {
			return a.Name == name && fits([]byte(a.Value))
		})
	}
}
