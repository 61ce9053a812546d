package trace

// Segment is what a thread did between two of its state events. A DeadLock does not end one: the thread stays blocked.
type Segment struct {
	ID SegmentID
	// State is Running, WaitingForObject, WaitingForLock, Sleeping or WaitingForJoin; of the dead there are no
	// segments.
	State  ModelType
	Thread ThreadRef
	// Session is the recording that the ids belong to.
	Session int
	// Begin and End are the times of the two state events. Times of real traces go back: see Length.
	Begin, End Time
	// Open says that the thread's next state event did not come, and End is the latest time of the trace.
	Open bool
	// Deadlocked says that the thread is one of a loop at the end of the trace.
	Deadlocked bool
	// Event is the state event that began it.
	Event EventID
	// Object is the monitor, or the java.lang.Thread object, that the thread waited for.
	Object ObjectID
	Class  string // the Object's, as far as it was known when the segment began, or ""
	// ObjectKey is the Object's; 0 if there is none.
	ObjectKey ObjectKey
	// Other is who held the monitor, or who was joined, and OtherCaller the call in which that thread was last seen.
	Other       ThreadRef
	OtherCaller Frame
	// Timeout is in milliseconds, or NoTimeout; TimedOut says that a wait ended by it.
	Timeout  int64
	TimedOut bool
	// Inferred says that who is named was concluded and not reported.
	Inferred bool
	Stack    *Stack
	Caller   Frame
}

// Length is how long the segment lasted, in nanoseconds; 0 where its end is dated before its beginning.
func (s *Segment) Length() int64 {
	if s.End <= s.Begin {
		return 0
	}
	return int64(s.End - s.Begin) // times are not negative, so that this does not overflow
}

// IsBusy says whether the state is one in which a thread waits for nothing.
func (t ModelType) IsBusy() bool { return t == Running || t == Dead }
