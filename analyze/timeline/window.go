package timeline

import "github.com/trcx/trcx/trace"

// State is the state of a thread in a span.
type State uint8

// The states. The first StateCount states have spans; a dead thread has none.
const (
	Running State = iota
	WaitingForObject
	WaitingForLock
	WaitingForJoin
	Sleeping
	Deadlocked   // blocked on a monitor, in a cycle that exists at the end
	TimedWaiting // like WaitingForObject, with a timeout
	Parked       // in LockSupport.park
	InIO         // waits for input or output
	StateCount
	Dead = StateCount
)

// titles are the states as people read them.
var titles = [...]trace.State{
	Running: trace.StateRunnable, WaitingForObject: trace.StateWaiting, WaitingForLock: trace.StateBlocked,
	WaitingForJoin: trace.StateJoining, Sleeping: trace.StateSleeping, Deadlocked: trace.StateDeadlocked,
	TimedWaiting: trace.StateTimedWaiting, Parked: trace.StateParked, InIO: trace.StateInIO,
	Dead: trace.StateTerminated,
}

// String returns the state's name, as people read it.
func (s State) String() string { return titles[s].String() }

// Interaction is the kind of an instant: what a thread does to another one.
type Interaction uint8

// The interactions. A Timeout has no arrows: no other thread causes it.
const (
	Start Interaction = iota
	Join              // the end of a thread lets a joining thread go on
	Notify
	NotifyAll
	Interrupt
	HandOff // of a lock
	Timeout // of a wait
	InteractionCount
)

var interactionNames = [InteractionCount]string{
	Start: "start", Join: "join", Notify: "notify", NotifyAll: "notifyAll", Interrupt: "interrupt", HandOff: "hand-off",
	Timeout: "timeout",
}

// String returns the name of the interaction.
func (i Interaction) String() string { return interactionNames[i] }

// Window is what threads did from one time to another. Times are in nanoseconds since the trace's start.
type Window struct {
	From, To int64
	// Resolution is the length, in nanoseconds, below which spans are merged into mixes; 0 merges none.
	Resolution int64
	Lanes      []Lane
	Arrows     []Arrow // by ascending time of their heads
	// ArrowsOmitted counts further arrows; the ones in the window ended the longest waits.
	ArrowsOmitted uint64
}

// Lane is what one thread did. Spans and mixes together are in order of time and do not overlap.
type Lane struct {
	Thread   trace.ThreadKey
	Spans    []Span
	Mixes    []Mix
	Instants []Instant
	Path     []PathPart
}

// Span is an interval of a thread in one state. It is not cut at the ends of the window.
type Span struct {
	Begin, End int64
	State      State
	// Open reports that the end of the trace closed it, TimedOut that a wait ended by its timeout, Inferred that the
	// owner was inferred.
	Open, TimedOut, Inferred bool
	// Event is the state event that began it.
	Event trace.EventID
	// Object is what the thread waited for, Other the thread that held it or was joined.
	Object Object
	Other  trace.ThreadKey
	// Caller is the call in which the thread was, OtherCaller the call in which the Other was last seen. The zero Frame
	// is unknown.
	Caller, OtherCaller Frame
	// Stack is nil if it is unknown.
	Stack *Stack
	// Timeout is in milliseconds; 0 for none.
	Timeout int64
	// Park reports a wait in LockSupport.park: a Parked span, or one for a lock of java.util.concurrent.
	Park bool
	// IO is the operation of an InIO span, or trace.NoIO if it is unknown.
	IO trace.IO
	// Init reports that a WaitingForObject span waits until the Other has initialised a class.
	Init bool
}

// Title returns the name of the span's state, as people read it.
func (s *Span) Title() string {
	if s.Init {
		return trace.StateInitialising.String()
	}
	return s.State.String()
}

// Mix merges consecutive spans in one bucket of the resolution, or parts of them.
type Mix struct {
	Begin, End int64
	// Count is the number of spans that begin in it.
	Count uint64
	// Times is how long the thread was in each state, in nanoseconds. They sum to the length, unless it was dead in
	// between.
	Times [StateCount]int64
}

// Instant is what a thread did to others, or a timeout.
type Instant struct {
	Time int64
	Type Interaction
	// Count is the number of instants of the type in the bucket. The other fields are about the first one, if it is
	// known.
	Count  uint64
	Event  trace.EventID
	Object Object
	Other  trace.ThreadKey
	Stack  *Stack
}

// PathPart is a part of the critical path that runs through a thread.
type PathPart struct {
	Begin, End int64
	// Time is its time on the path, in nanoseconds: the whole length, unless parts are merged.
	Time int64
	// Latency reports that the thread had let another one continue, which had not run yet.
	Latency bool
}

// Arrow leads from the event of a thread to the Running event of another one that it caused.
type Arrow struct {
	Type Interaction
	From End
	To   End
	// Waited is how long the affected thread had not run before, in nanoseconds.
	Waited int64
}

// End is one end of an arrow.
type End struct {
	Event  trace.EventID
	Thread trace.ThreadKey
	Time   int64
}

// Object is a monitor, or the java.lang.Thread object of a thread. The zero Object is no object.
type Object struct {
	ID      string
	Class   string // "" if unknown
	Session int
	// Lock is, for a condition of java.util.concurrent, the id of its lock, and LockClass its class; "" if unknown.
	Lock, LockClass string
}

// Frame is a place in the program. The zero Frame is unknown.
type Frame struct {
	Class, Method string
	File          string // "" if unknown
	Line          int32  // from 0 on, or -1 if unknown
	// Inner is, for a Caller, the title of a library's method in which the thread was in this call; "" for none.
	Inner string
	// Outer are, for a Caller, the calls of the program below it, for people; "" if unknown or not wanted.
	Outer string
	outer uint32 // the number of the stack of these calls; 0 for none
}

// Stack is a call stack, innermost call first.
type Stack struct {
	Frames []Frame
	// Omitted counts the outermost calls that are left out.
	Omitted int
}

// Thread is what is known of an incarnation of a thread.
type Thread struct {
	Key             trace.ThreadKey
	ID, Name, Group string // "" if unknown
	Session         int
	// Aside says that the thread was not selected. It is known because selected threads name it.
	Aside bool
	// Born is when it was first seen, and Died when it ended if it is Dead, in nanoseconds since the trace's start.
	Born, Died int64
	Dead       bool
	// Times is how long it was in each state, in nanoseconds, and Counts how many times.
	Times  [StateCount]int64
	Counts [StateCount]uint64
	// OnPath is how much of the critical path runs through it, in nanoseconds.
	OnPath int64
}

// OfJVM reports whether the thread is one of the JVM's own by its name or group.
func (t *Thread) OfJVM() bool {
	described := trace.ModelThread{Name: t.Name, Group: t.Group}
	return described.OfJVM()
}
