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
	// Heap, if not nil, consumes the objects, references and roots of binary heap dumps. They are not emitted then.
	Heap Heap
	// Contents, if not nil, consumes what arrays and containers of binary heap dumps hold.
	Contents Contents
}

// Heap consumes the contents of heap dumps, which are too many for an event each. An error ends the reading.
type Heap interface {
	// Object consumes an object: its class, by the classId of a ClassDef before it, 0 if unknown; its size in bytes
	// with header and alignment, 0 if unknown; and what it is an array of, as isArray of an ObjAlloc.
	Object(id, class, size uint64, isArray uint8) error
	// Reference consumes a reference of an object to another one, before or after these. A weak reference is the
	// referent of a java.lang.ref.Reference.
	Reference(from, to uint64, weak bool) error
	// Root consumes a root of an object. kind is in words, such as "JNI global". thread is the serial number of the
	// root's thread, 0 for no thread. call is the call that has the root, in words, "" for no call.
	Root(object uint64, kind string, thread uint64, call string) error
}

// Unsupported calls OnUnsupported if the log does not have the information; see trace.Lack.
func (o *Options) Unsupported(is bool, what, means string) {
	o.Lacks(is, trace.Lack{What: what, Means: means})
}

// Lacks calls OnUnsupported with the lack if the log has it.
func (o *Options) Lacks(is bool, lack trace.Lack) {
	if is && o.OnUnsupported != nil {
		o.OnUnsupported(lack)
	}
}

// Add calls Report, if it is not nil.
func (o *Options) Add(f trace.Finding) {
	if o.Report != nil {
		o.Report(f)
	}
}
