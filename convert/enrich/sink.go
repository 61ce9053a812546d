package enrich

import "github.com/trcx/trcx/trace"

// Sink takes the enriched stream. Pointers are good until the method returns. An error ends the reading.
type Sink interface {
	// Start gives the time of the first timed element, from which the times of the model count. It comes before all
	// events; it does not come at all if no element has a time.
	Start(trace.Time) error
	// Session describes a recording, before its first event as far as it is known then, and again if more becomes known.
	Session(*trace.Session) error
	// Thread describes a thread before its first event, and again when its threadStart comes later than that.
	Thread(*trace.ModelThread) error
	// Object describes an object before the first event that names it, and again if its class becomes known later or its id
	// has become that of another object.
	Object(*trace.ModelObject) error
	// Event appends an event to its thread's sequence.
	Event(*trace.ModelEvent) error
	// Acted says that a thread has done something: it comes for each thread and monitor event that has a thread and a time, before the events that
	// are appended for it, if there are any.
	Acted(trace.ThreadRef, trace.Time) error
	// Bind says which event caused a Running event, where Event has not said it or it is another one now.
	Bind(*trace.Binding) error
	// Deadlock reports a loop that stands at the end of its session, after the DeadLock events of its threads.
	Deadlock(*trace.DeadlockLoop) error
	// End comes last.
	End(*trace.Summary) error
}
