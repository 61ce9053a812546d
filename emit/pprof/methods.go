package pprof

import (
	"io"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/internal/sanitize"
)

// WriteMethods writes calls or samples of methods as a profile.
func WriteMethods(out io.Writer, of *methods.Profile) error {
	p := &callProfile{Profile: profile.Profile{TimeNanos: int64(of.Start),
		Comments: []string{"written by trcx from a trace of Java threads"}},
		locations: map[string]*profile.Location{}, functions: map[string]*profile.Function{}}
	for _, value := range of.Values {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: value.Name, Unit: value.Unit})
	}
	p.DefaultSampleType, p.PeriodType, p.Period = of.Values[1].Name, p.SampleType[0], 1
	for stack := range of.Stacks() {
		sample := &profile.Sample{Value: stack.Values[:],
			Label: map[string][]string{threadLabel: {sanitize.Text(stack.Thread)}}}
		for _, frame := range slices.Backward(stack.Frames) {
			sample.Location = append(sample.Location, p.location(frame.Title, frame.Method, frame.Line))
		}
		p.Sample = append(p.Sample, sample)
	}
	return p.Write(out)
}
