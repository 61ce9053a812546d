package pprof

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/internal/sanitize"
)

// blameProfile is a profile of blame while it is made.
type blameProfile struct {
	profile.Profile
	locations map[string]*profile.Location // by the titles of frames
	functions map[string]*profile.Function // by their names and files
}

// WriteBlame writes the samples of blame as a profile of delays. A sample's stack has at its root where threads waited,
// then for what, and who is to blame, where, in which state.
func WriteBlame(out io.Writer, b *blame.Blame) error {
	delay := &profile.ValueType{Type: "delay", Unit: "nanoseconds"}
	p := &blameProfile{Profile: profile.Profile{
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
			sample.Location = append(sample.Location, p.location(level))
		}
		p.Sample = append(p.Sample, sample)
	}
	return p.Write(out)
}

// location returns the location of a frame.
func (p *blameProfile) location(level blame.Level) *profile.Location {
	if known := p.locations[level.Title]; known != nil {
		return known
	}
	name, file, line := level.Title, "", int64(0)
	if m := level.Call.Method; m != nil && level.Call.Inner == nil {
		name, file, line = cmp.Or(m.Title(), level.Title), m.File, max(int64(level.Call.Line), 0)
	}
	location := &profile.Location{ID: uint64(len(p.Location) + 1),
		Line: []profile.Line{{Function: p.function(sanitize.Text(name), sanitize.Text(file)), Line: line}}}
	p.Location = append(p.Location, location)
	p.locations[level.Title] = location
	return location
}

func (p *blameProfile) function(name, file string) *profile.Function {
	key := name + "\x00" + file
	if known := p.functions[key]; known != nil {
		return known
	}
	function := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, SystemName: name, Filename: file}
	p.Function = append(p.Function, function)
	p.functions[key] = function
	return function
}
