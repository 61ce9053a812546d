package ring

// The layout of a segment with its ring buffers and their records. agent/native/ring.h has the same in C, and a test
// compares the two.
const (
	Magic   = 0x474E4952_58435254 // "TRCXRING"
	Version = 4

	headerSize       = 4096
	controlSize      = 128
	CellSize         = 32
	RingCells        = 2048  // of a thread's ring: 64 KiB
	DefinitionsCells = 32768 // of the definitions ring: 1 MiB
	MaxRings         = 32768 // of threads; the memory is reserved, and a page allocated by the first write to it
	Extensions       = 64    // a full ring continues in one of them
	ExtensionCells   = 32768 // 1 MiB

	// MaxWaiting is the limit of a ring's cells that are not consumed.
	MaxWaiting = Extensions / 4 * ExtensionCells

	controlsAt = headerSize
	// after the controls of the definitions ring and of MaxRings others, in whole pages
	definitionsAt = controlsAt + 4<<20 + 4096
	extensionsAt  = definitionsAt + DefinitionsCells*CellSize
	ringsAt       = extensionsAt + Extensions*ExtensionCells*CellSize
	SegmentSize   = ringsAt + MaxRings*RingCells*CellSize
)

// The offsets of the header's fields. Times are nanoseconds of the monotonic clock.
const (
	atMagic       = 0   // uint64
	atVersion     = 8   // uint32
	atPID         = 12  // uint32, the JVM's process
	atWake        = 16  // uint32, the word that a sleeping consumer waits on
	atSleeping    = 20  // uint32, 1 while it waits
	atPhase       = 24  // uint32, a Phase
	atStalled     = 28  // uint32, 1 while the consumer cannot write: producers drop instead of waiting
	atEpoch       = 32  // int64, to be added to a time to get nanoseconds since 1970, UTC
	atStarted     = 40  // int64, when the recording began
	atEnded       = 48  // int64, when it ended
	atRings       = 56  // uint32, how many rings have ever been in use
	atStop        = 60  // uint32, 1 once the consumer reads no more
	atRingless    = 64  // uint64, records lost because no ring was free
	atLeftAlone   = 72  // uint64, classes that hooks fit and that could not be rewritten safely
	atJavaVersion = 80  // uint32, 17 for JDK 17
	atLostSize    = 84  // uint32, the size of the text at atLost
	atCollected   = 88  // int64, the time of a GCFinish that has not been published yet; 0 for none
	atAlignment   = 96  // uint32, the alignment of objects in bytes; 0 if unknown
	atOverhead    = 100 // uint32, the nanoseconds of recording a call, between its times; 0 if not measured
	atExtensions  = 104 // uint64, a bit for each extension that is in use; producers set it, the consumer clears it
	atJVM         = 128 // the JVM's name and version, ended by a zero byte
	jvmSize       = 256
	atLost        = 384 // what cannot be recorded in this JVM, each ended by a line feed
	lostLimit     = 1024
)

// The offsets of the fields of a ring's control. The producer writes the first cache line, the consumer the second;
// both change the state.
const (
	atHead    = 0  // uint64, cells published ever; it is not reset when the ring changes hands
	atBusy    = 8  // uint32, 1 from before the producer reads the clock until after it has published
	atState   = 12 // uint32, a state
	atBegin   = 16 // int64, the last time that the producer has read
	atDropped = 24 // uint64, records lost by ring overflow, ever
	atTail    = 64 // uint64, cells consumed ever
)

// The states of a ring.
const (
	free    = 0 // without a producer
	live    = 1 // its thread lives
	retired = 2 // its thread has ended; the consumer frees it when it is empty
)

// Phase is the progress of a recording.
type Phase uint32

// The phases, in order.
const (
	Waiting   Phase = iota // the JVM has not attached
	Recording              // records are published
	Ended                  // everything is published
)

// Kind is the kind of a record.
type Kind uint8

// The kinds of records. Ids of objects, classes and methods are the agent's own; ids of threads are Java's
// Thread.threadId.
const (
	NoRecord Kind = iota
	// Object: the Thread object; Argument: its CPU time in nanoseconds, 0 if unknown; payload: ThreadInfo; flags:
	// Virtual, Existed
	ThreadStart
	ThreadEnd // Argument: the CPU time likewise
	// Object, Argument: the owner, by the flag OwnerThread or OwnerAddress; payload: stack
	ContendedEnter
	ContendedEntered // Object; Argument: the CPU time likewise
	// Object, or Sleep; Argument: the timeout in milliseconds, or UnknownTimeout; payload: stack. A wait for input or
	// output has its trace.IO in the flags, and the timeout 0 for none
	Wait
	Waited        // Object, or Sleep; flags: TimedOut
	CallStart     // Object: the Thread object; payload: stack
	CallInterrupt // likewise
	// Object; flags: All, Seen; payload: with Seen the number and the ids of the threads removed from the wait set;
	// stack
	CallNotify
	ThreadInterrupted // payload: stack
	GCStart           // no thread
	// Object, Argument: the used and the total bytes of the heap, 0 if unknown; flags: a collector; payload:
	// CollectionInfo
	GCFinish
	InitDone     //
	Shutdown     // no thread
	DefineClass  // a definition; Object: the class's id; payload: ClassInfo
	DefineObject // a definition; Object: the object's id, Argument: its class's id
	DefineMethod // a definition; Object: the method's id, Argument: its class's id; payload: MethodInfo
	// Object: the blocker, 0 for none; Argument: the timeout in nanoseconds, 0 for none, UnknownTimeout, or by the flag
	// Absolute milliseconds since 1970; payload: ParkInfo, stack; further flags: Existed, OwnerThread, IsLock,
	// Interrupted, Ownable
	Park
	// Object: as of its Park, or 0 of a virtual thread; Argument: the CPU time as of a ThreadStart; flag: Interrupted
	Parked
	Unpark    // Argument: the target's thread id; it is published before the thread is unparked
	Acquired  // Object: the synchronizer; Argument: 1 if it is acquired, 0 after a timeout, negative after an interrupt
	Signal    // Object: the condition; flag: All; payload: stack
	Signalled // Argument: the id of a thread that the thread's latest Signal has removed from its condition
	Allocated // Object: the new object; Argument: its size in bytes; payload: the class's id, stack
	Freed     // Object; no thread
	CPUUsed   // Argument: the thread's CPU time in nanoseconds
	// A sample, which the thread has not published itself: Object, on which the thread is blocked; Argument: the id of
	// the object's owner, 0 for nobody; flag: OwnerNews; payload: the owner's stack
	Held
	// A sample likewise: Object, a java.lang.Class for whose initialisation the thread waits; Argument: the id of the
	// thread that initialises it, 0 if unknown; payload: stack. It ends by a Waited with Existed
	InitWait
	// Object: an object that threads wait for; payload: its state, a text of names and numbers, " permits=0 queued=2"
	State
	// Object: the method, Argument: how often it ran; no thread: on virtual threads, or on all
	MethodCount
	// A node of the thread's tree of calls, before the nodes below it; without a thread, of ended virtual threads.
	// Object: the method, Argument: the node's depth from 1; payload: CallsInfo. A tree ends with the depth 0
	CallTree
	// A call begins. Object: the method, Argument: the depth of the stack, with the method, from 1. The calls of a
	// thread are nested by their depths
	MethodEntry
	// It ends. Object: the method, Argument: the depth in the lower 32 bits, in the upper ones the number of calls
	// below it that were skipped
	MethodExit
	// A method was left out after some time. Object: the method, Argument: its calls until then; no thread; payload:
	// the nanoseconds that one took
	LeftOut
	// The ring continues elsewhere; no reader of records sees it. Argument: the number of an extension, from 1; 0 for
	// the ring's own cells
	Continued
	kinds
)

// Flags of a record, which depend on the kind.
const (
	Virtual = 1 << 0 // of ThreadStart: a virtual thread
	// of ThreadStart: it ran before the recording began. Of ContendedEnter, Wait and Park: the thread was already
	// blocked, waiting or parked. Of Waited and Parked: the agent has seen that such a wait, or a sample's, is over
	Existed     = 1 << 1
	OwnerThread = 1 << 2 // of ContendedEnter: Argument is a thread's id; of Park: the owner is known
	// of ContendedEnter: Argument is the address of a JavaThread, or one on its stack; see ThreadInfo
	OwnerAddress = 1 << 3
	TimedOut     = 1 << 4 // of Waited
	All          = 1 << 5 // of CallNotify and Signal
	Native       = 1 << 6 // of DefineMethod
	HasPayload   = 1 << 7 // cells with a payload follow

	Recorded = 1 << 0 // of DefineObject: the object's Allocated is published

	Absolute    = 1 << 0 // of Park: Argument is a time of the wall clock
	IsLock      = 1 << 3 // of Park: the blocker is of one of the JDK's classes of locks, or of a subclass
	Interrupted = 1 << 4 // of Park and Parked: the thread's interrupt flag is set
	Joins       = 1 << 5 // of Wait: the wait on the thread's own Thread object is a join
	Seen        = 1 << 0 // of CallNotify: the wait set was read before and after
	OwnerNews   = 1 << 0 // of Held: the trace may have another owner; else only the stack can be new
	Ownable     = 1 << 5 // of Park: the blocker is an AbstractOwnableSynchronizer
)

// The garbage collectors, as flags of a GCFinish.
const (
	NoCollector = iota // unknown
	Serial
	Parallel
	G1
	Shenandoah
	Z
	Epsilon
)

const (
	// Sleep is the Object of a Wait that is a Thread.sleep.
	Sleep = -1
	// UnknownTimeout is the Argument of a Wait whose timeout is unknown.
	UnknownTimeout = -1
	// NoLocation is the Location of a Frame of a Native method.
	NoLocation = 0xFFFF
	// OperationShift is the lowest of the three bits of the flags of a Wait that have its trace.IO.
	OperationShift = 2
	// MaxPayload is the largest size of a payload in bytes.
	MaxPayload = RingCells / 2 * CellSize
)
