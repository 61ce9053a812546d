package model

import (
	"io"

	"github.com/trcx/trcx/trace"
)

// Lines writes the model as JSON Lines while it is computed. Its memory does not depend on the length of the trace.
type Lines struct {
	out      io.Writer
	buf      []byte
	start    trace.Time
	hasStart bool
	first    trace.Session
	headed   bool // the line of kind trace is written
	err      error
}

// flushAt is the size from which on the buffer is written out.
const flushAt = 64 << 10

// NewLines returns a sink that writes to out.
func NewLines(out io.Writer) *Lines {
	return &Lines{out: out, buf: make([]byte, 0, flushAt+4<<10)}
}

// Start notes the time from which the times count.
func (l *Lines) Start(at trace.Time) error {
	l.start, l.hasStart = at, true
	return l.err
}

// Session keeps the first session for the line of kind trace, and writes a line for each other one and for what becomes
// known later.
func (l *Lines) Session(s *trace.Session) error {
	if !l.headed && s.Index == 0 {
		l.first = *s
		return l.err
	}
	return l.line("session", func(o *object) {
		o.number("session", int64(s.Index))
		o.session(s)
	})
}

// Thread writes the line of a thread.
func (l *Lines) Thread(t *trace.ModelThread) error {
	return l.line("thread", func(o *object) { o.thread(t) })
}

// Object writes the line of an object.
func (l *Lines) Object(m *trace.ModelObject) error {
	return l.line("object", func(o *object) { o.object(m) })
}

// Event writes the line of an event. What it causes is said by the caused events and by lines of kind binding, but for
// the events that come with their effect.
func (l *Lines) Event(e *trace.ModelEvent) error {
	l.head()
	dst := append(l.buf, `{"kind":"event","thread":`...)
	dst = trace.AppendDecimal(dst, uint64(e.Thread.Key))
	dst = append(dst, `,"threadId":`...)
	dst = appendID(dst, e.Thread.ID.ID)
	dst = append(dst, ',')
	dst = appendEvent(dst, e, l.start)
	if e.Cause.ID != 0 {
		dst = append(dst, `,"cause":`...)
		dst = trace.AppendDecimal(dst, uint64(e.Cause.ID))
	}
	switch trace.ModelTypes[e.Type].Causes {
	case trace.CausesOne:
		if e.Running != 0 {
			dst = append(dst, `,"runningEvent":`...)
			dst = trace.AppendDecimal(dst, uint64(e.Running))
		}
	case trace.CausesMany:
		dst = append(dst, `,"runningEvents":[]`...)
	}
	l.buf = append(dst, "}\n"...)
	return l.flushed()
}

// Acted does nothing: what a thread did is in its events.
func (l *Lines) Acted(trace.ThreadRef, trace.Time) error { return l.err }

// Bind writes a line of kind binding.
func (l *Lines) Bind(b *trace.Binding) error {
	return l.line("binding", func(o *object) {
		o.number("cause", int64(b.Cause.ID))
		o.number("running", int64(b.Running))
		if b.Replaces.ID != 0 {
			o.number("replaces", int64(b.Replaces.ID))
		}
	})
}

// Deadlock writes a line of kind deadlock.
func (l *Lines) Deadlock(d *trace.DeadlockLoop) error {
	return l.line("deadlock", func(o *object) { o.deadlock(d, l.start) })
}

// End writes the last line and all that is not yet written.
func (l *Lines) End(s *trace.Summary) error {
	l.line("end", func(o *object) { o.summary(s) })
	if l.err == nil {
		_, l.err = l.out.Write(l.buf)
		l.buf = l.buf[:0]
	}
	return l.err
}

// line writes a line of the kind with the fields.
func (l *Lines) line(kind string, fields func(*object)) error {
	l.head()
	o := object{buf: append(append(append(l.buf, `{"kind":"`...), kind...), '"')}
	fields(&o)
	l.buf = append(o.buf, "}\n"...)
	return l.flushed()
}

// head writes the line of kind trace, once.
func (l *Lines) head() {
	if l.headed {
		return
	}
	l.headed = true
	o := object{buf: append(l.buf, `{"kind":"trace"`...)}
	o.string("format", Format)
	o.number("version", Version)
	if l.hasStart {
		o.string("startTime", l.start.String())
	}
	o.buf = append(o.buf, `,"sessions":[{`...)
	o.session(&l.first)
	l.buf = append(o.buf, "}]}\n"...)
}

// flushed writes the buffer out when there is much in it.
func (l *Lines) flushed() error {
	if len(l.buf) >= flushAt && l.err == nil {
		_, l.err = l.out.Write(l.buf)
		l.buf = l.buf[:0]
	}
	return l.err
}
