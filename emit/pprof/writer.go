package pprof

import (
	"io"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Writer is a trace.Sink that writes the intervals of a trace as a profile. Its memory does not grow with the length of
// the trace.
type Writer struct {
	tally     *stackprofile.Profile
	out       io.Writer
	options   stackprofile.Options
	profile   profile.Profile
	locations map[uint32]*profile.Location // by the tally's numbers of places
	functions map[uint32]*profile.Function // by the tally's numbers of functions
	texts     map[string]string            // sanitized names
	err       error
}

// Options select the intervals of the profile.
type Options struct {
	// States are names of states: "blocked", "waited" (without a timeout), "timed", "joined", "slept". No state means
	// "blocked".
	States []string
}

// The names of the labels.
const (
	stateLabel     = "state"      // blocked, waited, timed, joined or slept
	threadLabel    = "thread"     // the name of the stack's thread, or "thread" and its id
	holderLabel    = "holder"     // the name of the thread that delayed it
	monitorLabel   = "monitor"    // the class of the monitor
	monitorIDLabel = "monitor_id" // its object id
)

// NewWriter returns a Writer to w. The output is compressed with gzip, as the format demands. An unknown state is an
// error of each Put and of Close.
func NewWriter(w io.Writer, o Options) *Writer {
	options, err := stackprofile.Select(o.States)
	return &Writer{
		tally: stackprofile.New(options), out: w, options: options, err: err,
		locations: make(map[uint32]*profile.Location), functions: make(map[uint32]*profile.Function),
		texts: make(map[string]string),
	}
}

// Put counts the record. The Summary makes it write the profile.
func (w *Writer) Put(r trace.Record) error {
	if s, last := r.(*trace.Summary); last && w.err == nil {
		w.err = w.write(s)
	} else if w.err == nil {
		w.err = w.tally.Put(r)
	}
	return w.err
}

// Close returns the first error.
func (w *Writer) Close() error { return w.err }

func (w *Writer) write(s *trace.Summary) error {
	contentions := &profile.ValueType{Type: "contentions", Unit: "count"}
	delay := &profile.ValueType{Type: "delay", Unit: "nanoseconds"}
	w.profile = profile.Profile{
		SampleType: []*profile.ValueType{contentions, delay}, DefaultSampleType: delay.Type,
		PeriodType: contentions, Period: 1,
		TimeNanos: int64(s.Start), DurationNanos: int64(s.Last - s.Start),
		Comments: append(w.comments(), w.tally.Notes()...),
	}
	for _, sample := range w.tally.Samples() {
		w.add(&sample)
	}
	return w.profile.Write(w.out)
}

// comments returns the description of the profile.
func (w *Writer) comments() []string {
	return []string{"written by trcx from a trace of Java threads", "states: " + w.options.States.String(),
		"the call stacks are of the threads that were held up"}
}

func (w *Writer) add(s *stackprofile.Sample) {
	sample := &profile.Sample{
		Value: []int64{s.Count, s.Delay},
		Label: map[string][]string{stateLabel: {s.State.String()}},
	}
	for _, place := range s.Stack {
		sample.Location = append(sample.Location, w.location(place))
	}
	for _, label := range [...]struct{ name, value string }{
		{threadLabel, s.Thread}, {holderLabel, s.Other}, {monitorLabel, monitorTitle(s.Monitor)},
		{monitorIDLabel, s.MonitorID},
	} {
		if label.value != "" {
			sample.Label[label.name] = []string{w.text(label.value)}
		}
	}
	w.profile.Sample = append(w.profile.Sample, sample)
}

// location returns the location of a place.
func (w *Writer) location(number uint32) *profile.Location {
	if known := w.locations[number]; known != nil {
		return known
	}
	place := w.tally.Place(number)
	line := profile.Line{Function: w.function(place.Function)}
	if place.Line != trace.NoLine {
		line.Line = int64(place.Line)
	}
	location := &profile.Location{ID: uint64(len(w.profile.Location) + 1), Line: []profile.Line{line}}
	w.profile.Location = append(w.profile.Location, location)
	w.locations[number] = location
	return location
}

// function returns the function with a number of the tally. Its system name is the trace's, prefixed by the class.
func (w *Writer) function(number uint32) *profile.Function {
	if known := w.functions[number]; known != nil {
		return known
	}
	f := w.tally.Function(number)
	function := &profile.Function{
		ID: uint64(len(w.profile.Function) + 1), Name: w.text(f.Title(".")), Filename: w.text(f.File),
		SystemName: w.text(strings.TrimPrefix(f.Class+"."+f.Name, ".")),
	}
	w.profile.Function = append(w.profile.Function, function)
	w.functions[number] = function
	return function
}

// text returns a sanitized name: pprof prints names on terminals as they are.
func (w *Writer) text(name string) string {
	shown, ok := w.texts[name]
	if !ok {
		shown = sanitize.Text(name)
		w.texts[name] = shown
	}
	return shown
}

// monitorTitle returns the class of a monitor as Java writes it; for a lock, the class that programs use. Arrays keep
// the JVM's form.
func monitorTitle(class string) string {
	if _, represented := javaname.SplitClassObject(class); represented != "" {
		return "class " + strings.ReplaceAll(represented, "/", ".")
	}
	if _, ok := javaname.SynchronizerOf(class); ok {
		return javaname.PlainClass(class)
	}
	return strings.ReplaceAll(class, "/", ".")
}
