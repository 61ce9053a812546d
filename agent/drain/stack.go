package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// The annotation of a stack trace. Its value has the frames, innermost first, with blanks between them: the method's
// id, then a colon and the line if it is known.
const (
	stackBegin = `<annotation name="` + trace.StackAnnotation + `" value="`
	stackEnd   = `"/>`
)

// stack returns the annotation with the record's stack trace, or nil if no frame is shown. It is valid until the next
// call.
func (d *Drainer) stack(r *ring.Record) []byte {
	d.scratch.annotation = d.appendStack(d.scratch.annotation[:0], r)
	return d.scratch.annotation
}

// appendStack appends the annotation with the record's stack trace, if any frame is shown.
func (d *Drainer) appendStack(text []byte, r *ring.Record) []byte {
	if r.Payload == nil {
		return text
	}
	d.scratch.frames = r.Frames(d.scratch.frames[:0])
	before := len(text)
	text = append(text, stackBegin...)
	begin := len(text)
	for _, frame := range d.scratch.frames {
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
	text = trace.AppendDecimal(text, uint64(frame.Method))
	if line := d.definitions.line(m, frame.Location); line > 0 {
		text = trace.AppendDecimal(append(text, ':'), uint64(line))
	}
	return append(text, ' ')
}
