package query

import "github.com/trcx/trcx/trace"

// levels says where in a trace nodes can be: a set.
type levels uint16

// The root is what an element's tree has in common with those of the others. Who comes to it from an element must not
// go down again: there it would be alone, while in the trace all the others are.
const (
	document      levels = 1 << iota // above the root
	root                             // TRACE
	event                            // a child of TRACE
	inside                           // an element or a text in one of those
	rootValue                        // an attribute of TRACE
	eventValue                       // an attribute of a child of TRACE
	insideValue                      // an attribute further inside
	documentAbove                    // as document and root, but come to from below
	rootAbove
	levelsEnd
)

const (
	above  = document | root | rootValue | documentAbove | rootAbove
	within = event | inside | eventValue | insideValue
	beside = levelsEnd // of what cannot be answered
)

// leads says where an axis leads to from each level.
var leads = map[string]map[levels]levels{
	"child": {document: root, root: event, event: inside, inside: inside, documentAbove: rootAbove, rootAbove: beside},
	"descendant": {document: root | event | inside, root: event | inside, event: inside, inside: inside,
		documentAbove: beside, rootAbove: beside},
	"descendant-or-self": {document: document | root | event | inside, root: root | event | inside,
		event: event | inside, inside: inside,
		documentAbove: beside, rootAbove: beside, rootValue: rootValue, eventValue: eventValue,
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
	"following-sibling": {event: beside, inside: inside},
	"preceding-sibling": {event: beside, inside: inside},
	"following":         {event: beside, inside: beside, eventValue: beside, insideValue: beside},
	"preceding":         {event: beside, inside: beside, eventValue: beside, insideValue: beside},
}

// reached is where the axis leads to from the levels.
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

// passing is which of the levels nodes can have that pass the test. TRACE is the root's name alone, and annotations
// stand in other elements.
func passing(test string, from levels) levels {
	switch test {
	case "node()":
		return from
	case "*":
		return from &^ (document | documentAbove)
	case "text()":
		return from & (inside | beside)
	case trace.Root.String():
		return from & (root | rootAbove | inside | beside)
	case trace.Annotation.String():
		return from &^ (above | event)
	}
	return from &^ (document | root | documentAbove | rootAbove)
}
