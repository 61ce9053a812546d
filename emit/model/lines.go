package model

import (
	"io"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// lines writes the model as JSON Lines while it is computed. Its memory does not depend on the length of the trace.
type lines struct {
	out      io.Writer
	buf      []byte
	start    trace.Time
	hasStart bool
	first    trace.Session
	headed   bool // the line of kind trace is written
	stacks   stackTexts
	err      error
}

// flushAt is the size in bytes from which the buffer is written.
const flushAt = 64 << 10

func newLines(out io.Writer) *lines {
	return &lines{out: out, buf: make([]byte, 0, flushAt+4<<10), stacks: newStackTexts()}
}

// Put writes the line of the record. Intervals and activities have no lines: the events imply them.
func (l *lines) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelEvent:
		l.event(r)
	case *trace.Origin:
		l.start, l.hasStart = r.Time, true
	case *trace.Session:
		l.session(r)
	case *trace.ModelThread:
		l.line("thread", func(o *object) { o.thread(r) })
	case *trace.ModelObject:
		l.line("object", func(o *object) { o.object(r) })
	case *trace.Binding:
		l.line("binding", func(o *object) { o.binding(r) })
	case *trace.DeadlockLoop:
		l.line("deadlock", func(o *object) { o.deadlock(r, l.start) })
	case *trace.Summary:
		l.line("end", func(o *object) { o.summary(r) })
		l.flush()
	}
	return l.err
}

// Close writes the rest of the lines, which lack the end without a Summary, and returns the first error.
func (l *lines) Close() error {
	l.flush()
	return l.err
}

// session keeps the first session for the line of kind trace, and writes a line for each further session and each later
// description.
func (l *lines) session(s *trace.Session) {
	if !l.headed && s.Index == 0 {
		l.first = *s
		return
	}
	l.line("session", func(o *object) {
		o.number("session", int64(s.Index))
		o.session(s)
	})
}

// event writes the line of an event. Its effect is in the lines of the caused events and in lines of kind binding,
// unless the event itself names the effect.
func (l *lines) event(e *trace.ModelEvent) {
	l.head()
	dst := append(l.buf, `{"kind":"event","thread":`...)
	dst = digits.Append(dst, uint64(e.Thread.Key))
	dst = append(dst, `,"threadId":`...)
	dst = appendID(dst, e.Thread.ID.ID)
	dst = append(dst, ',')
	dst = appendEvent(dst, e, l.start, l.stacks)
	if e.Cause.ID != 0 {
		dst = append(dst, `,"cause":`...)
		dst = digits.Append(dst, uint64(e.Cause.ID))
	}
	switch e.Type.Causes() {
	case trace.CausesOne:
		if e.Running != 0 {
			dst = append(dst, `,"runningEvent":`...)
			dst = digits.Append(dst, uint64(e.Running))
		}
	case trace.CausesMany:
		dst = append(dst, `,"runningEvents":[]`...)
	}
	l.buf = append(dst, "}\n"...)
	l.flushFull()
}

// line writes a line of the kind with the fields.
func (l *lines) line(kind string, fields func(*object)) {
	l.head()
	o := object{buf: append(append(append(l.buf, `{"kind":"`...), kind...), '"')}
	fields(&o)
	l.buf = append(o.buf, "}\n"...)
	l.flushFull()
}

// head writes the line of kind trace, once.
func (l *lines) head() {
	if l.headed {
		return
	}
	l.headed = true
	o := object{buf: append(l.buf, `{"kind":"trace"`...)}
	o.string("format", formatName)
	o.number("version", version)
	if l.hasStart {
		o.string("startTime", l.start.String())
	}
	o.buf = append(o.buf, `,"sessions":[{`...)
	o.session(&l.first)
	l.buf = append(o.buf, "}]}\n"...)
}

// flushFull writes the buffer out if it is full.
func (l *lines) flushFull() {
	if len(l.buf) >= flushAt {
		l.flush()
	}
}

// flush writes the buffer out. After an error nothing more is written.
func (l *lines) flush() {
	if l.err == nil && len(l.buf) > 0 {
		_, l.err = l.out.Write(l.buf)
		l.buf = l.buf[:0]
	}
}

// Writer is a trace.Sink that writes the model in one of its formats.
type Writer struct {
	sink interface {
		trace.Sink
		io.Closer
	}
}

// Format is one of the model's formats.
type Format uint8

// The formats.
const (
	JSON      Format = iota // one document, written at the end: each thread with its events
	JSONLines               // a stream of lines, written in blocks of 64 KiB; memory does not depend on their number
)

// String names the format.
func (f Format) String() string { return [...]string{JSON: "JSON", JSONLines: "JSON Lines"}[f] }

// Options choose the output.
type Options struct {
	Format Format
	// TempDir is the directory of temporary files of JSON; "" is os.TempDir().
	TempDir string
	// Memory is the limit in bytes of the records that JSON sorts in memory; above it they go to a file. 0 is 4 MiB.
	Memory int
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, o Options) *Writer {
	if o.Format == JSONLines {
		return &Writer{newLines(w)}
	}
	return &Writer{newGrouped(w, o)}
}

// Put writes or sorts the record. The Summary completes the output.
func (w *Writer) Put(r trace.Record) error { return w.sink.Put(r) }

// Close removes the temporary files of JSON, and completes the last block of JSONLines, whose first error it returns.
// It may be called at any time, and twice.
func (w *Writer) Close() error { return w.sink.Close() }
