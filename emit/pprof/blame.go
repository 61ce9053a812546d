package pprof

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/allocation"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// callProfile is a profile of call stacks while it is made.
type callProfile struct {
	profile.Profile
	locations map[string]*profile.Location // by the titles of frames and their lines
	functions map[string]*profile.Function // by their names and files
}

// WriteBlame writes the samples of blame as a profile of delays. A sample's stack has, from the root on, where threads
// waited and for what, then which thread is to blame, where, in which state.
func WriteBlame(out io.Writer, b *blame.Blame) error {
	delay := &profile.ValueType{Type: "delay", Unit: "nanoseconds"}
	p := &callProfile{Profile: profile.Profile{
		SampleType: []*profile.ValueType{delay}, DefaultSampleType: delay.Type, PeriodType: delay, Period: 1,
		TimeNanos: int64(b.Start()), DurationNanos: int64(b.End() - b.Start()),
		Comments: []string{"written by trcx from a trace of Java threads",
			"from the root: where threads waited, for what, who is to blame, where, in which state"},
	}, locations: map[string]*profile.Location{}, functions: map[string]*profile.Function{}}
	if n := b.ShortenedStacks(); n > 0 {
		p.Comments = append(p.Comments, "too many different call stacks: the program's own call alone for so many waits: "+
			strconv.FormatUint(n, 10))
	}
	for _, s := range b.Samples() {
		sample := &profile.Sample{Value: []int64{s.Total}}
		for _, level := range slices.Backward(s.Levels()) {
			sample.Location = append(sample.Location, p.level(level))
		}
		p.Sample = append(p.Sample, sample)
	}
	return p.Write(out)
}

// level returns the location of a level of blame.
func (p *callProfile) level(level blame.Level) *profile.Location {
	if m := level.Call.Method; m != nil && level.Call.Inner == nil {
		return p.location(level.Title, m, level.Call.Line)
	}
	return p.location(level.Title, nil, trace.NoLine)
}

// location returns the location of a frame with a title, and with a method if m is not nil.
func (p *callProfile) location(title string, m *trace.ModelMethod, line int32) *profile.Location {
	key := title
	name, file := title, ""
	if m != nil {
		name, file = cmp.Or(m.Title(), title), m.File
		key += "\x00" + file + ":" + strconv.Itoa(int(line))
	}
	if known := p.locations[key]; known != nil {
		return known
	}
	location := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{
		Function: p.function(sanitize.Text(name), sanitize.Text(file)), Line: max(int64(line), 0)}}}
	p.Location = append(p.Location, location)
	p.locations[key] = location
	return location
}

func (p *callProfile) function(name, file string) *profile.Function {
	key := name + "\x00" + file
	if known := p.functions[key]; known != nil {
		return known
	}
	function := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name, Filename: file}
	p.Function = append(p.Function, function)
	p.functions[key] = function
	return function
}

// WriteAllocations writes allocations as a heap profile: the objects and bytes that were allocated (alloc) and that
// live at the end (inuse), by call stack, with the class as a label. Samples are scaled; figures that are not in the
// trace are left out.
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
