package blame

import (
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// stateSet is a set of states: bit n is trace.State n.
type stateSet uint16

func (s stateSet) names() []string {
	var names []string
	for state := range trace.StateCount {
		if s>>state&1 != 0 {
			names = append(names, state.String())
		}
	}
	return names
}

// waitStates are the states that people know in which threads were that waited for an object: WAITING, TIMED_WAITING,
// PARKED, IN I/O. Sums do not tell these apart.
type waitStates struct {
	threads map[trace.ThreadKey]stateSet
	pools   map[string]stateSet
}

// findWaitStates reads all segments, once.
func (b *Blame) findWaitStates() {
	if b.waits.threads != nil {
		return
	}
	b.waits = waitStates{map[trace.ThreadKey]stateSet{}, map[string]stateSet{}}
	for s := trace.SegmentID(1); s <= b.recorder.Segments(); s++ {
		if kept := b.recorder.Segment(s); kept.Type == trace.WaitingForObject {
			b.waits.threads[kept.Thread] |= 1 << b.recorder.State(s)
		}
	}
	for key, states := range b.waits.threads {
		if t, _ := b.recorder.Thread(key); t.Name != "" {
			b.waits.pools[trace.PoolOf(t.Name)] |= states
		}
	}
}

// did is Did of a culprit of this blame, with the states in which it waited for objects: PARKED or IN I/O.
func (b *Blame) did(c *Culprit) string {
	if c.Kind != Segment || c.Type != trace.WaitingForObject {
		return c.Did()
	}
	b.findWaitStates()
	states := b.waits.pools[c.Pool]
	if c.Thread.Key != 0 {
		states = b.waits.threads[c.Thread.Key]
	}
	if states == 0 {
		return c.Did()
	}
	return phrase.List(states.names(), "or")
}
