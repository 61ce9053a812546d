package pprof

import (
	"io"
	"math"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// WriteAllocations writes allocations as a heap profile: the objects and bytes that were allocated (alloc) and that
// live at the end (inuse), by call stack, with the class as a label. Samples are scaled; figures that the trace does
// not have are left out.
func WriteAllocations(out io.Writer, c *allocation.Collector) error {
	facts := c.Facts()
	space := &profile.ValueType{Type: "space", Unit: "bytes"}
	p := &callProfile{Profile: profile.Profile{PeriodType: space, Period: int64(max(facts.Interval, 1)),
		TimeNanos: int64(c.Start()), DurationNanos: int64(c.End() - c.Start()), Comments: []string{
			"written by trcx from a trace of Java threads", "the call stacks are of the threads that allocated"}},
		locations: map[string]*profile.Location{}, functions: map[string]*profile.Function{}}
	values := []struct {
		name, unit string
		is         bool
		of         func(*allocation.Sample) float64
	}{
		{"alloc_objects", "count", !facts.Weighted, func(s *allocation.Sample) float64 { return s.Allocated.Count }},
		{"alloc_space", "bytes", true, func(s *allocation.Sample) float64 { return s.Allocated.Bytes }},
		{"inuse_objects", "count", facts.Followed, func(s *allocation.Sample) float64 { return s.Live.Count }},
		{"inuse_space", "bytes", facts.Followed, func(s *allocation.Sample) float64 { return s.Live.Bytes }},
	}
	for _, v := range values {
		if v.is {
			p.SampleType = append(p.SampleType, &profile.ValueType{Type: v.name, Unit: v.unit})
		}
	}
	p.DefaultSampleType = "alloc_space"
	for _, s := range c.Samples() {
		sample := &profile.Sample{Label: map[string][]string{"class": {sanitize.Text(s.Class)}}}
		for _, v := range values {
			if v.is {
				sample.Value = append(sample.Value, int64(math.Round(v.of(&s))))
			}
		}
		sample.Location = p.stack(s.Stack)
		p.Sample = append(p.Sample, sample)
	}
	return p.Write(out)
}

// stack returns the locations of a call stack.
func (p *callProfile) stack(stack *trace.Stack) (all []*profile.Location) {
	if stack == nil {
		return []*profile.Location{p.location("[no call stack]", nil, trace.NoLine)}
	}
	for _, f := range stack.Frames {
		all = append(all, p.location(f.Method.Title(), f.Method, f.Line))
	}
	return all
}
