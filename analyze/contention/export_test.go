package contention

// SetHolderLimits makes the collector evaluate intervals of more than the number of direct parts together, and logs of
// more than the number of parts early.
func (c *Collector) SetHolderLimits(direct, parts int) {
	c.holders.limits = holderLimits{direct, parts}
}

// AddedPairs returns the pairs in the order in which they were added.
func (m *Merged) AddedPairs() []*Pair { return m.sum.Pairs }
