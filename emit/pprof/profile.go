package pprof

import (
	"io"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/internal/stackprofile"
	"github.com/trcx/trcx/trace"
)

// Profile is a trace.Sink whose intervals become a profile.
type Profile struct {
	*stackprofile.Tally
	out     io.Writer
	options stackprofile.Options
	profile profile.Profile
	// The parts of the profile by the numbers that the tally has for them.
	locations map[uint32]*profile.Location
	functions map[uint32]*profile.Function
	texts     map[string]string // as they stand in labels
}

// The names of the labels.
const (
	stateLabel     = "state"      // blocked, waited, timed, joined or slept
	threadLabel    = "thread"     // the name of the thread whose stack it is, or "thread" and its id
	holderLabel    = "holder"     // the name of the thread that held it up
	waiterLabel    = "waiter"     // where the holder is blamed: the name of the thread that was held up
	monitorLabel   = "monitor"    // the class of the monitor
	monitorIDLabel = "monitor_id" // its object id
)

// New returns a sink that writes to out, compressed by gzip as the format demands: out is not to be compressed again.
func New(out io.Writer, options stackprofile.Options) *Profile {
	return &Profile{
		Tally: stackprofile.New(options), out: out, options: options,
		locations: make(map[uint32]*profile.Location), functions: make(map[uint32]*profile.Function),
		texts: make(map[string]string),
	}
}

// Put adds the record up. The Summary makes it write the profile.
func (p *Profile) Put(r trace.Record) error {
	if s, last := r.(*trace.Summary); last {
		return p.write(s)
	}
	return p.Tally.Put(r)
}

func (p *Profile) write(s *trace.Summary) error {
	contentions, delay := &profile.ValueType{Type: "contentions", Unit: "count"}, &profile.ValueType{Type: "delay",
		Unit: "nanoseconds"}
	p.profile = profile.Profile{
		SampleType: []*profile.ValueType{contentions, delay}, DefaultSampleType: delay.Type,
		PeriodType: contentions, Period: 1,
		TimeNanos: int64(s.Start), DurationNanos: int64(s.Last - s.Start),
		Comments: append(p.comments(), p.Notes()...),
	}
	for _, sample := range p.Samples() {
		p.add(&sample)
	}
	return p.profile.Write(p.out)
}

// comments say what the profile is about.
func (p *Profile) comments() []string {
	about := "the call stacks are of the threads that were held up"
	if p.options.Blame == stackprofile.Holder {
		about = "the calls are of the threads that held others up"
	}
	return []string{"written by trcx from a trace of Java threads", "states: " + p.options.States.String(), about}
}

func (p *Profile) add(s *stackprofile.Sample) {
	sample := &profile.Sample{
		Value: []int64{s.Count, s.Delay},
		Label: map[string][]string{stateLabel: {s.State.String()}},
	}
	for _, place := range s.Stack {
		sample.Location = append(sample.Location, p.location(place))
	}
	other := holderLabel
	if p.options.Blame == stackprofile.Holder {
		other = waiterLabel
	}
	for _, label := range [...]struct{ name, value string }{
		{threadLabel, s.Thread}, {other, s.Other}, {monitorLabel, strings.ReplaceAll(s.Monitor, "/", ".")},
		{monitorIDLabel, s.MonitorID},
	} {
		if label.value != "" {
			sample.Label[label.name] = []string{p.text(label.value)}
		}
	}
	p.profile.Sample = append(p.profile.Sample, sample)
}

// location is the part of the profile for a place.
func (p *Profile) location(number uint32) *profile.Location {
	if known := p.locations[number]; known != nil {
		return known
	}
	place := p.Place(number)
	line := profile.Line{Function: p.function(place.Function)}
	if place.Line != trace.NoLine {
		line.Line = int64(place.Line)
	}
	location := &profile.Location{ID: uint64(len(p.profile.Location) + 1), Line: []profile.Line{line}}
	p.profile.Location = append(p.profile.Location, location)
	p.locations[number] = location
	return location
}

// function is the part of the profile for a function. Its system name is the trace's, with the class in front.
func (p *Profile) function(number uint32) *profile.Function {
	if known := p.functions[number]; known != nil {
		return known
	}
	f := p.Function(number)
	function := &profile.Function{
		ID: uint64(len(p.profile.Function) + 1), Name: p.text(f.Title(".")), Filename: p.text(f.File),
		SystemName: p.text(strings.TrimPrefix(f.Class+"."+f.Name, ".")),
	}
	p.profile.Function = append(p.profile.Function, function)
	p.functions[number] = function
	return function
}

// text is a name as it can stand in a profile, which is printed on terminals as it is.
func (p *Profile) text(name string) string {
	shown, ok := p.texts[name]
	if !ok {
		shown = sanitize.Text(name)
		p.texts[name] = shown
	}
	return shown
}
