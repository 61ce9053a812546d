package trace

import "slices"

// The names of annotations that trcx writes or reads. Annotations describes each.
const (
	NoteStack        = "stack"
	NoteCausedBy     = "causedBy"
	NoteInferred     = "inferred"
	NotePark         = "park"
	NoteAgain        = "again"
	NoteOwnerStack   = "ownerStack"
	NoteGaveUp       = "gaveUp"
	NoteWakes        = "wakes"
	NoteLockFrom     = "lockFrom"
	NoteLock         = "lock"
	NoteUntil        = "until"
	NoteTimeoutNanos = "timeoutNanos"
	NoteIO           = "io"
	NoteInit         = "init"
	NoteSampled      = "sampled"
	NoteCPU          = "cpu"
	NoteSample       = "sample"
	NoteState        = "state"
	NoteSkipped      = "skipped"
	NoteLeftOut      = "leftOut"

	NoteCollection = "collection"
	NotePaused     = "paused"
	NoteLongest    = "longest"
	NoteCollector  = "collector"
	NoteEnds       = "ends"
	NoteNumber     = "number"
	NoteFull       = "full"

	NoteSamples  = "samples"
	NoteInterval = "interval"
	NoteWeight   = "weight"

	// Names in flight recordings and thread dumps.
	NoteBegan       = "began"
	NoteInflated    = "inflated"
	NoteReported    = "reported"
	NotePeer        = "peer"
	NotePath        = "path"
	NoteDaemon      = "daemon"
	NoteVirtual     = "virtual"
	NotePriority    = "priority"
	NoteNativeID    = "nid"
	NoteCarrier     = "carrier"
	NoteHolds       = "holds"
	NoteInitializes = "classInitialization"

	// Names in logs of other formats. The writers of these formats read them.
	NoteLocations = "locations"
	NoteCall      = "call"
	NoteUnlogged  = "unlogged"
	NoteLine      = "monlog"
	NoteSwitch    = "switch"
	NoteActive    = "active"

	// The tables of an HPROF log: the head of each, its rows, and the stack trace of the row before.
	NoteMonitorTimes    = "hprof-monitor-times"
	NoteMonitorTime     = "hprof-monitor-time"
	NoteMonitorStack    = "hprof-monitor-stack"
	NoteAllocationSites = "hprof-alloc-sites"
	NoteAllocationSite  = "hprof-alloc-site"
	NoteAllocationStack = "hprof-alloc-stack"
	NoteCPUSamples      = "hprof-cpu-samples"
	NoteCPUSample       = "hprof-cpu-sample"
	NoteCPUTimes        = "hprof-cpu-times"
	NoteCPUTimeRow      = "hprof-cpu-time"
	NoteMonitorOwner    = "hprof-monitor-owner"
	NoteMonitorRecord   = "hprof-monitor"
	NoteHeapSummary     = "hprof-heap-summary"
	NoteHeapInfo        = "hprof-heap-info"
	NoteHprofSettings   = "hprof-control-settings"
)

// The words that are values of annotations.
const (
	ParkWait      = "wait"
	ParkLock      = "lock"
	CallWait      = "wait"
	CallJoin      = "join"
	EndsPause     = "pause"
	EndsCycle     = "cycle"
	ActiveUnknown = "unknown"
	BeganUnknown  = "unknown"
	// TimeoutUnknown says that a wait has a timeout of unknown length.
	TimeoutUnknown = "unknown"
)

// NoteValue is the form of an annotation's value.
type NoteValue uint8

// The forms.
const (
	NoteText         NoteValue = iota // any text, such as a line of a log
	NoteWord                          // one of AnnotationRow.Words
	NoteCount                         // numbers with blanks between, decimal or hexadecimal
	NoteThreadIDs                     // ids of threads with blanks between
	NoteObjectID                      // the id of an object
	NoteFrames                        // a call stack
	NoteThreadCPU                     // the id of a thread, a time, and the thread's CPU time then
	NoteThreadSample                  // the id of a thread, a time, a state as a Word, two numbers, and a call stack
	NoteObjectState                   // the id of an object, a time, and Words with numbers
	NoteJVMText                       // text that the JVM defines, such as the cause of a collection
	NoteClasses                       // names of classes, numbers, and the words of profilers' tables
)

// String names the form.
func (v NoteValue) String() string {
	return [...]string{NoteText: "text", NoteWord: "word", NoteCount: "count", NoteThreadIDs: "thread ids",
		NoteObjectID: "object id", NoteFrames: "frames", NoteThreadCPU: "thread CPU",
		NoteThreadSample: "thread sample", NoteObjectState: "object state", NoteJVMText: "JVM text", NoteClasses: "classes"}[v]
}

// AnnotationRow describes the annotations of a name.
type AnnotationRow struct {
	Name string
	// Elements are the elements that can contain the annotation; nil if it is among the events.
	Elements []Kind
	Value    NoteValue
	Words    []string // the values of a NoteWord, the states of a NoteThreadSample, the names of a NoteObjectState
	// Known reports that readers decode the value into Known or Extra.Stacks.
	Known bool
	// Key is the key of the JSON model's events with the same meaning; "" for none.
	Key string
	// Says is the value in words, Means the meaning.
	Says, Means string
}

// IsAmongEvents reports whether the annotation is among the events, and not inside one.
func (r *AnnotationRow) IsAmongEvents() bool { return r.Elements == nil }

// AnnotationInside returns the row of an annotation inside an element of the kind, or among the events if the kind is
// Annotation; nil if trcx knows no such annotation.
func AnnotationInside(name string, kind Kind) *AnnotationRow {
	for i := range annotationRows {
		row := &annotationRows[i]
		if row.Name == name && (slices.Contains(row.Elements, kind) || kind == Annotation && row.IsAmongEvents()) {
			return row
		}
	}
	return nil
}

// Annotations returns a copy of the table of annotations that trcx writes or reads.
func Annotations() []AnnotationRow { return slices.Clone(annotationRows[:]) }

// The elements that can have annotations of the same kind.
var (
	ofEvents = []Kind{ThreadStart, MonContendedEnter, MonContendedEntered, MonWait, MonWaited, CallStart, CallInterrupt,
		CallNotify, ThreadInterrupted}
	withStack = append([]Kind{ObjAlloc}, ofEvents...)
)

// annotationRows is the one table of annotations: readers, writers, the anonymizer, the DTD, the documentation and
// the schema of the model agree with it.
var annotationRows = [...]AnnotationRow{
	{Name: NoteStack, Known: true, Elements: withStack, Value: NoteFrames, Key: "stack", Says: "ids of methods, each with a colon and the line",
		Means: "the thread's call stack, the innermost frame first"},
	{Name: NoteCausedBy, Known: true, Elements: []Kind{MonContendedEntered, MonWaited}, Value: NoteThreadIDs, Says: "the id of a thread",
		Means: "the thread caused the event: it released the monitor of a `monContendedEntered`, or ended the wait of a " +
			"`monWaited`. This overrides what is inferred from the order of events"},
	{Name: NoteInferred, Known: true, Elements: ofEvents, Value: NoteWord, Words: []string{"1"}, Key: "inferred", Says: "`1`",
		Means: "the log did not report the event; it was inferred. The model's events that follow from it are `inferred`, too"},
	{Name: NotePark, Known: true, Elements: []Kind{MonContendedEnter, MonContendedEntered, MonWait, MonWaited,
		CallNotify}, Value: NoteWord, Words: []string{ParkWait, ParkLock}, Key: "park", Says: "`wait`, `lock`",
		Means: "the `monWait` or `monContendedEnter` is one of java.util.concurrent, which parks threads. No notification of a " +
			"monitor ends a `monWait` with it, and the monitor's owner does not change"},
	{Name: NoteAgain, Known: true, Elements: []Kind{MonContendedEnter}, Value: NoteWord, Words: []string{"1"}, Says: "`1`",
		Means: "a `monContendedEnter` with `park` by a thread that is already blocked on the lock or monitor: it only names " +
			"the owner anew"},
	{Name: NoteOwnerStack, Elements: []Kind{MonContendedEnter}, Value: NoteFrames, Says: "ids of methods, each with a colon and the line",
		Means: "where the `threadOwner` of a `monContendedEnter` was then: its call stack, the innermost frame first"},
	{Name: NoteGaveUp, Known: true, Elements: []Kind{MonContendedEntered}, Value: NoteWord, Words: gaveUpNames[1:],
		Says:  "`timeout`, `interrupt`",
		Means: "a `monContendedEntered` with `park` of a thread that stopped waiting without getting the lock"},
	{Name: NoteWakes, Known: true, Elements: []Kind{CallNotify}, Value: NoteThreadIDs, Says: "ids of threads, separated by blanks",
		Means: "the threads that a `callNotify` wakes; with `park` parked ones, without it those that it removes from the wait set"},
	{Name: NoteLockFrom, Known: true, Elements: []Kind{MonWaited}, Value: NoteThreadIDs, Says: "the id of a thread",
		Means: "it released the lock that the waiter of a condition got back with its `monWaited`"},
	{Name: NoteLock, Known: true, Elements: []Kind{MonWait}, Value: NoteObjectID, Says: "the id of an object",
		Means: "the lock to which the condition of a `monWait` belongs"},
	{Name: NoteUntil, Elements: []Kind{MonWait, MonContendedEnter}, Value: NoteCount, Says: "a time",
		Means: "the deadline of a park"},
	{Name: NoteTimeoutNanos, Elements: []Kind{MonWait, MonContendedEnter}, Value: NoteCount,
		Words: []string{TimeoutUnknown}, Says: "nanoseconds, `unknown`",
		Means: "the exact timeout of a park. `unknown` is for any wait that had begun before the recording, or that a thread " +
			"dump shows: it has a timeout, and its length is unknown"},
	{Name: NoteIO, Known: true, Elements: []Kind{MonWait}, Value: NoteWord, Words: ioNames[1:], Key: "io",
		Says:  "`read`, `write`, `accept`, `connect`, `select`",
		Means: "the `monWait` is a wait for input or output; no notification ends it"},
	{Name: NoteInit, Known: true, Elements: []Kind{MonWait}, Value: NoteThreadIDs, Key: "init",
		Says: "the id of a thread, `0` if it is unknown",
		Means: "the `monWait` is a wait for the initialisation of a class, whose object is the `objIdRef`; this thread " +
			"initialises it. No notification ends it"},
	{Name: NoteSkipped, Elements: []Kind{MethodExit}, Value: NoteCount, Says: "a number",
		Means: "the number of calls below the ending call that were not recorded, nor the calls in them, because they came " +
			"faster than they could be written. Their time is a part of the ending call's"},
	{Name: NoteLeftOut, Elements: []Kind{MethodCount}, Value: NoteCount, Says: "nanoseconds",
		Means: "the recorder has left the method out after this number of calls, because it was called often and took this time " +
			"on average. Its later calls are not recorded; their time counts for their callers"},
	{Name: NoteSampled, Elements: []Kind{MonWait}, Value: NoteWord, Words: []string{"1"}, Says: "`1`",
		Means: "the recorder found the thread in the wait, which had begun before"},
	{Name: NoteCPU, Known: true, Elements: ofEvents, Value: NoteCount, Says: "nanoseconds",
		Means: "the CPU time that the thread has used since it began"},
	{Name: NoteCPU, Value: NoteThreadCPU, Says: "the id of a thread, a time, nanoseconds",
		Means: "among the events: the CPU time that the thread had used at that time. An optional second number of " +
			"nanoseconds is for how long the thread had lived"},
	{Name: NoteSample, Value: NoteThreadSample, Words: sampleStates[:],
		Says: "the id of a thread, a time, `RUNNABLE`, `BLOCKED`, `WAITING`, `TIMED_WAITING`, `PARKED` or `SLEEPING`, how many " +
			"samples, nanoseconds, and ids of methods, each with a colon and the line",
		Means: "among the events: at that time a sampler or a thread dump found the thread in that state, with that call " +
			"stack, the innermost frame first. Each sample represents this number of nanoseconds, 0 if unknown"},
	{Name: NoteState, Value: NoteObjectState, Words: objectStateNames,
		Says: "the id of an object, a time, names with numbers: `permits=0 queued=2`, or `peer=10.0.0.7:5432`",
		Means: "among the events: the [state](record.md#what-is-awaited-and-its-state) of an object for which a thread had " +
			"been waiting at that time, as its fields have it; of a socket its peer"},
	{Name: NoteCollection, Elements: []Kind{GCStart}, Value: NoteJVMText, Says: "text", Means: "the collector and its cause"},
	{Name: NotePaused, Elements: []Kind{GCStart}, Value: NoteCount, Says: "nanoseconds",
		Means: "how long the JVM was stopped for the collection"},
	{Name: NoteLongest, Elements: []Kind{GCStart}, Value: NoteCount, Says: "nanoseconds",
		Means: "the longest of the collection's pauses"},
	{Name: NoteCollector, Elements: []Kind{GCFinish}, Value: NoteJVMText, Says: "a name", Means: "the garbage collector"},
	{Name: NoteEnds, Elements: []Kind{GCFinish}, Value: NoteWord, Words: []string{EndsCycle, EndsPause},
		Says: "`cycle`, `pause`", Means: "whether the collection has ended, or only one pause of it"},
	{Name: NoteNumber, Elements: []Kind{GCFinish}, Value: NoteCount, Says: "a number",
		Means: "the number of the collection, as the JVM counts them"},
	{Name: NoteFull, Elements: []Kind{GCFinish}, Value: NoteCount, Says: "a number",
		Means: "the number of the full collection; 0 if the pause is part of no full one"},
	{Name: NoteSamples, Elements: []Kind{ObjAlloc}, Value: NoteCount, Says: "`1`",
		Means: "the allocation is a sample"},
	{Name: NoteInterval, Elements: []Kind{ObjAlloc}, Value: NoteCount, Says: "bytes",
		Means: "the allocation is a sample, with this mean distance of samples"},
	{Name: NoteWeight, Elements: []Kind{ObjAlloc}, Value: NoteCount, Says: "bytes",
		Means: "the allocation is a sample that represents this many bytes"},
	{Name: NoteBegan, Elements: []Kind{MonWait, MonContendedEnter}, Value: NoteWord, Words: []string{BeganUnknown}, Says: "`unknown`",
		Means: "of a flight recording: when the wait began is unknown; it is no later"},
	{Name: NoteInflated, Elements: []Kind{MonContendedEnter, MonWait}, Value: NoteJVMText, Says: "text",
		Means: "of a flight recording: why the JVM made a full monitor of the lock"},
	{Name: NoteReported, Elements: []Kind{ThreadStart}, Value: NoteCount, Says: "a time",
		Means: "of a flight recording: when the start of the thread was reported"},
	{Name: NotePeer, Elements: []Kind{MonWait}, Value: NoteText, Says: "a host", Means: "with `io`: whose input or output it is"},
	{Name: NotePath, Elements: []Kind{MonWait}, Value: NoteText, Says: "a file", Means: "with `io`: whose input or output it is"},
	{Name: NoteDaemon, Elements: []Kind{ThreadStart}, Value: NoteWord, Words: []string{"1"}, Says: "`1`",
		Means: "of a thread dump: the thread is a daemon"},
	{Name: NoteVirtual, Elements: []Kind{ThreadStart}, Value: NoteWord, Words: []string{"1"}, Says: "`1`",
		Means: "of a thread dump: the thread is a virtual one"},
	{Name: NotePriority, Elements: []Kind{ThreadStart}, Value: NoteCount, Says: "a number", Means: "of a thread dump: the priority"},
	{Name: NoteNativeID, Elements: []Kind{ThreadStart}, Value: NoteCount, Says: "a number",
		Means: "of a thread dump: the id of the operating system's thread"},
	{Name: NoteCarrier, Elements: []Kind{ThreadStart}, Value: NoteThreadIDs, Says: "the id of a thread",
		Means: "of a thread dump: the carrier of the virtual thread"},
	{Name: NoteHolds, Elements: []Kind{ThreadStart, MonContendedEnter, MonWait}, Value: NoteClasses,
		Says: "classes and ids of objects", Means: "of a thread dump: the monitors and locks that the thread owns"},
	{Name: NoteInitializes, Elements: []Kind{MonContendedEnter, MonWait}, Value: NoteClasses, Says: "a class",
		Means: "of a thread dump: the class for whose initialization the thread waits"},
	{Name: NoteLocations, Elements: ofEvents, Value: NoteCount, Says: "hexadecimal numbers",
		Means: "of a monitor log: where in the code each frame of the stack is"},
	{Name: NoteCall, Elements: []Kind{MonWait, MonWaited}, Value: NoteWord, Words: []string{CallWait, CallJoin},
		Says:  "`wait`, `join`",
		Means: "of a log: the method that waits. With `join`, the wait of a thread on its own Thread object is a join, too"},
	{Name: NoteUnlogged, Elements: ofEvents, Value: NoteWord, Words: []string{"1"}, Says: "`1`",
		Means: "the log does not have the element, which must have been, so that what follows can have happened"},
	{Name: NoteActive, Elements: ofEvents, Value: NoteCount, Words: []string{ActiveUnknown}, Says: "milliseconds, `unknown`",
		Means: "of a log of thread switches: how long the thread says that it was active"},
	{Name: NoteSwitch, Elements: ofEvents, Value: NoteText, Says: "a line",
		Means: "a switch of threads that has no element"},
	{Name: NoteSwitch, Value: NoteText, Says: "a line", Means: "among the events: a switch of threads that has no element"},
	{Name: NoteLine, Value: NoteText, Says: "a line",
		Means: "among the events: a line of a monitor log that became no element"},
	{Name: NoteMonitorTimes, Value: NoteClasses, Says: "text", Means: "an HPROF log's table MONITOR TIME: its total"},
	{Name: NoteMonitorTime, Value: NoteClasses, Says: "a row", Means: "a row of that table"},
	{Name: NoteMonitorStack, Value: NoteFrames, Says: "a call stack", Means: "the call stack of the row before"},
	{Name: NoteAllocationSites, Value: NoteClasses, Says: "text", Means: "an HPROF log's table SITES: its total"},
	{Name: NoteAllocationSite, Value: NoteClasses, Says: "a row", Means: "a row of that table"},
	{Name: NoteAllocationStack, Value: NoteFrames, Says: "a call stack", Means: "the call stack of the row before"},
	{Name: NoteCPUSamples, Value: NoteText, Says: "text", Means: "an HPROF log's table CPU SAMPLES: its total"},
	{Name: NoteCPUSample, Value: NoteText, Says: "a row", Means: "a row of that table"},
	{Name: NoteCPUTimes, Value: NoteText, Says: "text", Means: "an HPROF log's table CPU TIME: its total"},
	{Name: NoteCPUTimeRow, Value: NoteText, Says: "a row", Means: "a row of that table"},
	{Name: NoteMonitorRecord, Value: NoteText, Says: "a line", Means: "an HPROF log's WAIT, WAITED, SLEEP or EXIT"},
	{Name: NoteMonitorOwner, Value: NoteText, Says: "text", Means: "the owner of a monitor in an HPROF log's MONITOR DUMP"},
	{Name: NoteHeapSummary, Value: NoteText, Says: "text", Means: "HEAP SUMMARY of an HPROF log"},
	{Name: NoteHeapInfo, Value: NoteText, Says: "text", Means: "HEAP DUMP INFO of Android"},
	{Name: NoteHprofSettings, Value: NoteText, Says: "text", Means: "CONTROL SETTINGS of an HPROF log"},
}
