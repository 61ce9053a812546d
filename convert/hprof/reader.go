package hprof

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"

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

// reader is the shared part of the readers of both forms.
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

// windowSize is the size of the window in bytes: the lookahead to detect a layout, and the largest record that is read
// as a whole.
const windowSize = 1 << 20

// input is the log with a window that moves forward.
type input struct {
	ctx      context.Context
	in       io.Reader
	buf      []byte // grows as needed
	pos, end int    // the unread bytes in buf
	base     int64  // offset of buf in the log
	err      error  // io.EOF or the error that ended the reading
}

func newInput(ctx context.Context, in io.Reader) *input {
	return &input{ctx: ctx, in: in, buf: make([]byte, 128<<10)}
}

// offset returns the offset of the next byte in the log.
func (s *input) offset() int64 { return s.base + int64(s.pos) }

// have reports whether the next n bytes, at most windowSize, are in the window; false at the end of the log.
func (s *input) have(n int) bool { return s.end-s.pos >= n || s.fill(n, windowSize) }

// haveWithin is have for a window of another maximal size.
func (s *input) haveWithin(n, largest int) bool { return s.end-s.pos >= n || s.fill(n, largest) }

// anotherLog reports whether another log begins at the next byte.
func (s *input) anotherLog() bool {
	return s.have(1) && s.window()[0] == nextTitle[0] && s.have(len(nextTitle)) &&
		bytes.HasPrefix(s.window(), []byte(nextTitle))
}

// window returns the unread bytes in the window. They are valid until the next call of have or skip.
func (s *input) window() []byte { return s.buf[s.pos:s.end] }

// fill reads until the next n bytes are in the window, which may grow up to a size.
func (s *input) fill(n, largest int) bool {
	if s.end-s.pos < n && s.err == nil { // move the unread bytes to the begin
		s.base += int64(s.pos)
		s.pos, s.end = 0, copy(s.buf, s.window())
	}
	idle := 0
	for s.end < n && s.err == nil {
		if s.end == len(s.buf) {
			s.buf = append(s.buf, make([]byte, min(len(s.buf), largest-len(s.buf)))...)
		}
		if s.err = s.ctx.Err(); s.err != nil {
			return false
		}
		var more int
		more, s.err = s.in.Read(s.buf[s.end:])
		if s.end += more; more > 0 {
			idle = 0
		} else if idle++; idle > 100 && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return s.end-s.pos >= n
}

// skip skips n bytes. It reports false if the log ends before.
func (s *input) skip(n int64) bool {
	for n > int64(s.end-s.pos) {
		n -= int64(s.end - s.pos)
		s.pos = s.end
		if !s.fill(1, windowSize) {
			return false
		}
	}
	s.pos += int(n)
	return true
}

// readError returns the error that ended the reading, other than the end of the log.
func (s *input) readError() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

func u2(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func u4(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func u8(b []byte) uint64 { return binary.BigEndian.Uint64(b) }

// maxDefinitions limits the bytes of names, classes, frames, stack traces and threads, as estimated by the costs below.
// The garbage collector may double it. A large server has 60 MB.
const maxDefinitions = 96 << 20

// The cost of one item without its text: the values, and their share of the growing tables that have them.
const (
	classCost      = 320
	frameCost      = 72
	methodCost     = 96
	traceCost      = 96
	threadCost     = 48
	nameCost       = 96
	serialCost     = 48
	suspensionCost = 160
)

// The limits of single items.
const (
	maxName      = 64 << 10 // bytes of a name, as in a class file
	maxFieldName = 64       // bytes kept of the name of a field
	maxRedefined = 100      // redefinitions of classes; each invalidates all resolved classes
	maxDepth     = 1 << 10  // superclasses of a class. HotSpot has fewer than a hundred; more are a cycle
)

// memoryLimit is the rest of maxDefinitions.
type memoryLimit struct {
	left    int
	reached []string // kinds of items that exceeded it
}

// reserve charges bytes for an item of a kind. It reports false if that exceeds the limit, and adds a finding once for
// each kind.
func (r *memoryLimit) reserve(what string, bytes int, found *findings, place trace.Place) bool {
	if bytes <= r.left {
		r.left -= bytes
		return true
	}
	if !slices.Contains(r.reached, what) {
		r.reached = append(r.reached, what)
		found.add(ruleLimit, trace.Error, place,
			"limit of %[2]d MiB for definitions reached: further %[1]s are skipped; objects are still read",
			what, maxDefinitions>>20)
	}
	return false
}
