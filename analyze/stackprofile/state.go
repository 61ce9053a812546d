package stackprofile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/trace"
)

// State is a state in which a thread does not run. States are never added up, because each has another remedy.
type State uint8

// The states.
const (
	Blocked State = iota // entering a monitor
	Waited               // in Object.wait without a timeout
	Timed                // in Object.wait with a timeout above 0
	Joined               // in Thread.join
	Slept                // in Thread.sleep
	stateCount
)

var stateNames = [stateCount]string{"blocked", "waited", "timed", "joined", "slept"}

// StateNames returns the names of all states, in their order.
func StateNames() []string { return stateNames[:] }

// String returns the name by which users select the state.
func (s State) String() string { return stateNames[s] }

// StateOf returns the state of the interval; held is false if the thread was not held up.
func StateOf(s *trace.Interval) (state State, held bool) {
	switch s.Type {
	case trace.WaitingForLock:
		return Blocked, true
	case trace.WaitingForObject:
		if s.HasTimeout() {
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

// Of returns the set of the states.
func Of(states ...State) States {
	var set States
	for _, state := range states {
		set |= 1 << state
	}
	return set
}

// All is the set of all states.
const All = States(1<<stateCount - 1)

// ParseStates parses names separated by commas, or the word all.
func ParseStates(text string) (States, error) {
	if text == "all" {
		return All, nil
	}
	return statesOf(strings.Split(text, ",")...)
}

// statesOf returns the set of the states with the names.
func statesOf(names ...string) (States, error) {
	var set States
	for _, name := range names {
		state := slices.Index(stateNames[:], name)
		if state < 0 {
			return 0, fmt.Errorf("invalid state %q: want %s, separated by commas, or all", name,
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

// Has reports whether the state is in the set.
func (s States) Has(state State) bool { return s&(1<<state) != 0 }

// Several reports whether the set has more than one state.
func (s States) Several() bool { return s&(s-1) != 0 }
