package contention

import (
	"slices"

	"github.com/trcx/trcx/internal/phrase"
)

// isMoment reports whether the trace shows only one moment, as a thread dump does: no interval has a length or an end,
// or no thread lived for any time.
func (s *sums) isMoment() bool {
	hasEnded := func(state stateSum) bool { return state.open < state.count }
	return s.held == 0 && len(s.states) > 0 && (s.lifetime == 0 || !slices.ContainsFunc(s.states, hasEnded))
}

// momentWords is the first sentence about a trace of one moment: the states with their numbers of threads.
func (s *sums) momentWords() string {
	states := []string{phrase.Count(s.states[0].count, "thread was ", "threads were ") + stateKinds[s.states[0].kind]}
	for _, state := range s.states[1:] {
		states = append(states, phrase.Number(state.count)+" "+stateKinds[state.kind])
	}
	return "The trace is of one moment, so its waits have no lengths: " + phrase.List(states, "and") + "."
}
