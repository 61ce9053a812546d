package trace

// State is a thread's state as people read it: text, tables and pictures name states as the JVM does. Machine formats
// keep TPTP's names, which ModelType has.
type State uint8

// The states, in the order in which tables list them.
const (
	StateRunnable     State = iota // on a processor, or ready for one
	StateBlocked                   // waits to enter a monitor, or for an owned lock of java.util.concurrent
	StateWaiting                   // in Object.wait without a timeout
	StateTimedWaiting              // in Object.wait with a timeout above 0
	StateParked                    // in LockSupport.park, where the recorder reports that
	StateJoining                   // waits for the end of another thread
	StateSleeping                  // in Thread.sleep
	StateInIO                      // waits for input or output, where the recorder reports that
	StateInitialising              // waits until another thread has initialised a class
	StateDeadlocked                // blocked in a cycle that exists at the end of the trace
	StateTerminated                // has ended
	StateCount
)

// stateNames are the names of the states for people. No other place of the program names states.
var stateNames = [StateCount]string{"RUNNABLE", "BLOCKED", "WAITING", "TIMED_WAITING", "PARKED", "JOINING", "SLEEPING",
	"IN I/O", "INITIALISING", "DEADLOCKED", "TERMINATED"}

// String returns the state's name, as text, tables and pictures write it: RUNNABLE, TIMED_WAITING, IN I/O.
func (s State) String() string { return stateNames[s] }

// InSentence returns the state's name for sentences: WAITING instead of INITIALISING, because another thread
// initialises.
func (s State) InSentence() string {
	if s == StateInitialising {
		return StateWaiting.String()
	}
	return s.String()
}

// typeStates has the state of each state event; for WaitingForObject the most general one.
var typeStates = [...]State{
	Running: StateRunnable, WaitingForObject: StateWaiting, WaitingForLock: StateBlocked, Sleeping: StateSleeping,
	WaitingForJoin: StateJoining, DeadLock: StateDeadlocked, Dead: StateTerminated,
}

// State returns the state that a state event opens. It panics for an instant.
func (e *ModelEvent) State() State {
	switch {
	case e.Type != WaitingForObject:
		return typeStates[e.Type]
	case e.Init:
		return StateInitialising
	case e.IO != NoIO:
		return StateInIO
	case e.Park:
		return StateParked
	case e.HasTimeout():
		return StateTimedWaiting
	}
	return StateWaiting
}

// HasTimeout reports whether the event begins a wait that has a timeout, maybe of unknown length.
func (e *ModelEvent) HasTimeout() bool { return e.Timeout > 0 || e.Timed }

// State returns the state of the thread during the interval: StateDeadlocked if it never left it.
func (i *Interval) State() State {
	if i.Deadlocked {
		return StateDeadlocked
	}
	return i.ModelEvent.State()
}

// IO is the operation of a wait for input or output.
type IO uint8

// The operations.
const (
	NoIO IO = iota // the thread does not wait for input or output
	IORead
	IOWrite
	IOAccept
	IOConnect
	IOSelect
	ioCount
)

var ioNames = [ioCount]string{"", "read", "write", "accept", "connect", "select"}

// IsValid reports whether it is NoIO or one of the operations.
func (o IO) IsValid() bool { return o < ioCount }

// String returns the word that machine formats write: read, write, accept, connect or select; "" for NoIO.
func (o IO) String() string { return ioNames[o] }
