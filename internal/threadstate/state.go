package threadstate

// State is what a thread does, as far as its events show. The zero State is Runnable, also for a thread without events.
type State uint8

const (
	Runnable     State = iota // java.lang.Thread.State RUNNABLE
	Returned                  // RUNNABLE, without an Act since its Waited
	Blocked                   // BLOCKED: between Enter and Entered
	Waiting                   // WAITING or TIMED_WAITING: between Wait and Waited; a sleep is a wait, too
	MaybeBlocked              // Blocked, or Runnable since a missing event: the last event was a misfit
	MaybeWaiting              // Waiting, or Runnable since a missing event
	states
)

// Suspended reports whether the thread is certainly blocked or waiting.
func (s State) Suspended() bool { return s == Blocked || s == Waiting }

// Doubted returns the State after an event has shown that others are missing.
func (s State) Doubted() State {
	switch s {
	case Blocked:
		return MaybeBlocked
	case Waiting:
		return MaybeWaiting
	}
	return s
}

// Input is an event of a thread.
type Input uint8

const (
	Enter       Input = iota // monContendedEnter
	Entered                  // monContendedEntered
	Wait                     // monWait
	Waited                   // monWaited
	Act                      // anything else that only a running thread does
	Interrupted              // threadInterrupted: an InterruptedException ends a wait, before or after its Waited
	inputs
)

// Fit is how an event suits the state of its thread.
type Fit uint8

const (
	OK          Fit = iota
	Twice           // begins a block or wait while the same is open
	OtherObject     // ends a block or wait on another object
	NoStart         // ends a block or wait that has not begun
	Suspended       // is the event of a running thread, but the thread is blocked or waiting
)

// Step is what an event does to a thread: the State that follows, and how the event suits the one before.
type Step struct {
	State State
	Fit   Fit
}

// cell has the steps of an input: on the thread's own object or an unknown one, and on another object.
type cell struct{ same, other Step }

// always returns the cell of an input whose object does not matter.
func always(to State, fit Fit) cell { return cell{Step{to, fit}, Step{to, fit}} }

// steps is the table in the package's comment.
var steps = [states][inputs]cell{
	Runnable: {
		Enter:       always(Blocked, OK),
		Entered:     always(Runnable, NoStart),
		Wait:        always(Waiting, OK),
		Waited:      always(Returned, NoStart),
		Act:         always(Runnable, OK),
		Interrupted: always(Runnable, OK),
	},
	Returned: {
		Enter:       always(Blocked, OK),
		Entered:     {same: Step{Runnable, OK}, other: Step{Returned, NoStart}},
		Wait:        always(Waiting, OK),
		Waited:      always(Returned, NoStart),
		Act:         always(Runnable, OK),
		Interrupted: always(Returned, OK),
	},
	Blocked: {
		Enter:       always(MaybeBlocked, Twice),
		Entered:     {same: Step{Runnable, OK}, other: Step{MaybeBlocked, OtherObject}},
		Wait:        always(MaybeWaiting, Suspended),
		Waited:      always(MaybeBlocked, NoStart),
		Act:         always(MaybeBlocked, Suspended),
		Interrupted: always(MaybeBlocked, OK),
	},
	Waiting: {
		Enter:       always(MaybeBlocked, Suspended),
		Entered:     always(MaybeWaiting, NoStart),
		Wait:        always(MaybeWaiting, Twice),
		Waited:      {same: Step{Returned, OK}, other: Step{MaybeWaiting, OtherObject}},
		Act:         always(MaybeWaiting, Suspended),
		Interrupted: always(MaybeWaiting, OK),
	},
	MaybeBlocked: {
		Enter:       always(Blocked, OK),
		Entered:     always(Runnable, OK),
		Wait:        always(Waiting, OK),
		Waited:      always(Returned, OK),
		Act:         always(MaybeBlocked, OK),
		Interrupted: always(MaybeBlocked, OK),
	},
	MaybeWaiting: {
		Enter:       always(Blocked, OK),
		Entered:     always(Runnable, OK),
		Wait:        always(Waiting, OK),
		Waited:      always(Returned, OK),
		Act:         always(MaybeWaiting, OK),
		Interrupted: always(MaybeWaiting, OK),
	},
}

// Thread is the state of a thread and the object that it concerns.
type Thread struct {
	State  State
	Object Key // the monitor of the block or wait, or of the wait that Returned ended; None if unknown
}

// Next returns the step of an event without applying it: the caller may report a misfit, repair it first, or drop the
// event. same says whether the event's object can be the thread's.
func (t *Thread) Next(in Input, same bool) Step {
	if same {
		return steps[t.State][in].same
	}
	return steps[t.State][in].other
}

// Apply applies the step of an event on an object. It reports whether the event's object has replaced the thread's.
func (t *Thread) Apply(in Input, step Step, object Key) (replaced bool) {
	t.State = step.State
	replaced = in == Enter || in == Wait || in == Waited && step.State == Returned
	if replaced {
		t.Object = object
	}
	return replaced
}
