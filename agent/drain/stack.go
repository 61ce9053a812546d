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
	if r.Payload == nil {
		return nil
	}
	d.scratch.frames = r.Frames(d.scratch.frames[:0])
	text := append(d.scratch.annotation[:0], stackBegin...)
	for _, frame := range d.scratch.frames {
		text = d.appendFrame(text, frame)
	}
	d.scratch.annotation = text
	if len(text) == len(stackBegin) {
		return nil
	}
	d.scratch.annotation = append(text[:len(text)-1], stackEnd...) // without the last blank
	return d.scratch.annotation
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
