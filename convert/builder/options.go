package builder

import "github.com/trcx/trcx/trace"

// Options are the options of all readers of logs.
type Options struct {
	// Session is the session index of the events.
	Session int
	// Report, if not nil, is called for each finding, in the order of the log.
	Report func(trace.Finding)
	// OnUnsupported, if not nil, is called once for each kind of information that the log does not have.
	OnUnsupported func(trace.Lack)
	// Count, if not nil, is called with the number of objects, roots and references of a heap dump, which may be many
	// millions. They are not emitted then.
	Count func(kind trace.Kind, n uint64) error
}

// Unsupported calls OnUnsupported if the log does not have the information; see trace.Lack.
func (o *Options) Unsupported(is bool, what, means string) {
	if is && o.OnUnsupported != nil {
		o.OnUnsupported(trace.Lack{What: what, Means: means})
	}
}

// Add calls Report, if it is not nil.
func (o *Options) Add(f trace.Finding) {
	if o.Report != nil {
		o.Report(f)
	}
}
