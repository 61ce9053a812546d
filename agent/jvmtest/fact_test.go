package jvmtest

import "github.com/trcx/trcx/trace"

// Kind is the kind of a fact or claim. Programs name the kinds that they report.
type Kind string

// The kinds. A call is about the calling thread, whatever its effect; all others are about the affected thread.
const (
	Thread        Kind = "thread"
	Start         Kind = "start"
	Notify        Kind = "notify"
	NotifyAll     Kind = "notifyAll"
	Join          Kind = "join"
	Interrupt     Kind = "interrupt"
	Timeout       Kind = "timeout"
	Sleep         Kind = "sleep"
	Handoff       Kind = "handoff"
	Deadlock      Kind = "deadlock"
	CallStart     Kind = "callStart"
	CallNotify    Kind = "callNotify"
	CallInterrupt Kind = "callInterrupt"

	// Barging is the kind of hand-offs in programs where a running thread can enter a monitor before the threads that
	// are blocked on it, without an event.
	Barging Kind = "barging"

	// unsure marks a time in which a thread cannot determine what has happened to it.
	unsure Kind = "unsure"
)

// isCall reports whether facts of the kind are calls.
func (k Kind) isCall() bool { return k == CallStart || k == CallNotify || k == CallInterrupt }

// subject is compared first: only facts and claims with equal subjects are compared further.
type subject struct {
	Kind   Kind
	Thread string // Java's id of the thread
	Object string // a monitor's class, a thread as "#" and its id, a thread's name, or "" for none
}

// Fact is an event of the program that its log proves.
type Fact struct {
	subject
	// Begin and End are the times immediately before and after it, or the begin and end of a wait.
	Begin, End trace.Time
	// Causes are calls, and one of them is the cause. If several threads interrupt one thread, it is unknown which.
	Causes []Cause
	Millis int64 // of a sleep
	// Sure reports whether a trace must show it. An action on a thread that may or may not wait at that time is not
	// sure.
	Sure bool
}

// Cause is a call of another thread.
type Cause struct {
	By    string     // Java's id of that thread
	Begin trace.Time // immediately before it; 0 if the cause has no time
}

// Claim is a statement of a trace's model.
type Claim struct {
	subject
	At     trace.Time // when it had its effect
	Since  trace.Time // when the thread's previous state began; 0 for none
	Millis int64      // of a sleep
	By     string     // Java's id of the causing thread, or ""
	Event  int        // number of the model's event that has the claim, which is also the cause
}
