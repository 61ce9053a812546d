package trace

// ModelType is one of TPTP's model events: what a thread's state becomes, or what it does to another thread.
type ModelType uint8

// The fifteen model events. The first seven are states, which hold until the thread's next state; the others are
// instants.
const (
	Running ModelType = iota
	WaitingForObject
	WaitingForLock
	Sleeping
	WaitingForJoin
	DeadLock
	Dead
	Exec
	StartsThread
	HandoffLock
	InterruptThread
	NotifyAll
	Notify
	DeadAndNotifyJoined
	WaitTimeoutExceed
	ModelTypeCount
)

// ModelTypeRow describes a model event, as the TPTP 4.5 thread-profiling design lists it.
type ModelTypeRow struct {
	// Name is TPTP's name of the class, Base the name of the class that it extends.
	Name, Base string
	// Abstract classes have no events of their own.
	Abstract bool
	// Object is the name of the attribute that names an object, Other that names a thread; "" for none.
	Object, Other string
	// Timeout reports that the event has a timeout.
	Timeout bool
	// Causes is the number of Running events that the event can cause.
	Causes Causes
}

var modelTypes = [ModelTypeCount]ModelTypeRow{
	Running: {Name: "TRCThreadRunningEvent", Base: "TRCThreadEvent"},
	WaitingForObject: {Name: "TRCThreadWaitingForObjectEvent", Base: "TRCThreadEvent", Object: "objectRef",
		Timeout: true},
	WaitingForLock: {Name: "TRCThreadWaitingForLockEvent", Base: "TRCThreadEvent", Object: "lockedObject",
		Other: "lockedThread"},
	Sleeping: {Name: "TRCThreadSleepingEvent", Base: "TRCThreadEvent", Timeout: true},
	WaitingForJoin: {Name: "TRCThreadWaitingForJoinEvent", Base: "TRCThreadWaitingForObjectEvent",
		Object: "objectRef", Other: "joinedThread", Timeout: true},
	DeadLock: {Name: "TRCThreadDeadLockEvent", Base: "TRCThreadWaitingForLockEvent", Object: "lockedObject",
		Other: "lockedThread"},
	Dead: {Name: "TRCThreadDeadEvent", Base: "TRCThreadEvent"},
	Exec: {Name: "TRCThreadExecEvent", Base: "TRCThreadEvent", Abstract: true},
	StartsThread: {Name: "TRCThreadStartsThreadEvent", Base: "TRCThreadExecEvent", Object: "startedThread",
		Causes: CausesOne},
	HandoffLock: {Name: "TRCThreadHandoffLockEvent", Base: "TRCThreadExecEvent", Object: "lockedObject",
		Other: "receiverThread", Causes: CausesOne},
	InterruptThread: {Name: "TRCThreadInterruptThreadEvent", Base: "TRCThreadExecEvent",
		Object: "interruptedThread", Causes: CausesOne},
	NotifyAll: {Name: "TRCThreadNotifyAllEvent", Base: "TRCThreadExecEvent", Object: "objectRef",
		Causes: CausesMany},
	Notify: {Name: "TRCThreadNotifyEvent", Base: "TRCThreadExecEvent", Object: "objectRef",
		Causes: CausesOne},
	DeadAndNotifyJoined: {Name: "TRCThreadDeadAndNotifyJoinedEvent", Base: "TRCThreadExecEvent", Causes: CausesOne},
	WaitTimeoutExceed:   {Name: "TRCThreadWaitTimeoutExceedEvent", Base: "TRCThreadEvent", Object: "objectRef"},
}

// Causes is the number of Running events that an event can cause.
type Causes uint8

// The numbers: an event that causes at most one names it in runningEvent, one that causes many in the list
// runningEvents.
const (
	CausesNone Causes = iota
	CausesOne
	CausesMany
)

// String names the number.
func (c Causes) String() string {
	return [...]string{CausesNone: "none", CausesOne: "one", CausesMany: "many"}[c]
}

// Causes returns how many Running events an event of the type can cause.
func (t ModelType) Causes() Causes { return modelTypes[t].Causes }

// Row returns the description of the type.
func (t ModelType) Row() ModelTypeRow { return modelTypes[t] }

// String returns TPTP's name of the class.
func (t ModelType) String() string { return modelTypes[t].Name }

// IsState reports whether the event is a state, which holds until the thread's next one, and not an instant.
func (t ModelType) IsState() bool { return t <= Dead }

// IsBusy reports whether the state is one in which a thread waits for nothing.
func (t ModelType) IsBusy() bool { return t == Running || t == Dead }

// EventID numbers the model events 1, 2, 3 … in the order in which they were appended. 0 is no event.
type EventID uint64

// SegmentID numbers the intervals of all threads 1, 2, 3 … in the order in which they were opened. A DeadLock opens
// none, for the thread stays blocked. 0 is no interval.
type SegmentID uint64

// ThreadKey numbers the incarnations of threads 1, 2, 3 … in the order in which they were first seen. Unlike a thread's
// id, a key is never used again. 0 is no thread.
type ThreadKey uint32

// ObjectKey numbers the objects that events name 1, 2, 3 …, as indexes of tables. An
// object whose id is used again, or whose class changes, may have another key. 0 is no object.
type ObjectKey uint32

// MonitorKey numbers the monitors on which threads are blocked at a time, as indexes of tables: a key is used again
// when no thread is blocked on its monitor any more. Unlike an ObjectKey it stays the same when the object moves. 0 is
// no monitor.
type MonitorKey uint32

// NoTimeout is the timeout of an event without a timeout, or with one that is no number.
const NoTimeout = -1

// ModelEvent is one computed event of a thread. It has the fields of all types, so that events can be reused and copied
// without an allocation.
type ModelEvent struct {
	ID     EventID
	Thread ThreadRef // the thread of the event
	Time   Time
	// Segment is the segment that a state event opens, or the thread's segment in which an instant lies; 0 if the
	// thread has had no state event.
	Segment SegmentID
	// Object is the monitor or the java.lang.Thread object that the event is about: objectRef, lockedObject,
	// startedThread or interruptedThread, as the type has it.
	Object ObjectID
	// Class is the Object's, as far as it was known then, or "".
	Class     string
	ObjectKey ObjectKey // the Object's; 0 for none
	// Monitor is, for a WaitingForLock with an Object, the monitor whose MonitorOwner records follow.
	Monitor MonitorKey
	// HeldBy is, for a WaitingForLock with an Object, the thread known to hold the monitor now; 0 for none. The Other
	// thread may have released it since, in an Object.wait that is over.
	HeldBy ThreadKey
	// ReacquiredFrom is, for a Running event that a notification caused, the thread that held the monitor in between,
	// or 0.
	ReacquiredFrom ThreadKey
	// Named reports, for a Running event, that the input itself names the thread that handed over the lock, or held it
	// before. Otherwise the rules have found it.
	Named bool
	Type  ModelType
	// Inferred reports that the event, or the thread that it names, was concluded and not recorded.
	Inferred bool
	// Park reports that a WaitingForLock or WaitingForObject is one of java.util.concurrent. Timed reports that
	// a wait has a timeout that Timeout may lack; see HasTimeout.
	Park, Timed bool
	// GaveUp reports that a Running event ends an attempt to get a lock without it.
	GaveUp bool
	// Older reports that a wait or block began before its Time, at an unknown time: a dump shows only that it lasts.
	Older bool
	// IO is the operation that a WaitingForObject waits for, or NoIO.
	IO IO
	// Init reports that a WaitingForObject is a wait for the initialisation of a class, whose object is the Object.
	Init bool
	// Other is the other thread: lockedThread, receiverThread, joinedThread, or with Init the thread that initialises
	// the class. That one has no Key if it is not in the trace.
	Other ThreadRef
	// Timeout is in milliseconds, or NoTimeout.
	Timeout int64
	// Cause is the cause of a Running event, if it was known when the event was appended; see Binding.
	Cause Cause
	// Running is the event that a HandoffLock or DeadAndNotifyJoined caused. For the other causes see Binding.
	Running EventID
	// Stack is the thread's stack trace; nil if the trace does not have it.
	Stack *Stack
	// Caller is the program's call in which the thread is, OtherCaller the one in which the Other thread was last seen.
	// Their methods are nil if the trace does not have them.
	Caller, OtherCaller Frame
}

// IsIdle reports whether the event begins a wait of a thread for its next task, as its stack trace shows, or for
// connections.
func (e *ModelEvent) IsIdle() bool {
	return e.Type == WaitingForObject && (e.Stack != nil && e.Stack.Idle || e.IO == IOAccept || e.IO == IOSelect)
}

// Interval is the time between two state events of a thread: the event that opened it, and what became known until its
// end. A DeadLock does not end an interval, because the thread stays blocked. Dead threads have no intervals.
type Interval struct {
	// ModelEvent is the state event that opened the interval: Running, WaitingForObject, WaitingForLock, Sleeping or
	// WaitingForJoin. Its Time is the begin of the interval, its Segment the interval's number.
	ModelEvent
	Session int // the recording that the ids belong to
	// End is the time of the next state event. Times of real traces can go back: see Length.
	End Time
	// Open reports that the thread's next state event did not come; End is then the latest time of the trace.
	Open       bool
	Deadlocked bool // the thread is one of a deadlock at the end of the trace
	TimedOut   bool // a wait ended by its timeout
	// Whole is the length before the interval was cut at the bounds of a window, in nanoseconds; 0 if it was not.
	Whole int64
}

// Length returns the duration in nanoseconds; 0 if the end is dated before the begin.
func (i *Interval) Length() int64 {
	if i.End <= i.Time {
		return 0
	}
	return int64(i.End - i.Time) // times are not negative, so this does not overflow
}

// ThreadRef names an incarnation of a thread. Only its Key is unique: the ID may name a later thread, too.
type ThreadRef struct {
	Key ThreadKey
	ID  ThreadID
}

// Cause is an event of one thread that made another one run again. The zero Cause is no cause.
type Cause struct {
	ID      EventID
	Thread  ThreadKey // whose event it is
	Type    ModelType // what it is
	Segment SegmentID // of that thread, in which it lies
	Time    Time
}

// Binding is the cause of a Running event, where it became known only after that event, or has changed. A later binding
// of the same Running event replaces the earlier one.
type Binding struct {
	Running  EventID
	Thread   ThreadKey // of the Running event
	Segment  SegmentID // which the Running event has opened
	Cause    Cause
	Replaces Cause // the earlier cause, or none
}

// Start is the time from a call of Thread.start until the new thread runs.
type Start struct {
	Thread    ThreadKey // that has started; 0 if none has
	By        ThreadKey // that called Thread.start
	Time, End Time      // times of real traces can go back: see Length
	// Open reports that no thread has started by the end of the recording, which is then the End.
	Open bool
}

// Length returns the duration in nanoseconds; 0 if the end is dated before the begin.
func (s *Start) Length() int64 {
	return (&Interval{ModelEvent: ModelEvent{Time: s.Time}, End: s.End}).Length()
}

// MonitorOwner reports, while threads are blocked on a monitor, which thread holds it from now on, that this is
// unknown, or where the holder is. The WaitingForLock events name the holder known when they begin; if its place is
// known, a MonitorOwner follows the first of them. A MonitorOwner without a Monitor reports where a sampler saw the
// Owner, whatever it held.
type MonitorOwner struct {
	Monitor MonitorKey // as in the WaitingForLock events, or 0
	Owner   ThreadKey  // 0 if no thread is known to hold it
	Time    Time
	// Stack is where the owner is from now on; nil if that is unknown. Probable reports that it is a guess: the stack
	// was recorded before the thread became the owner.
	Stack    *Stack
	Probable bool
	// Stays reports that the owner is the same as before: the record reports only its place.
	Stays bool
	// Absorbed is another monitor, or 0. The threads blocked on Absorbed are blocked on Monitor from now on, because
	// the object of Absorbed has moved to Monitor's id.
	Absorbed MonitorKey
}

// ModelThread describes an incarnation of a thread.
type ModelThread struct {
	Key                 ThreadKey
	ID                  ThreadID
	Object              ObjectID
	Name, Group, Parent string
	// Unnamed reports that the trace has no name for this virtual thread, so Name is virtual #ID. The JSON model and
	// tables of events leave the name out.
	Unnamed bool
	// Virtual reports that its threadStart says that it is a virtual thread, Carrier is the thread that a thread dump
	// shows to run it, and unknown for none.
	Virtual bool
	Carrier ThreadID
	// Started reports whether the trace had the thread's threadStart; without it the names are unknown.
	Started bool
	// Aside reports that the thread is not selected, and is described only because selected threads name it.
	Aside   bool
	Session int
}

// ModelObject describes an object that model events name.
type ModelObject struct {
	ID      ObjectID
	Class   string // "" if unknown; of a java.lang.Class object as javaname.ClassObject returns it, where known
	Session int
	// Lock is the lock of a condition of java.util.concurrent, LockClass the lock's class, where known.
	Lock      ObjectID
	LockClass string
}

// DeadlockLoop is a deadlock: each thread is blocked on what the next one owns, the last on what the first owns. In a
// loop with Init a thread may also wait for the initialisation of a class by the next one; it has no DeadLock events.
type DeadlockLoop struct {
	Time    Time // when it closed
	End     Time // the latest time of its recording
	Threads []ThreadRef
	Init    bool
	// CutOff reports that the recording lacks its end, so that the threads may have gone on. Brief reports that they
	// had waited for each other for less than 0.1 s when the recording ended, but not the JVM: one of them may just
	// get its lock. Inferred reports that an owner was concluded and not recorded, Timed that a wait has a timeout.
	CutOff, Brief, Inferred, Timed bool
}

// IsPossible reports that the loop is only a possible deadlock.
func (d *DeadlockLoop) IsPossible() bool { return d.CutOff || d.Brief || d.Inferred || d.Timed }

// Origin is the time from which the times of the model count.
type Origin struct{ Time Time } // of the first timed element

// Activity reports that a thread executed a thread or monitor event. It precedes the events of that element.
type Activity struct {
	Thread ThreadRef
	Time   Time
}

// Session is one recording: a document, or an entry of a zip. Ids of different sessions never meet.
type Session struct {
	Index int
	// Node, Process and Agent hold the attributes of the elements node, processCreate and agentCreate, in the order of
	// the table; nil where the trace has no such element.
	Node, Process, Agent []NamedValue
	TraceID              string
	Start                Time // of the first timed element
	HasStart             bool
	Load                 Load // of the whole recording
	// Troubles are the JVM's reports that are not about single threads: keys without the prefix OptionTrouble, and
	// values.
	Troubles []NamedValue
	// Untimed reports that the times say in which order things happened, but not how long they took.
	Untimed bool
}

// SessionEnd ends a recording.
type SessionEnd struct {
	Index int
	Last  Time // the latest of the recording's timed elements; 0 if it has none
}

// NamedValue is an attribute by its name.
type NamedValue struct{ Name, Value string }

// Summary describes a trace that has been read to its end.
type Summary struct {
	Start     Time // of the first timed element; all times of the model count from here
	HasStart  bool
	Last      Time // the latest of any timed element
	Events    EventID
	Truncated bool // the input ends inside an element
	// CutOff reports that the trace lacks its end: it is truncated, or has no element that ends a trace or its JVM. Its
	// threads may have gone on.
	CutOff bool
	Counts []ElementCount
}

// ElementCount is the number of elements of a name.
type ElementCount struct {
	Name  string
	Count uint64
}
