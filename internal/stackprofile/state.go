package stackprofile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// State is a way in which a thread can be held up. They are never added up to one number, for each has another remedy.
type State uint8

// The states.
const (
	Blocked State = iota // wants to enter a monitor
	Waited               // Object.wait without a timeout, until notified
	Timed                // Object.wait with a timeout
	Joined               // waits for the end of a thread, with or without a timeout
	Slept                // Thread.sleep
	stateCount
)

var stateNames = [stateCount]string{"blocked", "waited", "timed", "joined", "slept"}

// StateNames are the names of all states, in their order.
func StateNames() []string { return stateNames[:] }

// String is the name by which users choose the state.
func (s State) String() string { return stateNames[s] }

// StateOf is the state of the interval; held is false where the thread was not held up.
func StateOf(s *trace.Interval) (state State, held bool) {
	switch s.Type {
	case trace.WaitingForLock:
		return Blocked, true
	case trace.WaitingForObject:
		if s.Timeout > 0 {
			return Timed, true
		}
		return Waited, true
	case trace.WaitingForJoin:
		return Joined, true
	case trace.Sleeping:
		return Slept, true
	}
	return 0, false
}

// States is a set of states.
type States uint8

// Of is the set of the states.
func Of(states ...State) States {
	var set States
	for _, state := range states {
		set |= 1 << state
	}
	return set
}

// All is the set of all states.
const All = States(1<<stateCount - 1)

// ParseStates reads a list of names with commas between them, or the word all.
func ParseStates(text string) (States, error) {
	if text == "all" {
		return All, nil
	}
	return StatesOf(strings.Split(text, ",")...)
}

// StatesOf returns the set of the states with the names.
func StatesOf(names ...string) (States, error) {
	var set States
	for _, name := range names {
		state := slices.Index(stateNames[:], name)
		if state < 0 {
			return 0, fmt.Errorf("there is no state %q; choose from %s, with commas between them, or say all", name,
				strings.Join(stateNames[:], ", "))
		}
		set |= Of(State(state))
	}
	return set, nil
}

// String returns the list that ParseStates reads.
func (s States) String() string { return strings.Join(s.Names(), ",") }

// Names returns the names of the states, in their order.
func (s States) Names() (names []string) {
	for state, name := range stateNames {
		if s.Has(State(state)) {
			names = append(names, name)
		}
	}
	return names
}

// Has says whether the state is in the set.
func (s States) Has(state State) bool { return s&(1<<state) != 0 }

// Several says whether there is more than one state in the set.
func (s States) Several() bool { return s&(s-1) != 0 }

// Blame says whose place in the program a sample is about.
type Blame uint8

// Whom to blame.
const (
	// Waiter: where the thread was that was held up, with its whole call stack.
	Waiter Blame = iota
	// Holder: where the thread was that held it up, in the call in which that was last seen.
	Holder
)

// ParseBlame reads the word waiter or holder.
func ParseBlame(text string) (Blame, error) {
	switch text {
	case "waiter":
		return Waiter, nil
	case "holder":
		return Holder, nil
	}
	return 0, fmt.Errorf("nobody is called %q; blame the waiter or the holder", text)
}
