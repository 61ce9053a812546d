package pprof

import (
	"io"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/internal/sanitize"
)

// WriteBlame writes the samples of blame as a profile of delays. A sample's stack has at its root where threads waited,
// then for what, and who is to blame, where, in which state.
func WriteBlame(out io.Writer, b *blame.Blame) error {
	delay := &profile.ValueType{Type: "delay", Unit: "nanoseconds"}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{delay}, DefaultSampleType: delay.Type, PeriodType: delay, Period: 1,
		TimeNanos: int64(b.Start()), DurationNanos: int64(b.End() - b.Start()),
		Comments: []string{"written by trcx from a trace of Java threads",
			"from the root: where threads waited, for what, who is to blame, where, in which state"},
	}
	locations := map[string]*profile.Location{}
	for _, s := range b.Samples() {
		frames := s.Frames()
		sample := &profile.Sample{Value: []int64{s.Total}}
		for i := len(frames) - 1; i >= 0; i-- {
			title := sanitize.Text(frames[i])
			location := locations[title]
			if location == nil {
				id := uint64(len(locations) + 1)
				function := &profile.Function{ID: id, Name: title, SystemName: title}
				location = &profile.Location{ID: id, Line: []profile.Line{{Function: function}}}
				locations[title] = location
				p.Function, p.Location = append(p.Function, function), append(p.Location, location)
			}
			sample.Location = append(sample.Location, location)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p.Write(out)
}
