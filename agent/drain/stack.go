package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// The annotations of stack traces. Their value has the frames, innermost first, with blanks between them: the method's
// id, then a colon and the line if it is known.
const (
	stackBegin      = `<annotation name="` + trace.NoteStack + `" value="`
	ownerStackBegin = `<annotation name="` + trace.NoteOwnerStack + `" value="`
	stackEnd        = `"/>`
)

// stack returns the annotation with the record's stack trace, or nil if no frame is shown. It is valid until the next
// call.
func (d *Drainer) stack(r *ring.Record) []byte {
	d.scratch.annotation = d.appendStack(d.scratch.annotation[:0], r)
	return d.scratch.annotation
}

// enterStack is stack for a thread that enters a monitor. The interpreter then reports the instruction after
// monitorenter, which can be on the next line. Both monitorenter and the instruction before it are on the line of the
// synchronized block.
func (d *Drainer) enterStack(r *ring.Record) []byte {
	frames := d.frames(r)
	if len(frames) > 0 && frames[0].Location > 0 && frames[0].Location != ring.NoLocation {
		frames[0].Location--
	}
	d.scratch.annotation = d.appendFrames(d.scratch.annotation[:0], stackBegin, frames)
	return d.scratch.annotation
}

// frames returns the frames of the record's stack trace, innermost first; valid until the next call.
func (d *Drainer) frames(r *ring.Record) []ring.Frame {
	d.scratch.frames = d.scratch.frames[:0]
	if r.Payload != nil {
		d.scratch.frames = r.Frames(d.scratch.frames)
	}
	return d.scratch.frames
}

// appendStack appends the annotation with the record's stack trace, if any frame is shown.
func (d *Drainer) appendStack(text []byte, r *ring.Record) []byte {
	return d.appendFrames(text, stackBegin, d.frames(r))
}

// appendFrames appends the annotation with the given beginning, if any frame is shown.
func (d *Drainer) appendFrames(text []byte, annotation string, frames []ring.Frame) []byte {
	before := len(text)
	text = append(text, annotation...)
	begin := len(text)
	for _, frame := range frames {
		text = d.appendFrame(text, frame)
	}
	if len(text) == begin {
		return text[:before]
	}
	return append(text[:len(text)-1], stackEnd...) // without the last blank
}

// appendFrame appends a frame and a blank, or nothing if the method is hidden or its definition was lost.
func (d *Drainer) appendFrame(text []byte, frame ring.Frame) []byte {
	m, ok := d.definitions.methods[frame.Method]
	if !ok || m.hidden {
		return text
	}
	text = digits.Append(text, uint64(frame.Method))
	if line := d.definitions.line(m, frame.Location); line > 0 {
		text = digits.Append(append(text, ':'), uint64(line))
	}
	return append(text, ' ')
}
