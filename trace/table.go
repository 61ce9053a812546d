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
	AgMethodEntry
	AgMethodExit
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
	attrTime         = plain(AttrTime)
	attrEventTime    = required(attrTime)
	attrThread       = refers(AttrThreadIDRef, ThreadSpace)
	attrActingThread = required(attrThread)
	// the trap of the 4.5 events: a reference named like a definition
	attrCallingThread = required(refers(AttrThreadID, ThreadSpace))
	attrMonitor       = required(refers(AttrObjIDRef, ObjectSpace))
	attrObject        = refers(AttrObjIDRef, ObjectSpace)
	attrClass         = refers(AttrClassIDRef, ClassSpace)
	attrMethod        = refers(AttrMethodIDRef, MethodSpace)
	attrTrace         = refers(AttrTraceIDRef, TraceSpace)
	attrCollation     = plain(AttrCollationValue)
	// of a heap dump, whose objects come in any order: a reference may precede the definition
	attrDumpedObject = plain(AttrObjIDRef)
)

// elements is the table of the format: every element that public material knows. The row's index is its Kind.
//
// Sources: the TPTP 4.5 thread-profiling design for threads, monitors and calls; the published beginning of
// eclipse.org's trace.dtd and its table of ids; traces that Workbenches wrote; programs that read and write the format.
var elements = [KindCount]Element{
	Foreign: {},
	Root: {Name: "TRACE", Group: GroupLifecycle, Content: RootContent, Established: true,
		Summary: "the document's root; files that a Workbench saved do not close it"},

	Node: {Name: "node", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrNodeID, NodeSpace), plain(AttrHostname), plain(AttrIPAddress),
			plain(AttrTimezone), attrTime},
		Summary: "the machine; timezone is in minutes west of UTC"},
	ProcessCreate: {Name: "processCreate", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrProcessID, ProcessSpace), plain(AttrPID), refers(AttrNodeIDRef, NodeSpace),
			attrTime},
		Summary: "the process that ran the JVM"},
	AgentCreate: {Name: "agentCreate", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrAgentID, AgentSpace), plain(AttrVersion),
			refers(AttrProcessIDRef, ProcessSpace),
			plain(AttrAgentName), plain(AttrAgentType), plain(AttrAgentParameters), attrTime},
		Summary: "the agent that wrote the trace, with the options it was given"},
	AgentDestroy: {Name: "agentDestroy", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{ends(AttrAgentIDRef, AgentSpace), attrTime},
		Summary:    "the agent is done; the last element of a complete trace"},
	TraceStart: {Name: "traceStart", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{defines(AttrTraceID, TraceSpace), refers(AttrAgentIDRef, AgentSpace), attrTime,
			attrCollation},
		Summary: "recording begins"},
	TraceEnd: {Name: "traceEnd", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{attrTime, ends(AttrTraceIDRef, TraceSpace)},
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
		Attributes: []Attribute{attrThread, attrTime},
		Summary:    "the JVM has started up"},
	RuntimeShutdown: {Name: "runtimeShutdown", Group: GroupLifecycle, Established: true,
		Attributes: []Attribute{attrTime},
		Summary:    "the JVM ends"},
	ProcessSuspend: {Name: "processSuspend", Group: GroupLifecycle, Attributes: []Attribute{attrTime},
		Summary: "the process was paused"},
	ProcessResume: {Name: "processResume", Group: GroupLifecycle, Attributes: []Attribute{attrTime},
		Summary: "the process goes on"},

	ThreadStart: {Name: "threadStart", Group: GroupThreads, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{defines(AttrTransientThreadID, TransientThreadSpace),
			required(defines(AttrThreadID, ThreadSpace)),
			attrEventTime, plain(AttrThreadName), plain(AttrGroupName), plain(AttrParentName),
			refers(AttrTransientObjIDRef, TransientObjectSpace), attrObject, attrCollation, attrTrace},
		States: []ModelType{Running},
		Summary: "a thread begins to run; objIdRef is its java.lang.Thread object, parentName the parent of its " +
			"thread group"},
	ThreadEnd: {Name: "threadEnd", Group: GroupThreads, Established: true,
		Attributes: []Attribute{ends(AttrTransientThreadIDRef, TransientThreadSpace),
			required(ends(AttrThreadIDRef, ThreadSpace)),
			attrEventTime, attrCollation, attrTrace},
		States:  []ModelType{Dead},
		Summary: "a thread is done"},

	MonContendedEnter: {Name: "monContendedEnter", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrActingThread, attrEventTime, attrMonitor, refers(AttrThreadOwner, ThreadSpace)},
		States:     []ModelType{WaitingForLock},
		Summary:    "a thread finds a monitor taken, by the thread threadOwner, and is blocked"},
	MonContendedEntered: {Name: "monContendedEntered", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrActingThread, attrEventTime, attrMonitor},
		States:     []ModelType{Running}, Instants: []ModelType{HandoffLock},
		Summary: "a blocked thread has got the monitor"},
	MonWait: {Name: "monWait", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrActingThread, attrEventTime, attrMonitor, plain(AttrTimeout)},
		States:     []ModelType{WaitingForObject, WaitingForJoin, Sleeping},
		Summary:    `a thread waits; timeout in milliseconds, 0 is for ever; objIdRef "-1" is Thread.sleep, a Thread object is a join`},
	MonWaited: {Name: "monWaited", Group: GroupMonitors, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrActingThread, attrEventTime, attrMonitor, plain(AttrTimeout),
			plain(AttrIsTimedOut)},
		States: []ModelType{Running}, Instants: []ModelType{WaitTimeoutExceed, DeadAndNotifyJoined},
		Summary: "a wait is over; timeout is the milliseconds that the thread really waited"},

	CallStart: {Name: "callStart", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrCallingThread, attrEventTime, attrMonitor},
		Instants:   []ModelType{StartsThread},
		Summary:    "a thread calls Thread.start on the Thread object objIdRef"},
	CallInterrupt: {Name: "callInterrupt", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrCallingThread, attrEventTime, attrMonitor},
		Instants:   []ModelType{InterruptThread},
		Summary:    "a thread calls Thread.interrupt on the Thread object objIdRef"},
	CallNotify: {Name: "callNotify", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrCallingThread, attrEventTime, attrMonitor, plain(AttrIsNotifyAll)},
		Instants:   []ModelType{Notify, NotifyAll},
		Summary:    "a thread calls notify or notifyAll on the object"},
	ThreadInterrupted: {Name: "threadInterrupted", Group: GroupCalls, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrCallingThread, attrEventTime},
		States:     []ModelType{Running},
		Summary:    "an InterruptedException is thrown in the thread"},

	ClassDef: {Name: "classDef", Group: GroupCode, Established: true,
		Attributes: []Attribute{defines(AttrTransientClassID, TransientClassSpace), attrThread, plain(AttrName),
			plain(AttrSourceName),
			defines(AttrClassID, ClassSpace), attrObject, attrTime},
		Summary: "names a class; time is when it was loaded, and may lie before the element's place"},
	ClassUnload: {Name: "classUnload", Group: GroupCode,
		Attributes: []Attribute{ends(AttrTransientClassIDRef, TransientClassSpace), ends(AttrClassIDRef, ClassSpace),
			attrTime},
		Summary: "a class is gone, with its methods"},
	MethodDef: {Name: "methodDef", Group: GroupCode, Established: true,
		Attributes: []Attribute{plain(AttrName), plain(AttrSignature), plain(AttrStartLineNumber),
			plain(AttrEndLineNumber),
			defines(AttrMethodID, MethodSpace), attrClass},
		Summary: "names a method; constructors are -init-, static initialisers -clinit-"},
	MethodEntry: {Name: "methodEntry", Group: GroupCode, Established: true,
		Attributes: []Attribute{attrThread, attrTime, attrMethod, attrClass, plain(AttrTicket), plain(AttrStackDepth),
			attrObject},
		Summary: "a method is entered; ticket is unique and comes again on its methodExit"},
	MethodExit: {Name: "methodExit", Group: GroupCode, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrThread, attrMethod, attrClass, plain(AttrTicket), attrTime, plain(AttrOverhead),
			attrObject},
		Summary: "a method is left; overhead is what tracing it cost"},
	AgMethodEntry: {Name: "agMethodEntry", Group: GroupCode,
		Attributes: []Attribute{attrThread, attrMethod, attrClass, plain(AttrNumCalls), plain(AttrSamples),
			plain(AttrBaseTime), plain(AttrCumulativeTime), plain(AttrMinTime), plain(AttrMaxTime), attrTime},
		Summary: "calls of a method from one place in the tree of calls, summed up: the elements up to its agMethodExit are what " +
			"it called; samples is there in place of numCalls if they were sampled"},
	AgMethodExit: {Name: "agMethodExit", Group: GroupCode, Attributes: []Attribute{attrThread, attrMethod, attrClass, attrTime},
		Summary: "ends what the method of an agMethodEntry called"},
	MethodCall: {Name: "methodCall", Group: GroupCode, Attributes: []Attribute{attrThread, attrTime, attrMethod,
		attrClass},
		Summary: "a call, as its caller sees it"},
	MethodReturn: {Name: "methodReturn", Group: GroupCode, Attributes: []Attribute{attrThread, attrTime, attrMethod,
		attrClass}, Summary: "a return, as its caller sees it"},
	MethodBody: {Name: "methodBody", Group: GroupCode, Content: TextContent, Summary: "the code of a method"},
	Method:     {Name: "method", Group: GroupCode, Content: TextContent, Summary: "known by name only"},
	MethodCount: {Name: "methodCount", Group: GroupCode, Content: AnnotationsOf, Attributes: []Attribute{attrThread, attrTime, attrMethod,
		attrClass, plain(AttrCount)},
		Summary: "how often a method ran, on the thread if it names one; counts of the same add up"},
	Line: {Name: "line", Group: GroupCode, Attributes: []Attribute{attrThread, attrTime},
		Summary: "a source line is reached"},
	Value: {Name: "value", Group: GroupCode, Content: TextContent,
		Summary: "a value of a parameter, a variable or a return"},
	Throw: {Name: "throw", Group: GroupCode, Attributes: []Attribute{attrThread, attrObject, attrMethod, attrClass,
		attrTime},
		Summary: "an exception is thrown"},
	Catch: {Name: "catch", Group: GroupCode, Attributes: []Attribute{attrThread, attrObject, attrMethod, attrClass,
		attrTime},
		Summary: "an exception is caught"},
	Code: {Name: "code", Group: GroupCode, Established: true,
		Attributes: []Attribute{plain(AttrType), plain(AttrValue)},
		Summary:    "source text, or where it is to be found; type is Reference, Java, C++ or C"},
	Tag: {Name: "tag", Group: GroupCode, Content: TextContent, Summary: "known by name only"},

	ObjAlloc: {Name: "objAlloc", Group: GroupHeap, Content: AnnotationsOf,
		Attributes: []Attribute{defines(AttrTransientObjID, TransientObjectSpace), defines(AttrObjID, ObjectSpace),
			attrClass,
			plain(AttrSize), plain(AttrIsArray), attrThread, attrTime},
		Summary: "an object is made; without a size it only names the object's class"},
	ObjDef: {Name: "objDef", Group: GroupHeap,
		Attributes: []Attribute{defines(AttrTransientObjID, TransientObjectSpace), defines(AttrObjID, ObjectSpace),
			attrClass, attrTime},
		Summary: "an object that was there before the recording"},
	ObjFree: {Name: "objFree", Group: GroupHeap,
		Attributes: []Attribute{ends(AttrTransientObjIDRef, TransientObjectSpace), ends(AttrObjIDRef, ObjectSpace),
			attrTime},
		Summary: "an object is gone; its id may be used again"},
	ObjMove: {Name: "objMove", Group: GroupHeap,
		Attributes: []Attribute{ends(AttrTransientObjIDRef, TransientObjectSpace), ends(AttrObjIDRef, ObjectSpace),
			defines(AttrNewObjID, ObjectSpace), attrTime},
		Summary: "an object has another id from here on"},
	GCStart: {Name: "gcStart", Group: GroupHeap, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrTime},
		Summary:    "a garbage collection begins"},
	GCFinish: {Name: "gcFinish", Group: GroupHeap, Content: AnnotationsOf, Established: true,
		Attributes: []Attribute{attrTime, plain(AttrUsedObjects), plain(AttrUsedObjSpace), plain(AttrTotalObjSpace)},
		Summary:    "a garbage collection ends; the number of objects, their bytes, the heap's bytes"},
	HeapDumpDef: {Name: "heapDumpDef", Group: GroupHeap, Attributes: []Attribute{attrTime},
		Summary: "a heap dump begins"},
	GCRoot: {Name: "gcRoot", Group: GroupHeap, Attributes: []Attribute{attrDumpedObject, plain(AttrType), attrThread},
		Summary: "an object that a root holds; type says in words which kind of root, threadIdRef on whose stack it is"},
	ObjectReference: {Name: "objectReference", Group: GroupHeap, Attributes: []Attribute{attrDumpedObject,
		plain(AttrTargetObjIDRef)},
		Summary: "the object objIdRef refers to targetObjIdRef"},
	ObjReference: {Name: "objReference", Group: GroupHeap, Attributes: []Attribute{attrDumpedObject,
		plain(AttrTargetObjIDRef)},
		Summary: "the same, as loaders spell it; trcx writes this one"},

	Annotation: {Name: "annotation", Group: GroupAnnotations, Content: TextContent,
		Attributes: []Attribute{plain(AttrName), plain(AttrValue)},
		Summary:    "a named value on the event around it"},
}
