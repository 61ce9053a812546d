package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// What stands around the frames of a call stack: methods' ids, innermost first, each with a colon and the line if that
// is known, and blanks between them.
const (
	stackBegin = `<annotation name="` + trace.StackAnnotation + `" value="`
	stackEnd   = `"/>`
)

// stack is the annotation that holds the record's call stack, or nil if there are no frames to be shown.
func (d *Drainer) stack(r *ring.Record) []byte {
	if r.Payload == nil {
		return nil
	}
	d.frames = r.Frames(d.frames[:0])
	text := append(d.annotation[:0], stackBegin...)
	for _, frame := range d.frames {
		text = d.appendFrame(text, frame)
	}
	d.annotation = text
	if len(text) == len(stackBegin) {
		return nil
	}
	d.annotation = append(text[:len(text)-1], stackEnd...) // without the last blank
	return d.annotation
}

// appendFrame appends a frame and a blank, or nothing if the frame is not shown. Nor are those whose definition was
// lost.
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
