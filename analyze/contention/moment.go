package contention

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/phrase"
)

// isMoment reports whether the trace is of one moment, as a thread dump is: no interval has a length or an end, or no
// thread lived for any time.
func (s *sums) isMoment() bool {
	hasEnded := func(state stateSum) bool { return state.open < state.count }
	return s.held == 0 && (s.lifetime == 0 || !slices.ContainsFunc(s.states, hasEnded))
}

// momentWords are the first sentence about a trace of one moment: the states with their numbers of threads.
func (s *sums) momentWords() string {
	states := []string{phrase.Count(s.states[0].count, "thread was ", "threads were ") + stateKinds[s.states[0].kind]}
	for _, state := range s.states[1:] {
		states = append(states, phrase.Number(state.count)+" "+stateKinds[state.kind])
	}
	return "The trace is of one moment, so its waits have no lengths: " + phrase.List(states, "and") + "."
}

// momentBlocked is a sentence on the monitor at which most threads were blocked; "" if none was.
func (s *Statistics) momentBlocked() string {
	var worst *Monitor
	for _, m := range s.Monitors {
		if n := m.Times.Of(Blocked).Count; n > 0 && (worst == nil || n > worst.Times.Of(Blocked).Count) {
			worst = m
		}
	}
	if worst == nil {
		return ""
	}
	n, all := worst.Times.Of(Blocked).Count, s.All.Of(Blocked).Count
	if n < all {
		return fmt.Sprintf("%s: %s of %s on %s.", stateKinds[Blocked], phrase.Number(n), phrase.Number(all),
			worst.title())
	}
	return fmt.Sprintf("%s: all on %s%s.", stateKinds[Blocked], worst.title(), s.onlyHolder())
}

// onlyHolder is a clause on the thread that held up all the blocked ones; "" if there is none, or it is unknown.
func (s *Statistics) onlyHolder() string {
	others := func(p *Pair) bool { return p.Owner != s.Pairs[0].Owner }
	if len(s.Pairs) == 0 || s.Pairs[0].Owner.ID == "" || slices.ContainsFunc(s.Pairs, others) {
		return ""
	}
	return ", held by " + s.Pairs[0].Owner.String()
}
