package selection

import (
	"math"
	"slices"

	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Selection is a part of a trace. The zero Selection is everything.
type Selection struct {
	// Threads are patterns for the names or ids of threads, Groups for the names of thread groups. If there are any,
	// one of each must match. * matches any characters, ? matches one, [a-z] one of these, [!a-z] one other.
	Threads, Groups []string
	// Classes are patterns for the classes of the monitors that threads were blocked on or waited for.
	Classes []string
	// Window is the part of the time. Intervals are cut at its bounds.
	Window Window
	// Min is the least length of an interval, in nanoseconds, before it is cut. Intervals in which a thread ran always
	// pass.
	Min int64
}

// IsEverything reports whether nothing is left out.
func (s *Selection) IsEverything() bool {
	return len(s.Threads)+len(s.Groups)+len(s.Classes) == 0 && s.Window.IsEverything() && s.Min == 0
}

// SelectThreads returns the function that reports whether a thread is selected; nil if all threads are.
func (s *Selection) SelectThreads() func(id, name, group string) bool {
	if len(s.Threads)+len(s.Groups) == 0 {
		return nil
	}
	names, groups := parsed(s.Threads, glob.Names), parsed(s.Groups, glob.Names)
	return func(id, name, group string) bool {
		return (len(names) == 0 || glob.Any(names, name) || glob.Any(names, id)) &&
			(len(groups) == 0 || glob.Any(groups, group))
	}
}

// Filter is a trace.Sink that passes the selected records on.
type Filter struct {
	dst       trace.Sink
	selection Selection
	classes   []glob.Pattern
	selects   func(id, name, group string) bool // nil for all threads
	since     trace.Time
	until     trace.Time
	threads   []bool // by key: the thread is selected
	passed    bool   // something has passed
	classed   bool   // an object has a selected class
	length    int64  // of the trace
}

// NewFilter returns a Filter that puts the selected records into dst.
func NewFilter(selection Selection, dst trace.Sink) *Filter {
	return &Filter{dst: dst, selection: selection, since: math.MinInt64, until: math.MaxInt64,
		classes: parsed(selection.Classes, glob.Classes), selects: selection.SelectThreads()}
}

func parsed(texts []string, parse func(string) glob.Pattern) (all []glob.Pattern) {
	for _, text := range texts {
		all = append(all, parse(text))
	}
	return all
}

// Entrance returns the sink for all records: the filter, or dst if everything is selected.
func (f *Filter) Entrance() trace.Sink {
	if f.selection.IsEverything() {
		return f.dst
	}
	return f
}

// Put passes on the selected events and intervals, and all other records.
func (f *Filter) Put(r trace.Record) error {
	switch of := r.(type) {
	case *trace.Origin:
		f.since, f.until = f.selection.Window.Bounds(of.Time)
	case *trace.ModelThread:
		r = f.thread(of)
	case *trace.ModelEvent:
		if !f.selected(of.Thread.Key) || !f.holds(of.Time) {
			return nil
		}
		f.passed = true
	case *trace.Interval:
		if !f.passes(of) {
			return nil
		}
		f.passed = true
		r = f.cut(of)
	case *trace.Sample:
		if !f.selected(of.Thread.Key) || !f.holds(of.Time) {
			return nil
		}
	case *trace.Start:
		if r = f.start(of); r == nil {
			return nil
		}
	case *trace.ModelObject:
		f.classed = f.classed || f.matchesClass(of.Class)
	case *trace.Collection:
		if !f.holds(of.End) {
			return nil
		}
	case *trace.Summary:
		f.length = int64(of.Last - of.Start)
	}
	return f.dst.Put(r)
}

// thread notes whether the thread is selected, and returns it with Aside if not.
func (f *Filter) thread(t *trace.ModelThread) *trace.ModelThread {
	for int(t.Key) >= len(f.threads) {
		f.threads = append(f.threads, false)
	}
	f.threads[t.Key] = f.selects == nil || f.selects(t.ID.String(), t.Name, t.Group)
	described := *t
	described.Aside = !f.threads[t.Key]
	return &described
}

// start returns the selected part of the start, or nil. It is selected by the started thread, or else by the starting
// one, but by no class.
func (f *Filter) start(s *trace.Start) trace.Record {
	key := s.Thread
	if s.Open {
		key = s.By
	}
	length := s.Length()
	switch {
	case !f.selected(key) || len(f.classes) > 0 || length < f.selection.Min:
		return nil
	case length == 0 && !f.holds(s.Time) || length > 0 && (s.Time >= f.until || s.End <= f.since):
		return nil
	case length == 0:
		return s
	}
	cut := *s
	cut.Time, cut.End = max(s.Time, f.since), min(s.End, f.until)
	return &cut
}

// selectedClass reports whether intervals at objects of the class are selected.
func (f *Filter) selectedClass(s *trace.Interval) bool {
	return len(f.classes) == 0 || s.Object.Known() && f.matchesClass(s.Class)
}

func (f *Filter) matchesClass(class string) bool {
	return slices.ContainsFunc(f.classes, func(p glob.Pattern) bool {
		return p.MatchClass(javaname.OfMonitor(class)...)
	})
}

// NoClass reports, after the Summary, whether classes are selected, but threads acted on no object of them.
func (f *Filter) NoClass() bool { return len(f.classes) > 0 && !f.classed }

// selected reports whether the thread is selected.
func (f *Filter) selected(key trace.ThreadKey) bool {
	return int(key) < len(f.threads) && f.threads[key]
}

// Empty reports, after the Summary, whether a selection has selected nothing, and how long the trace lasts, in
// nanoseconds.
func (f *Filter) Empty() (empty bool, length int64) {
	return !f.passed && !f.selection.IsEverything(), f.length
}

// holds reports whether the time lies in the window.
func (f *Filter) holds(at trace.Time) bool { return at >= f.since && at < f.until }

// passes reports whether the interval, or a part of it, is selected.
func (f *Filter) passes(i *trace.Interval) bool {
	switch {
	case !f.selected(i.Thread.Key):
		return false
	case !i.Type.IsBusy() && (i.Length() < f.selection.Min || !f.selectedClass(i)):
		return false
	case i.Length() == 0:
		return f.holds(i.Time)
	}
	return i.Time < f.until && i.End > f.since
}

// cut returns the part of the interval in the window. TimedOut belongs to its last nanosecond.
func (f *Filter) cut(i *trace.Interval) *trace.Interval {
	if i.Length() == 0 || i.Time >= f.since && i.End <= f.until {
		return i
	}
	cut := *i
	cut.Whole = i.Length()
	cut.Time = max(i.Time, f.since)
	if i.End > f.until {
		cut.End, cut.TimedOut = f.until, false
	}
	return &cut
}
