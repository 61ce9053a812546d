package blame

// Steps returns the number of operations that the sums took.
func (b *Blame) Steps() int { return b.forest.steps }
