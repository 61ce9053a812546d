package blame

// Steps returns the number of operations that the sums took.
func (b *Blame) Steps() int { return b.forest.steps }

// OverForest makes all sums over the forest while the function runs, none by single walks.
func OverForest(run func()) {
	defer func(limit int) { maxWalked = limit }(maxWalked)
	maxWalked = 0
	run()
}

// WithLimits limits the places and the number of samples while the function runs.
func WithLimits(places, samples int, run func()) {
	defer func(p, s int) { maxSampled, maxSamples = p, s }(maxSampled, maxSamples)
	maxSampled, maxSamples = places, samples
	run()
}
