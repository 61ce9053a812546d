package trace

import "testing"

// TestStateOfs proves that each state event has the JVM's name of its state.
func TestStateOfs(t *testing.T) {
	for _, c := range []struct {
		event ModelEvent
		want  string
	}{
		{ModelEvent{Type: Running}, "RUNNABLE"},
		{ModelEvent{Type: WaitingForLock}, "BLOCKED"},
		{ModelEvent{Type: WaitingForLock, Park: true}, "BLOCKED"},
		{ModelEvent{Type: WaitingForObject, Timeout: NoTimeout}, "WAITING"},
		{ModelEvent{Type: WaitingForObject}, "WAITING"},
		{ModelEvent{Type: WaitingForObject, Timeout: 1}, "TIMED_WAITING"},
		{ModelEvent{Type: WaitingForObject, Timeout: 1, Park: true}, "PARKED"},
		{ModelEvent{Type: WaitingForObject, Timeout: 1, Park: true, IO: IORead}, "IN I/O"},
		{ModelEvent{Type: WaitingForJoin, Timeout: 1}, "JOINING"},
		{ModelEvent{Type: Sleeping, Timeout: 1}, "SLEEPING"},
		{ModelEvent{Type: DeadLock}, "DEADLOCKED"},
		{ModelEvent{Type: Dead}, "TERMINATED"},
	} {
		if got := c.event.State().String(); got != c.want {
			t.Errorf("the state of %+v is %s, want %s", c.event, got, c.want)
		}
	}
	for typ := range ModelTypeCount {
		if typ.IsState() && (&ModelEvent{Type: typ}).State().String() == "" {
			t.Errorf("%v has no name", typ)
		}
	}
	blocked := Interval{ModelEvent: ModelEvent{Type: WaitingForLock}}
	if blocked.State() != StateBlocked {
		t.Errorf("a block is %v", blocked.State())
	}
	if blocked.Deadlocked = true; blocked.State() != StateDeadlocked {
		t.Errorf("a deadlocked thread is %v", blocked.State())
	}
	if got := StateInitialising.InSentence() + ", " + StateBlocked.InSentence(); got != "WAITING, BLOCKED" {
		t.Errorf("in a sentence the states are %s", got)
	}
}
