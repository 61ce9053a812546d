package blame

// Steps returns the number of operations that the sums took.
func (b *Blame) Steps() int { return b.forest.steps }

// OverForest makes all sums over the forest while the function runs, none by single walks.
func OverForest(run func()) {
	defer func(limit int) { maxWalked = limit }(maxWalked)
	maxWalked = 0
	run()
}
