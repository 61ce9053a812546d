package enrichtest

// The types of model events, in the order of the rules' table: the first
// seven are states of a thread, the others are instants.
const (
	Running             = "TRCThreadRunningEvent"
	WaitingForObject    = "TRCThreadWaitingForObjectEvent"
	WaitingForLock      = "TRCThreadWaitingForLockEvent"
	Sleeping            = "TRCThreadSleepingEvent"
	WaitingForJoin      = "TRCThreadWaitingForJoinEvent"
	DeadLock            = "TRCThreadDeadLockEvent"
	Dead                = "TRCThreadDeadEvent"
	StartsThread        = "TRCThreadStartsThreadEvent"
	HandoffLock         = "TRCThreadHandoffLockEvent"
	InterruptThread     = "TRCThreadInterruptThreadEvent"
	NotifyAll           = "TRCThreadNotifyAllEvent"
	Notify              = "TRCThreadNotifyEvent"
	DeadAndNotifyJoined = "TRCThreadDeadAndNotifyJoinedEvent"
	WaitTimeoutExceed   = "TRCThreadWaitTimeoutExceedEvent"
)

// Types lists the concrete model event types.
func Types() []string {
	return []string{
		Running, WaitingForObject, WaitingForLock, Sleeping, WaitingForJoin, DeadLock, Dead,
		StartsThread, HandoffLock, InterruptThread, NotifyAll, Notify, DeadAndNotifyJoined, WaitTimeoutExceed,
	}
}

// Doc is the model of one trace, as the JSON model has it.
type Doc struct {
	Trace     TraceInfo  `json:"trace"`
	Threads   []*Thread  `json:"threads"`
	Objects   []Object   `json:"objects"`
	Deadlocks []Deadlock `json:"deadlocks"`

	// Causes maps every bound Running event to the event that caused it,
	// as known at the end of the trace.
	Causes map[int]int `json:"-"`
	// Reacquired maps a Running event that won a monitor back from another thread to that thread's key.
	Reacquired map[int]int `json:"-"`
	// Named has the Running events for which the trace names the thread that handed the lock over, or from which it was
	// reacquired.
	Named map[int]bool `json:"-"`
	// Held has, by event, the parts of each WaitingForLock interval at an object: who held the monitor.
	Held map[int][]HeldPart `json:"-"`
	// OpenStarts are the StartsThread events that no thread has answered.
	OpenStarts []int `json:"-"`
	// HolderParts are the parts of the intervals in which threads were
	// blocked, by who held the monitor.
	HolderParts []HolderPart `json:"-"`
	// Sightings are where threads were, in the order of the trace.
	Sightings []Sighting `json:"-"`
	// Rules counts how often each rule was applied, so that a test can tell
	// whether its traces reach them all.
	Rules map[string]int `json:"-"`
}

// TraceInfo describes the trace as a whole.
type TraceInfo struct {
	StartTime string         `json:"startTime,omitempty"` // decimal seconds since the epoch, nine decimals
	Duration  int64          `json:"duration"`            // nanoseconds up to the latest time
	Events    int            `json:"events"`              // model events
	Truncated bool           `json:"truncated"`           // the input ends inside a token or a child element
	Counts    map[string]int `json:"counts"`              // input elements by name, TRACE left out
}

// Thread is one incarnation of a thread id.
type Thread struct {
	Key      int      `json:"key"`
	ThreadID string   `json:"threadId"`
	ObjectID string   `json:"objectId,omitempty"`
	Name     string   `json:"name,omitempty"`
	Group    string   `json:"group,omitempty"`
	Parent   string   `json:"parent,omitempty"`
	Session  int      `json:"session"`
	Events   []*Event `json:"events"`
}

// Event is a model event. Its type decides which attributes it has; unknown ones are left out.
type Event struct {
	ID   int    `json:"id"`
	Type string `json:"type"`
	Time int64  `json:"time"` // nanoseconds since the trace's start

	ObjectRef         string `json:"objectRef,omitempty"`
	Timeout           *int64 `json:"timeout,omitempty"` // milliseconds
	LockedObject      string `json:"lockedObject,omitempty"`
	LockedThread      string `json:"lockedThread,omitempty"`
	LockedThreadKey   int    `json:"lockedThreadKey,omitempty"`
	JoinedThread      string `json:"joinedThread,omitempty"`
	JoinedThreadKey   int    `json:"joinedThreadKey,omitempty"`
	StartedThread     string `json:"startedThread,omitempty"`
	InterruptedThread string `json:"interruptedThread,omitempty"`
	ReceiverThread    string `json:"receiverThread,omitempty"`
	ReceiverThreadKey int    `json:"receiverThreadKey,omitempty"`
	RunningEvent      int    `json:"runningEvent,omitempty"`
	RunningEvents     []int  `json:"runningEvents,omitzero"` // of a NotifyAll; never nil for one
	Inferred          bool   `json:"inferred,omitempty"`
	Park              bool   `json:"park,omitempty"`
	IO                string `json:"io,omitempty"`
	Init              string `json:"init,omitempty"`
	InitKey           int    `json:"initKey,omitempty"`

	Stack []Frame `json:"stack,omitempty"` // innermost first
}

// Frame is a call on a stack. Its names are "" if the method is not defined.
type Frame struct {
	Class  string `json:"class"`
	Method string `json:"method"`
	File   string `json:"file,omitempty"`
	Line   *int   `json:"line,omitempty"`
}

// IsState reports whether the event holds until the thread's next state event.
func (e *Event) IsState() bool {
	switch e.Type {
	case Running, WaitingForObject, WaitingForLock, Sleeping, WaitingForJoin, DeadLock, Dead:
		return true
	}
	return false
}

// Object is an object that model events name.
type Object struct {
	ObjectID string `json:"objectId"`
	Class    string `json:"class,omitempty"`
	Session  int    `json:"session"`
}

// Deadlock is a cycle of blocked threads that exists at the trace's end.
type Deadlock struct {
	Time      int64    `json:"time"`
	ThreadIDs []string `json:"threadIds"`
}
