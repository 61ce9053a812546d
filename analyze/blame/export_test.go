package blame

import (
	"github.com/trcx/trcx/analyze/critical"
)

// Steps returns the number of operations that the sums took.
func (b *Blame) Steps() int { return b.finished.steps }

// InOneSweep computes the blame like Of, but never takes waits apart one by one.
func InOneSweep(recorder *critical.Recorder, options Options) (*Blame, error) {
	return of(recorder, options, &limits{steps: -1 << 40})
}

// Within returns the same blame with limits of places and samples.
func (b *Blame) Within(places, samples int) *Blame {
	limited, within := *b, *b.limits
	within.places, within.samples = places, samples
	limited.limits = &within
	return &limited
}
