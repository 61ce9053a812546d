package blame

import "github.com/trcx/trcx/analyze/critical"

// Steps returns the number of operations that the sums took.
func (b *Blame) Steps() int { return b.forest.steps }

// OverForest computes the blame as Of does, but takes no walks one by one: it makes all sums over the forest.
func OverForest(recorder *critical.Recorder, options Options) (*Blame, error) {
	return of(recorder, options, &limits{odd: 32})
}

// Within returns the same blame with limits of places and samples.
func (b *Blame) Within(places, samples int) *Blame {
	limited, within := *b, *b.limits
	within.places, within.samples = places, samples
	limited.limits = &within
	return &limited
}
