package trace

import "strings"

// Attr names an attribute of any element.
type Attr uint8

// The attributes of the format.
const (
	NoAttr Attr = iota
	AttrAgentID
	AttrAgentIDRef
	AttrAgentName
	AttrAgentParameters
	AttrAgentType
	AttrBaseTime
	AttrName
	AttrType
	AttrValue
	AttrClassID
	AttrClassIDRef
	AttrCollationValue
	AttrCount
	AttrCumulativeTime
	AttrEndLineNumber
	AttrGenericPattern
	AttrGroupName
	AttrHostname
	AttrIPAddress
	AttrIsArray
	AttrIsNotifyAll
	AttrIsTimedOut
	AttrKey
	AttrMaxTime
	AttrMethodGenericPattern
	AttrMethodID
	AttrMethodIDRef
	AttrMethodMode
	AttrMethodPattern
	AttrMinTime
	AttrMode
	AttrNewObjID
	AttrNodeID
	AttrNodeIDRef
	AttrNumCalls
	AttrObjID
	AttrObjIDRef
	AttrOverhead
	AttrParentName
	AttrPattern
	AttrPID
	AttrProcessID
	AttrProcessIDRef
	AttrSamples
	AttrSignature
	AttrSize
	AttrSourceName
	AttrStackDepth
	AttrStartLineNumber
	AttrTargetObjIDRef
	AttrThreadID
	AttrThreadIDRef
	AttrThreadName
	AttrThreadOwner
	AttrTicket
	AttrTime
	AttrTimeout
	AttrTimezone
	AttrTotalObjSpace
	AttrTraceID
	AttrTraceIDRef
	AttrTransientClassID
	AttrTransientClassIDRef
	AttrTransientObjID
	AttrTransientObjIDRef
	AttrTransientThreadID
	AttrTransientThreadIDRef
	AttrUsedObjects
	AttrUsedObjSpace
	AttrVersion
	attrCount
)

// spellings holds, for each attribute, its name in the XML and the type of its text.
var spellings = [attrCount]struct {
	name string
	typ  Type
}{
	AttrAgentID:              {"agentId", Identifier},
	AttrAgentIDRef:           {"agentIdRef", Identifier},
	AttrAgentName:            {"agentName", Text},
	AttrAgentParameters:      {"agentParameters", Text},
	AttrAgentType:            {"agentType", Text},
	AttrBaseTime:             {"baseTime", Seconds},
	AttrName:                 {"name", Text},
	AttrType:                 {"type", Text},
	AttrValue:                {"value", Text},
	AttrClassID:              {"classId", Identifier},
	AttrClassIDRef:           {"classIdRef", Identifier},
	AttrCollationValue:       {"collationValue", Text},
	AttrCount:                {"count", Integer},
	AttrCumulativeTime:       {"cumulativeTime", Seconds},
	AttrEndLineNumber:        {"endLineNumber", Integer},
	AttrGenericPattern:       {"genericPattern", Text},
	AttrGroupName:            {"groupName", Text},
	AttrHostname:             {"hostname", Text},
	AttrIPAddress:            {"ipaddress", Text},
	AttrIsArray:              {"isArray", Text},
	AttrIsNotifyAll:          {"isNotifyAll", Flag},
	AttrIsTimedOut:           {"isTimedOut", Flag},
	AttrKey:                  {"key", Text},
	AttrMaxTime:              {"maxTime", Seconds},
	AttrMethodGenericPattern: {"methodGenericPattern", Text},
	AttrMethodID:             {"methodId", Identifier},
	AttrMethodIDRef:          {"methodIdRef", Identifier},
	AttrMethodMode:           {"methodMode", Text},
	AttrMethodPattern:        {"methodPattern", Text},
	AttrMinTime:              {"minTime", Seconds},
	AttrMode:                 {"mode", Text},
	AttrNewObjID:             {"newObjId", Identifier},
	AttrNodeID:               {"nodeId", Identifier},
	AttrNodeIDRef:            {"nodeIdRef", Identifier},
	AttrNumCalls:             {"numCalls", Integer},
	AttrObjID:                {"objId", Identifier},
	AttrObjIDRef:             {"objIdRef", Identifier},
	AttrOverhead:             {"overhead", Seconds},
	AttrParentName:           {"parentName", Text},
	AttrPattern:              {"pattern", Text},
	AttrPID:                  {"pid", Text},
	AttrProcessID:            {"processId", Identifier},
	AttrProcessIDRef:         {"processIdRef", Identifier},
	AttrSamples:              {"samples", Integer},
	AttrSignature:            {"signature", Text},
	AttrSize:                 {"size", Integer},
	AttrSourceName:           {"sourceName", Text},
	AttrStackDepth:           {"stackDepth", Integer},
	AttrStartLineNumber:      {"startLineNumber", Integer},
	AttrTargetObjIDRef:       {"targetObjIdRef", Identifier},
	AttrThreadID:             {"threadId", Identifier},
	AttrThreadIDRef:          {"threadIdRef", Identifier},
	AttrThreadName:           {"threadName", Text},
	AttrThreadOwner:          {"threadOwner", Identifier},
	AttrTicket:               {"ticket", Integer},
	AttrTime:                 {"time", Clock},
	AttrTimeout:              {"timeout", Integer},
	AttrTimezone:             {"timezone", Text},
	AttrTotalObjSpace:        {"totalObjSpace", Integer},
	AttrTraceID:              {"traceId", Identifier},
	AttrTraceIDRef:           {"traceIdRef", Identifier},
	AttrTransientClassID:     {"transientClassId", Identifier},
	AttrTransientClassIDRef:  {"transientClassIdRef", Identifier},
	AttrTransientObjID:       {"transientObjId", Identifier},
	AttrTransientObjIDRef:    {"transientObjIdRef", Identifier},
	AttrTransientThreadID:    {"transientThreadId", Identifier},
	AttrTransientThreadIDRef: {"transientThreadIdRef", Identifier},
	AttrUsedObjects:          {"usedObjects", Integer},
	AttrUsedObjSpace:         {"usedObjSpace", Integer},
	AttrVersion:              {"version", Text},
}

// String is the attribute's name in the XML.
func (a Attr) String() string { return spellings[a].name }

// plain is an attribute that carries a value.
func plain(a Attr) Attribute {
	return Attribute{Attr: a, Name: spellings[a].name, Type: spellings[a].typ}
}

func linked(a Attr, link Link, space Space) Attribute {
	attribute := plain(a)
	attribute.Link, attribute.Space = link, space
	return attribute
}

func defines(a Attr, space Space) Attribute { return linked(a, Defines, space) }
func refers(a Attr, space Space) Attribute  { return linked(a, Refers, space) }
func ends(a Attr, space Space) Attribute    { return linked(a, Ends, space) }

// required marks an attribute without which the event means nothing.
func required(a Attribute) Attribute {
	a.Required = true
	return a
}

// reference ends the names of attributes that refer to an id. Attributes that define an id have the same name without
// it.
const reference = "Ref"

// otherSpelling is how a writer that takes a reference for a definition, or a definition for a reference, spells the
// attribute; "" where that cannot be. TPTP itself does so in some elements.
func (a Attribute) otherSpelling() string {
	without, isReference := strings.CutSuffix(a.Name, reference)
	switch {
	case !strings.HasSuffix(without, "Id"): // threadOwner has one name only
		return ""
	case isReference:
		return without
	}
	return a.Name + reference
}
