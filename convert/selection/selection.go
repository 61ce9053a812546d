package selection

import (
	"math"
	"slices"

	"github.com/trcx/trcx/convert/segment"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace"
)

// Selection says what is let through. The zero Selection is everything.
type Selection struct {
	// Threads are patterns for the names or ids of threads, Groups for those of thread groups: one of each must match,
	// if there are any.
	Threads, Groups []glob.Pattern
	// Classes are patterns for the classes of the monitors that threads were blocked on or waited for.
	Classes []glob.Pattern
	// From and To bound the time. Segments are cut off there; of events those from From on and before To are let
	// through.
	From, To Moment
	// Min is the least length of a segment, in nanoseconds, before it is cut off. Those in which a thread ran are never
	// too short.
	Min int64
}

// IsEverything says whether nothing is left out.
func (s *Selection) IsEverything() bool {
	return len(s.Threads)+len(s.Groups)+len(s.Classes) == 0 && !s.From.known && !s.To.known && s.Min == 0
}

// Filter lets through what is selected.
type Filter struct {
	segment.Sink
	selection Selection
	from, to  trace.Time
	threads   []bool // by their keys: they are selected
	passed    bool   // something was let through
	length    int64  // of the trace
}

// NewFilter returns a filter that gives what is selected to the sink.
func NewFilter(selection Selection, sink segment.Sink) *Filter {
	return &Filter{Sink: sink, selection: selection, from: math.MinInt64, to: math.MaxInt64}
}

// Entrance is what the stream is to go into: the filter, or right behind it where everything is selected.
func (f *Filter) Entrance() segment.Sink {
	if f.selection.IsEverything() {
		return f.Sink
	}
	return f
}

// Start finds out what the bounds are in the trace's time.
func (f *Filter) Start(at trace.Time) error {
	f.from, f.to = f.selection.From.Or(at, f.from), f.selection.To.Or(at, f.to)
	return f.Sink.Start(at)
}

// Thread notes whether the thread is selected.
func (f *Filter) Thread(t *trace.ModelThread) error {
	for int(t.Key) >= len(f.threads) {
		f.threads = append(f.threads, false)
	}
	s := &f.selection
	f.threads[t.Key] = (len(s.Threads) == 0 || glob.Any(s.Threads, t.Name) ||
		glob.Any(s.Threads, t.ID.String())) &&
		(len(s.Groups) == 0 || glob.Any(s.Groups, t.Group))
	described := *t
	described.Aside = !f.threads[t.Key]
	return f.Sink.Thread(&described)
}

// selectedClass says whether segments at objects of the class are selected.
func (f *Filter) selectedClass(s *trace.Segment) bool {
	patterns := f.selection.Classes
	return len(patterns) == 0 || s.Object.Known() && slices.ContainsFunc(patterns, func(p glob.Pattern) bool {
		return p.MatchClass(s.Class)
	})
}

// selected says whether the thread is.
func (f *Filter) selected(key trace.ThreadKey) bool {
	return int(key) < len(f.threads) && f.threads[key]
}

// Event lets through the events of the selected threads and times.
func (f *Filter) Event(e *trace.ModelEvent) error {
	if !f.selected(e.Thread.Key) || e.Time < f.from || e.Time >= f.to {
		return nil
	}
	f.passed = true
	return f.Sink.Event(e)
}

// End notes how long the trace lasts.
func (f *Filter) End(s *trace.Summary) error {
	f.length = int64(s.Last - s.Start)
	return f.Sink.End(s)
}

// Empty says, behind the end, whether a selection has let nothing through, and how long the trace lasts, in
// nanoseconds.
func (f *Filter) Empty() (empty bool, length int64) {
	return !f.passed && !f.selection.IsEverything(), f.length
}

// Segment lets through what lies in the time of the segments of the selected threads and classes.
func (f *Filter) Segment(s *trace.Segment) error {
	if !f.selected(s.Thread.Key) {
		return nil
	}
	if !s.State.IsBusy() && (s.Length() < f.selection.Min || !f.selectedClass(s)) {
		return nil
	}
	if s.Begin >= f.to || s.End <= f.from && s.Begin < f.from {
		return nil
	}
	f.passed = true
	if s.Begin >= f.from && s.End <= f.to {
		return f.Sink.Segment(s)
	}
	cut := *s
	cut.Begin = max(s.Begin, f.from)
	if s.End > f.to {
		cut.End, cut.Open = f.to, false
	}
	return f.Sink.Segment(&cut)
}
