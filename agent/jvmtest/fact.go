package jvmtest

import "github.com/trcx/trcx/trace"

// Kind is what facts and claims are about, as programs name it where they say what they tell.
type Kind string

// The kinds. Those of calls are what a thread does, whatever comes of it; all others are about the thread to which it
// happens.
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

	// Barging is what hand-offs are counted as in programs where a thread that comes by can take a monitor that others
	// are blocked on: in between, and without an event.
	Barging Kind = "barging"

	// unsure marks the time in which a thread does not know itself what has happened to it.
	unsure Kind = "unsure"
)

// isCall says whether the kind is that of what a thread does.
func (k Kind) isCall() bool { return k == CallStart || k == CallNotify || k == CallInterrupt }

// subject is what facts and claims must agree about before they are compared.
type subject struct {
	Kind   Kind
	Thread string // Java's id of the thread
	Object string // a monitor's class, a thread as "#" and its id, a thread's name, or "" where there is none
}

// Fact is something that has happened.
type Fact struct {
	subject
	// Begin and End are times immediately before and after it; for a wait they are those of the wait.
	Begin, End trace.Time
	// Causes are the calls of which one has brought it about. Nobody can know more, where several threads interrupt
	// one.
	Causes []Cause
	Millis int64 // of a sleep
	// Sure says that a trace must show it. What a thread does to another who may, or may not, stand still by then, is
	// not.
	Sure bool
}

// Cause is what another thread has done.
type Cause struct {
	By    string     // Java's id of that thread
	Begin trace.Time // immediately before it; 0 where it is nothing that a thread does at a moment
}

// Claim is what the model of a trace says.
type Claim struct {
	subject
	At     trace.Time // when it took effect
	Since  trace.Time // when the thread's state before that began; 0 where it had none
	Millis int64      // of a sleep
	By     string     // Java's id of the thread that brought it about, or ""
	Event  int        // number of the event of the model that says so, which is also the cause
}
