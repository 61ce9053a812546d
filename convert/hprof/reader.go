package hprof

import (
	"bytes"
	"context"
	"io"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// title begins a log of either form; a version follows.
const title = "JAVA PROFILE 1."

// nextTitle begins another log. No record and no line of a table begins like it.
const nextTitle = title + "0."

// agentTitle begins logs of the agent, which have a heap dump only on request.
const agentTitle = "JAVA PROFILE 1.0.1"

// anotherLogMessage is the message of ruleAnotherLog.
const anotherLogMessage = "another log begins here; only the first one is read; split the file"

// maxTitle limits the bytes before the NUL that ends the title of the binary form.
const maxTitle = 64

// Recognises reports whether the text begins like a log of either form.
func Recognises(head []byte) bool { return bytes.HasPrefix(head, []byte(title)) }

// isBinary reports whether a NUL follows the version.
func isBinary(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), maxTitle)], 0) >= 0
}

// Read reads a log of either form and passes its elements to put. The event is valid until put returns; use Clone to
// keep it. Damage of the log is reported as findings, and the rest is read. It returns errors of in, ctx and put. See
// builder.Options.Count and Heap for the elements of heap dumps.
func Read(ctx context.Context, in io.Reader, options builder.Options, put func(*trace.Event) error) (trace.Ending,
	error) {
	r := reader{
		input: newInput(ctx, in), findings: &findings{options: options, counts: map[string]*ruleCount{}},
		builder: builder.New(options.Session, nil, put), count: options.Count, contents: options.Heap,
		contentReader: contentReader{details: options.Contents},
		threads:       newThreads(), limit: memoryLimit{left: maxDefinitions},
	}
	r.have(maxTitle)
	if !isBinary(r.window()) {
		return readText(r)
	}
	b := &binaryReader{
		reader:     r,
		classTable: classTable{byID: map[uint64]*class{}, serials: map[uint32]*class{}, redefinitions: 1},
		program: program{names: map[uint64]string{}, methods: map[methodKey]uint32{},
			frames: map[uint64]frame{}, traces: map[uint32][]byte{},
			calls: calls{stacks: map[uint32][]frame{}, threads: map[uint32]uint32{}}},
	}
	b.readBinary()
	return b.ending(trace.Place{Offset: b.offset()})
}

// reader is the part of a reader that both forms have.
type reader struct {
	*input
	*findings
	builder   *builder.Builder
	count     func(trace.Kind, uint64) error // nil if all elements are emitted
	contents  builder.Heap                   // consumes the contents of heap dumps; nil if they are emitted
	err       error                          // of put, count or contents
	threads   threads                        // by serial number
	limit     memoryLimit
	truncated bool
	contentReader
}

// put emits an element and keeps an error.
func (r *reader) put(e builder.Element) {
	if r.err == nil {
		r.err = e.Put()
	}
}

// failed reports whether reading ended by an error.
func (r *reader) failed() bool { return r.err != nil || r.readError() != nil }

// ending returns the end of the log.
func (r *reader) ending(place trace.Place) (trace.Ending, error) {
	r.findings.finish()
	ending := trace.Ending{Truncated: r.truncated, Place: place}
	if r.err != nil {
		return ending, r.err
	}
	return ending, r.readError()
}

// addCount passes a number of elements to count.
func (r *reader) addCount(kind trace.Kind, n uint64) {
	if r.count != nil && r.err == nil && n > 0 {
		r.err = r.count(kind, n)
	}
}
