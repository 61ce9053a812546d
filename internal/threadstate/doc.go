// Package threadstate tracks live threads by id: the state of each, and the method calls that it has entered and not
// left. The rules, the enrichment and the agent's drain share it.
//
// States are named as in java.lang.Thread.State. The events that change them are JVMTI's MonitorContendedEnter,
// MonitorContendedEntered, MonitorWait and MonitorWaited, in a trace monContendedEnter, monContendedEntered, monWait
// and monWaited. Any other event of a thread is an Act; only a RUNNABLE thread can act.
//
// The table of steps (state.go) says for each state and event which state follows, and how the event fits the state. It
// does not say what a misfit means: the rules report it, the drain writes the missing event first. After a misfit, a
// suspended thread is MaybeBlocked or MaybeWaiting, where everything fits, until a monitor event shows its state again.
package threadstate
