package allocation

import "github.com/trcx/trcx/trace"

// Sample is the sum of the allocations of a class at a call stack.
type Sample struct {
	// Class is the class as jmap prints it.
	Class string
	// Stack is nil if unknown.
	Stack *trace.Stack
	// Allocated is a sum over the window; Live, at its end, includes objects allocated before it.
	Allocated, Live Estimate
}

// Samples returns the sums by class and call stack, by descending allocated bytes.
func (c *Collector) Samples() (samples []Sample) {
	for _, row := range c.Rows(callStacks) {
		samples = append(samples, Sample{row.Title, row.Stacks[0].Stack, row.Allocated, row.Live})
	}
	return samples
}

// Start returns the time of the window's begin.
func (c *Collector) Start() trace.Time { return max(c.start, c.since) }

// End returns the time of the window's end.
func (c *Collector) End() trace.Time { return max(c.Start(), min(c.latest, c.until)) }
