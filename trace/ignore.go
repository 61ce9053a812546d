package trace

// Ignore takes a model and does nothing with it. What needs a part of the model only embeds it.
type Ignore struct{}

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
