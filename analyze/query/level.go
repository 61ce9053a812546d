package query

import "github.com/trcx/trcx/trace"

// levels is a set of the places in a trace where nodes can be.
type levels uint16

// The root is common to the trees of all elements. A path that reaches it from an element must not go down again: the
// tree has this element only, the trace has all.
const (
	document      levels = 1 << iota // above the root
	root                             // TRACE
	event                            // a child of TRACE
	inside                           // an element or a text in one of those
	rootValue                        // an attribute of TRACE
	eventValue                       // an attribute of a child of TRACE
	insideValue                      // an attribute further inside
	documentAbove                    // document and root, reached from below
	rootAbove
	levelsEnd
)

const (
	above     = document | root | rootValue | documentAbove | rootAbove
	within    = event | inside | eventValue | insideValue
	neighbour = levelsEnd // of other elements, which are not in the tree
)

// leads maps an axis and a level to the levels that the axis reaches.
var leads = map[string]map[levels]levels{
	"child": {document: root, root: event, event: inside, inside: inside, documentAbove: rootAbove,
		rootAbove: neighbour},
	"descendant": {document: root | event | inside, root: event | inside, event: inside, inside: inside,
		documentAbove: neighbour, rootAbove: neighbour},
	"descendant-or-self": {document: document | root | event | inside, root: root | event | inside,
		event: event | inside, inside: inside,
		documentAbove: neighbour, rootAbove: neighbour, rootValue: rootValue, eventValue: eventValue,
		insideValue: insideValue},
	"self": {document: document, root: root, event: event, inside: inside, rootValue: rootValue, eventValue: eventValue,
		insideValue:   insideValue,
		documentAbove: documentAbove, rootAbove: rootAbove},
	"parent": {root: documentAbove, event: rootAbove, inside: event | inside, rootAbove: documentAbove,
		rootValue: rootAbove, eventValue: event, insideValue: inside},
	"ancestor": {root: documentAbove, event: rootAbove | documentAbove, inside: event | inside | rootAbove |
		documentAbove,
		rootValue:  rootAbove | documentAbove,
		eventValue: event | rootAbove | documentAbove, insideValue: event | inside | rootAbove | documentAbove,
		rootAbove: documentAbove},
	"attribute":         {root: rootValue, event: eventValue, inside: insideValue, rootAbove: rootValue},
	"following-sibling": {event: neighbour, inside: inside},
	"preceding-sibling": {event: neighbour, inside: inside},
	"following":         {event: neighbour, inside: neighbour, eventValue: neighbour, insideValue: neighbour},
	"preceding":         {event: neighbour, inside: neighbour, eventValue: neighbour, insideValue: neighbour},
}

// reached returns the levels that the axis reaches from these.
func reached(axis string, from levels) levels {
	if axis == "ancestor-or-self" {
		return from | reached("ancestor", from)
	}
	var to levels
	for level := document; level < levelsEnd; level <<= 1 {
		if from&level != 0 {
			to |= leads[axis][level]
		}
	}
	return to
}

// passing returns the levels of nodes that can pass the test. Only the root is named TRACE, and annotations occur in
// other elements only.
func passing(test string, from levels) levels {
	switch test {
	case "node()":
		return from
	case "*":
		return from &^ (document | documentAbove)
	case "text()":
		return from & (inside | neighbour)
	case trace.Root.String():
		return from & (root | rootAbove | inside | neighbour)
	case trace.Annotation.String():
		return from &^ (above | event)
	}
	return from &^ (document | root | documentAbove | rootAbove)
}
