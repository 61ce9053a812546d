package contention

// SetHolderLimits makes the collector evaluate intervals of more than the number of direct parts together, and logs of
// more than the number of parts early.
func (c *Collector) SetHolderLimits(direct, parts int) {
	c.holders.limits = holderLimits{direct, parts}
}
