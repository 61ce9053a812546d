package contention

// CompactFrom makes the collector compact the histories of monitors' owners from the given number of parts on.
func (c *Collector) CompactFrom(parts int) { c.holders.maxParts = parts }

// AddedPairs returns the pairs in the order in which they were added.
func (m *Merged) AddedPairs() []*Pair { return m.sum.Pairs }
