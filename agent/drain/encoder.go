package drain

import (
	"slices"

	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// encoderID names an element with the attributes that it is written with.
type encoderID uint8

const (
	threadStart encoderID = iota
	threadEnd
	enter
	enterOwned
	entered
	wait
	waitTimed
	waited
	waitEnded
	callStart
	callInterrupt
	callNotify
	threadInterrupted
	gcStart
	gcFinish
	gcFinishUsed
	gcFinishCounted
	initDone
	initDoneBy
	shutdown
	classDef
	classDefAlone
	objAlloc
	objAllocSized
	objAllocInWait
	objFree
	methodDef
	methodDefLines
	methodCount
	methodCountAlone
	aggregated
	aggregatedAlone
	aggregatedOpen
	aggregatedOpenAlone
	aggregatedExit
	aggregatedExitAlone
	methodEntry
	methodExit
	sampledNode
	sampledNodeAlone
	topAnnotation
	encoderCount
)

// elements has the kind and the attributes of each form, in the order of the values.
var elements = [encoderCount]struct {
	kind       trace.Kind
	attributes []trace.Attr
}{
	threadStart: {trace.ThreadStart, []trace.Attr{trace.AttrThreadID, trace.AttrTime, trace.AttrThreadName,
		trace.AttrGroupName, trace.AttrParentName, trace.AttrObjIDRef}},
	threadEnd: {trace.ThreadEnd, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime}},
	enter:     {trace.MonContendedEnter, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef}},
	enterOwned: {trace.MonContendedEnter, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef,
		trace.AttrThreadOwner}},
	entered: {trace.MonContendedEntered, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef}},
	wait:    {trace.MonWait, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef}},
	waitTimed: {trace.MonWait, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef,
		trace.AttrTimeout}},
	waited: {trace.MonWaited, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef,
		trace.AttrTimeout, trace.AttrIsTimedOut}},
	waitEnded:     {trace.MonWaited, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrObjIDRef}},
	callStart:     {trace.CallStart, []trace.Attr{trace.AttrThreadID, trace.AttrTime, trace.AttrObjIDRef}},
	callInterrupt: {trace.CallInterrupt, []trace.Attr{trace.AttrThreadID, trace.AttrTime, trace.AttrObjIDRef}},
	callNotify: {trace.CallNotify, []trace.Attr{trace.AttrThreadID, trace.AttrTime, trace.AttrObjIDRef,
		trace.AttrIsNotifyAll}},
	threadInterrupted: {trace.ThreadInterrupted, []trace.Attr{trace.AttrThreadID, trace.AttrTime}},
	gcStart:           {trace.GCStart, []trace.Attr{trace.AttrTime}},
	gcFinish:          {trace.GCFinish, []trace.Attr{trace.AttrTime}},
	gcFinishUsed:      {trace.GCFinish, []trace.Attr{trace.AttrTime, trace.AttrUsedObjSpace, trace.AttrTotalObjSpace}},
	gcFinishCounted: {trace.GCFinish, []trace.Attr{trace.AttrTime, trace.AttrUsedObjects, trace.AttrUsedObjSpace,
		trace.AttrTotalObjSpace}},
	initDone:   {trace.RuntimeInitDone, []trace.Attr{trace.AttrTime}},
	initDoneBy: {trace.RuntimeInitDone, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime}},
	shutdown:   {trace.RuntimeShutdown, []trace.Attr{trace.AttrTime}},
	classDef: {trace.ClassDef, []trace.Attr{trace.AttrName, trace.AttrSourceName, trace.AttrClassID,
		trace.AttrObjIDRef, trace.AttrTime}},
	classDefAlone: {trace.ClassDef, []trace.Attr{trace.AttrName, trace.AttrSourceName, trace.AttrClassID,
		trace.AttrTime}},
	objAlloc: {trace.ObjAlloc, []trace.Attr{trace.AttrObjID, trace.AttrClassIDRef, trace.AttrTime}},
	objAllocSized: {trace.ObjAlloc, []trace.Attr{trace.AttrObjID, trace.AttrClassIDRef, trace.AttrSize,
		trace.AttrIsArray, trace.AttrThreadIDRef, trace.AttrTime}},
	objAllocInWait: {trace.ObjAlloc, []trace.Attr{trace.AttrObjID, trace.AttrClassIDRef, trace.AttrSize,
		trace.AttrIsArray, trace.AttrTime}},
	objFree: {trace.ObjFree, []trace.Attr{trace.AttrObjIDRef, trace.AttrTime}},
	methodDef: {trace.MethodDef, []trace.Attr{trace.AttrName, trace.AttrSignature, trace.AttrMethodID,
		trace.AttrClassIDRef}},
	methodDefLines: {trace.MethodDef, []trace.Attr{trace.AttrName, trace.AttrSignature, trace.AttrStartLineNumber,
		trace.AttrEndLineNumber, trace.AttrMethodID, trace.AttrClassIDRef}},
	methodCount: {trace.MethodCount, []trace.Attr{trace.AttrThreadIDRef, trace.AttrMethodIDRef, trace.AttrClassIDRef,
		trace.AttrCount}},
	methodCountAlone: {trace.MethodCount, []trace.Attr{trace.AttrMethodIDRef, trace.AttrClassIDRef,
		trace.AttrCount}},
	aggregated:          {trace.AgMethodEntry, slices.Concat(ofThread, ofMethod, ofCalls, ofEnded)},
	aggregatedAlone:     {trace.AgMethodEntry, slices.Concat(ofMethod, ofCalls, ofEnded)},
	aggregatedOpen:      {trace.AgMethodEntry, slices.Concat(ofThread, ofMethod, ofCalls)},
	aggregatedOpenAlone: {trace.AgMethodEntry, slices.Concat(ofMethod, ofCalls)},
	aggregatedExit:      {trace.AgMethodExit, slices.Concat(ofThread, ofMethod)},
	aggregatedExitAlone: {trace.AgMethodExit, ofMethod},
	methodEntry: {trace.MethodEntry, []trace.Attr{trace.AttrThreadIDRef, trace.AttrTime, trace.AttrMethodIDRef,
		trace.AttrClassIDRef, trace.AttrTicket, trace.AttrStackDepth}},
	methodExit: {trace.MethodExit, []trace.Attr{trace.AttrThreadIDRef, trace.AttrMethodIDRef, trace.AttrClassIDRef,
		trace.AttrTicket, trace.AttrTime, trace.AttrOverhead}},
	sampledNode:      {trace.AgMethodEntry, slices.Concat(ofThread, ofMethod, ofSamples)},
	sampledNodeAlone: {trace.AgMethodEntry, slices.Concat(ofMethod, ofSamples)},
	topAnnotation:    {trace.Annotation, []trace.Attr{trace.AttrName, trace.AttrValue}},
}

// Attributes of several forms.
var (
	ofThread  = []trace.Attr{trace.AttrThreadIDRef}
	ofMethod  = []trace.Attr{trace.AttrMethodIDRef, trace.AttrClassIDRef}
	ofCalls   = []trace.Attr{trace.AttrNumCalls, trace.AttrBaseTime, trace.AttrCumulativeTime}
	ofSamples = []trace.Attr{trace.AttrSamples, trace.AttrBaseTime, trace.AttrCumulativeTime}
	ofEnded   = []trace.Attr{trace.AttrMinTime, trace.AttrMaxTime}
)

type encoders [encoderCount]*trcxml.Encoder

func newEncoders() (all encoders) {
	for id, element := range elements {
		all[id] = trcxml.NewEncoder(element.kind, element.attributes...)
	}
	return all
}
