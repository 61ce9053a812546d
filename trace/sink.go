package trace

// ModelSink takes the model of a trace, event by event: the enriched stream. Pointers are good until the method
// returns. An error ends the reading.
type ModelSink interface {
	// Start gives the time of the first timed element, from which the times of the model count. It comes before all
	// events; it does not come at all if no element has a time.
	Start(Time) error
	// Session describes a recording, before its first event as far as it is known then, and again if more becomes
	// known.
	Session(*Session) error
	// Thread describes a thread before its first event, and again when its threadStart comes later than that.
	Thread(*ModelThread) error
	// Object describes an object before the first event that names it, and again if its class becomes known later or
	// its id has become that of another object.
	Object(*ModelObject) error
	// Event appends an event to its thread's sequence.
	Event(*ModelEvent) error
	// Acted says that a thread has done something: it comes for each thread and monitor event that has a thread and a
	// time, before the events that are appended for it, if there are any.
	Acted(ThreadRef, Time) error
	// Bind says which event caused a Running event, where Event has not said it or it is another one now.
	Bind(*Binding) error
	// Deadlock reports a loop that stands at the end of its session, after the DeadLock events of its threads.
	Deadlock(*DeadlockLoop) error
	// End comes last.
	End(*Summary) error
}

// Ignore is a ModelSink that does nothing, and one of segments as well. What needs a part of the model only embeds it.
type Ignore struct{}

var _ ModelSink = Ignore{}

// Start does nothing.
func (Ignore) Start(Time) error { return nil }

// Session does nothing.
func (Ignore) Session(*Session) error { return nil }

// Thread does nothing.
func (Ignore) Thread(*ModelThread) error { return nil }

// Object does nothing.
func (Ignore) Object(*ModelObject) error { return nil }

// Acted does nothing.
func (Ignore) Acted(ThreadRef, Time) error { return nil }

// Event does nothing.
func (Ignore) Event(*ModelEvent) error { return nil }

// Segment does nothing.
func (Ignore) Segment(*Segment) error { return nil }

// Bind does nothing.
func (Ignore) Bind(*Binding) error { return nil }

// Deadlock does nothing.
func (Ignore) Deadlock(*DeadlockLoop) error { return nil }

// End does nothing.
func (Ignore) End(*Summary) error { return nil }
