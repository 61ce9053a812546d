package trace

// The kinds, in the order of the table.
const (
	Foreign Kind = iota
	Root
	Node
	ProcessCreate
	AgentCreate
	AgentDestroy
	TraceStart
	TraceEnd
	Filter
	Option
	RuntimeInitDone
	RuntimeShutdown
	ProcessSuspend
	ProcessResume
	ThreadStart
	ThreadEnd
	MonContendedEnter
	MonContendedEntered
	MonWait
	MonWaited
	CallStart
	CallInterrupt
	CallNotify
	ThreadInterrupted
	ClassDef
	ClassUnload
	MethodDef
	MethodEntry
	MethodExit
	MethodCall
	MethodReturn
	MethodBody
	Method
	MethodCount
	Line
	Value
	Throw
	Catch
	Code
	Tag
	ObjAlloc
	ObjDef
	ObjFree
	ObjMove
	GCStart
	GCFinish
	HeapDumpDef
	GCRoot
	ObjectReference
	ObjReference
	Annotation
	KindCount
)

// maxAttributes is the largest number of attributes that an element of the table has.
const maxAttributes = 16

// Attributes of many rows.
var (
	timed      = plain(AttrTime)
	timedEvent = required(timed)
	threadRef  = refers(AttrThreadIDRef, ThreadSpace)
	threadActs = required(threadRef)
	// the trap of the 4.5 events: a reference named like a definition
	threadCalls   = required(refers(AttrThreadID, ThreadSpace))
	monitorActed  = required(refers(AttrObjIDRef, ObjectSpace))
	objectRef     = refers(AttrObjIDRef, ObjectSpace)
	classRef      = refers(AttrClassIDRef, ClassSpace)
	methodRef     = refers(AttrMethodIDRef, MethodSpace)
	traceRef      = refers(AttrTraceIDRef, TraceSpace)
	collationRank = plain(AttrCollationValue)
	// of a heap dump, whose objects come in any order: there is no element before which it must be known
	dumpedRef = plain(AttrObjIDRef)
)

// Elements is the table of the format: every element that public material knows. The row's index is its Kind.
//
// Sources: the TPTP 4.5 thread-profiling design (seed 000) for threads, monitors and calls; the published beginning of
// eclipse.org's trace.dtd and its table of ids; traces that Workbenches wrote; programs that read and write the format.
var Elements = [KindCount]Element{
	Foreign: {},
	Root: {Name: "TRACE", Group: GroupLifecycle, Content: RootContent, Established: true,
		Summary: "the document's root; files that a Workbench saved do not close it"},

	Node: {Name: "node", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrNodeID, NodeSpace), plain(AttrHostname), plain(AttrIPAddress),
			plain(AttrTimezone), timed},
		Summary: "the machine; timezone is in minutes west of UTC"},
	ProcessCreate: {Name: "processCreate", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrProcessID, ProcessSpace), plain(AttrPID), refers(AttrNodeIDRef, NodeSpace),
			timed},
		Summary: "the process that ran the JVM"},
	AgentCreate: {Name: "agentCreate", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrAgentID, AgentSpace), plain(AttrVersion),
			refers(AttrProcessIDRef, ProcessSpace),
			plain(AttrAgentName), plain(AttrAgentType), plain(AttrAgentParameters), timed},
		Summary: "the agent that wrote the trace, with the options it was given"},
	AgentDestroy: {Name: "agentDestroy", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{ends(AttrAgentIDRef, AgentSpace), timed},
		Summary:    "the agent is done; the last element of a complete trace"},
	TraceStart: {Name: "traceStart", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrTraceID, TraceSpace), refers(AttrAgentIDRef, AgentSpace), timed,
			collationRank},
		Summary: "recording begins"},
	TraceEnd: {Name: "traceEnd", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{timed, ends(AttrTraceIDRef, TraceSpace)},
		Summary:    "recording ends"},
	Filter: {Name: "filter", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{plain(AttrPattern), plain(AttrMode), plain(AttrGenericPattern),
			plain(AttrMethodPattern), plain(AttrMethodMode),
			plain(AttrMethodGenericPattern)},
		Summary: "which classes and methods were traced; genericPattern says where the wildcard is (PREFIX, SUFFIX)"},
	Option: {Name: "option", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{plain(AttrKey), plain(AttrValue)},
		Summary:    "an option that the agent ran with; a key may come twice"},
	RuntimeInitDone: {Name: "runtimeInitDone", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{threadRef, timed},
		Summary:    "the JVM has started up"},
	RuntimeShutdown: {Name: "runtimeShutdown", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{timed},
		Summary:    "the JVM ends"},
	ProcessSuspend: {Name: "processSuspend", Group: GroupLifecycle, Attributes: []Attribute{timed},
		Summary: "the process was paused"},
	ProcessResume: {Name: "processResume", Group: GroupLifecycle, Attributes: []Attribute{timed},
		Summary: "the process goes on"},

	ThreadStart: {Name: "threadStart", Group: GroupThreads, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{defines(AttrTransientThreadID, TransientThreadSpace),
			required(defines(AttrThreadID, ThreadSpace)),
			timedEvent, plain(AttrThreadName), plain(AttrGroupName), plain(AttrParentName),
			refers(AttrTransientObjIDRef, TransientObjectSpace), objectRef, collationRank, traceRef},
		States: []ModelType{Running},
		Summary: "a thread begins to run; objIdRef is its java.lang.Thread object, parentName the parent of its " +
			"thread group"},
	ThreadEnd: {Name: "threadEnd", Group: GroupThreads, Established: true,
		Attributes: []Attribute{ends(AttrTransientThreadIDRef, TransientThreadSpace),
			required(ends(AttrThreadIDRef, ThreadSpace)),
			timedEvent, collationRank, traceRef},
		States:  []ModelType{Dead},
		Summary: "a thread is done"},

	MonContendedEnter: {Name: "monContendedEnter", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadActs, timedEvent, monitorActed, refers(AttrThreadOwner, ThreadSpace)},
		States:     []ModelType{WaitingForLock},
		Summary:    "a thread finds a monitor taken, by the thread threadOwner, and is blocked"},
	MonContendedEntered: {Name: "monContendedEntered", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadActs, timedEvent, monitorActed},
		States:     []ModelType{Running}, Instants: []ModelType{HandoffLock},
		Summary: "a blocked thread has got the monitor"},
	MonWait: {Name: "monWait", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadActs, timedEvent, monitorActed, plain(AttrTimeout)},
		States:     []ModelType{WaitingForObject, WaitingForJoin, Sleeping},
		Summary:    `a thread waits; timeout in milliseconds, 0 is for ever; objIdRef "-1" is Thread.sleep, a Thread object is a join`},
	MonWaited: {Name: "monWaited", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadActs, timedEvent, monitorActed, plain(AttrTimeout), plain(AttrIsTimedOut)},
		States:     []ModelType{Running}, Instants: []ModelType{WaitTimeoutExceed, DeadAndNotifyJoined},
		Summary: "a wait is over; timeout is the milliseconds that the thread really waited"},

	CallStart: {Name: "callStart", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadCalls, timedEvent, monitorActed},
		Instants:   []ModelType{StartsThread},
		Summary:    "a thread calls Thread.start on the Thread object objIdRef"},
	CallInterrupt: {Name: "callInterrupt", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadCalls, timedEvent, monitorActed},
		Instants:   []ModelType{InterruptThread},
		Summary:    "a thread calls Thread.interrupt on the Thread object objIdRef"},
	CallNotify: {Name: "callNotify", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadCalls, timedEvent, monitorActed, plain(AttrIsNotifyAll)},
		Instants:   []ModelType{Notify, NotifyAll},
		Summary:    "a thread calls notify or notifyAll on the object"},
	ThreadInterrupted: {Name: "threadInterrupted", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{threadCalls, timedEvent},
		States:     []ModelType{Running},
		Summary:    "an InterruptedException is thrown in the thread"},

	ClassDef: {Name: "classDef", Group: GroupCode, Established: true,
		Attributes: []Attribute{defines(AttrTransientClassID, TransientClassSpace), threadRef, plain(AttrName),
			plain(AttrSourceName),
			defines(AttrClassID, ClassSpace), objectRef, timed},
		Summary: "names a class; time is when it was loaded, and may lie before the element's place"},
	ClassUnload: {Name: "classUnload", Group: GroupCode,
		Attributes: []Attribute{ends(AttrTransientClassIDRef, TransientClassSpace), ends(AttrClassIDRef, ClassSpace),
			timed},
		Summary: "a class is gone, with its methods"},
	MethodDef: {Name: "methodDef", Group: GroupCode, Established: true,
		Attributes: []Attribute{plain(AttrName), plain(AttrSignature), plain(AttrStartLineNumber),
			plain(AttrEndLineNumber),
			defines(AttrMethodID, MethodSpace), classRef},
		Summary: "names a method; constructors are -init-, static initialisers -clinit-"},
	MethodEntry: {Name: "methodEntry", Group: GroupCode, Established: true,
		Attributes: []Attribute{threadRef, timed, methodRef, classRef, plain(AttrTicket), plain(AttrStackDepth),
			objectRef},
		Summary: "a method is entered; ticket is unique and comes again on its methodExit"},
	MethodExit: {Name: "methodExit", Group: GroupCode, Established: true,
		Attributes: []Attribute{threadRef, methodRef, classRef, plain(AttrTicket), timed, plain(AttrOverhead),
			objectRef},
		Summary: "a method is left; overhead is what tracing it cost"},
	MethodCall: {Name: "methodCall", Group: GroupCode, Attributes: []Attribute{threadRef, timed, methodRef, classRef},
		Summary: "a call, as its caller sees it"},
	MethodReturn: {Name: "methodReturn", Group: GroupCode, Attributes: []Attribute{threadRef, timed, methodRef,
		classRef}, Summary: "a return, as its caller sees it"},
	MethodBody: {Name: "methodBody", Group: GroupCode, Content: TextContent, Summary: "the code of a method"},
	Method:     {Name: "method", Group: GroupCode, Content: TextContent, Summary: "known by name only"},
	MethodCount: {Name: "methodCount", Group: GroupCode, Attributes: []Attribute{threadRef, timed, methodRef, classRef},
		Summary: "how often a method ran"},
	Line: {Name: "line", Group: GroupCode, Attributes: []Attribute{threadRef, timed},
		Summary: "a source line is reached"},
	Value: {Name: "value", Group: GroupCode, Content: TextContent,
		Summary: "a value of a parameter, a variable or a return"},
	Throw: {Name: "throw", Group: GroupCode, Attributes: []Attribute{threadRef, objectRef, methodRef, classRef, timed},
		Summary: "an exception is thrown"},
	Catch: {Name: "catch", Group: GroupCode, Attributes: []Attribute{threadRef, objectRef, methodRef, classRef, timed},
		Summary: "an exception is caught"},
	Code: {Name: "code", Group: GroupCode, Established: true,
		Attributes: []Attribute{plain(AttrType), plain(AttrValue)},
		Summary:    "source text, or where it is to be found; type is Reference, Java, C++ or C"},
	Tag: {Name: "tag", Group: GroupCode, Content: TextContent, Summary: "known by name only"},

	ObjAlloc: {Name: "objAlloc", Group: GroupHeap, Content: AnnotationsOf,
		Attributes: []Attribute{defines(AttrTransientObjID, TransientObjectSpace), defines(AttrObjID, ObjectSpace),
			classRef,
			plain(AttrSize), plain(AttrIsArray), threadRef, timed},
		Summary: "an object is made; without a size it only names the object's class"},
	ObjDef: {Name: "objDef", Group: GroupHeap,
		Attributes: []Attribute{defines(AttrTransientObjID, TransientObjectSpace), defines(AttrObjID, ObjectSpace),
			classRef, timed},
		Summary: "an object that was there before the recording"},
	ObjFree: {Name: "objFree", Group: GroupHeap,
		Attributes: []Attribute{ends(AttrTransientObjIDRef, TransientObjectSpace), ends(AttrObjIDRef, ObjectSpace),
			timed},
		Summary: "an object is gone; its id may be used again"},
	ObjMove: {Name: "objMove", Group: GroupHeap,
		Attributes: []Attribute{ends(AttrTransientObjIDRef, TransientObjectSpace), ends(AttrObjIDRef, ObjectSpace),
			defines(AttrNewObjID, ObjectSpace), timed},
		Summary: "an object has another id from here on"},
	GCStart: {Name: "gcStart", Group: GroupHeap, Established: true, Attributes: []Attribute{timed},
		Summary: "a garbage collection begins"},
	GCFinish: {Name: "gcFinish", Group: GroupHeap, Established: true,
		Attributes: []Attribute{timed, plain(AttrUsedObjects), plain(AttrUsedObjSpace), plain(AttrTotalObjSpace)},
		Summary:    "a garbage collection ends; the number of objects, their bytes, the heap's bytes"},
	HeapDumpDef: {Name: "heapDumpDef", Group: GroupHeap, Attributes: []Attribute{timed}, Summary: "a heap dump begins"},
	GCRoot: {Name: "gcRoot", Group: GroupHeap, Attributes: []Attribute{dumpedRef, plain(AttrType), threadRef},
		Summary: "an object that a root holds; type says in words which kind of root, threadIdRef on whose stack it is"},
	ObjectReference: {Name: "objectReference", Group: GroupHeap, Attributes: []Attribute{dumpedRef,
		plain(AttrTargetObjIDRef)},
		Summary: "the object objIdRef refers to targetObjIdRef"},
	ObjReference: {Name: "objReference", Group: GroupHeap, Attributes: []Attribute{dumpedRef,
		plain(AttrTargetObjIDRef)},
		Summary: "the same, as loaders spell it; trcx writes this one"},

	Annotation: {Name: "annotation", Group: GroupAnnotations, Content: TextContent,
		Attributes: []Attribute{plain(AttrName), plain(AttrValue)},
		Summary:    "a named value on the event around it"},
}
