package trace

import "maps"

// TPTP loads nothing without a preamble, so writers make up the elements that a trace lacks. The values below mark such
// an element as made up, so that readers do not take it for recorded.

// placeholders are the values of made-up elements, apart from their ids, references and times.
var placeholders = map[Kind]map[Attr]string{
	Node:          {AttrHostname: "unknown", AttrIPAddress: "0.0.0.0", AttrTimezone: "0"},
	ProcessCreate: {AttrPID: "-1"},
	AgentCreate:   {AttrVersion: "2.000", AttrAgentName: "unknown", AttrAgentType: "Profiler", AttrAgentParameters: ""},
	TraceStart:    {AttrTraceID: "unknown-trace"},
}

// Placeholders returns the values of a made-up element of the kind, apart from its ids, references and times. It is nil
// for kinds that are never made up.
func Placeholders(kind Kind) map[Attr]string { return maps.Clone(placeholders[kind]) }

// IsPlaceholder reports whether the element was made up.
func (e *Event) IsPlaceholder() bool {
	if e.Kind > TraceStart { // nearly every element
		return false
	}
	values, ok := placeholders[e.Kind]
	for attribute, value := range values {
		if string(e.Value(attribute)) != value {
			return false
		}
	}
	return ok
}
