package monlog

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// stackTrace is the stack trace of an event as a trace has it, with the locations in the code.
type stackTrace struct {
	frames      []byte // a text of builder.AppendFrame
	annotations []byte // of builder.AppendAnnotation
	count       uint64 // of the annotations
}

// annotate adds an annotation.
func (s *stackTrace) annotate(name string, value []byte) {
	s.annotations = builder.AppendAnnotation(s.annotations, name, value)
	s.count++
}

// maxStacks limits the cache of stack traces in bytes. A program waits at few places again and again.
const maxStacks = 16 << 20

// stackOf returns the stack trace of an event; nil if the line has none.
func (r *reader) stackOf(rec *record) *stackTrace {
	if len(rec.stack) == 0 {
		r.withoutStack++
		return nil
	}
	r.withStack++
	if known, ok := r.stacks.Get(string(rec.stack)); ok {
		return known
	}
	read, sound := r.readStack(rec)
	if sound { // a damaged one is reported each time
		r.stacks.Put(string(rec.stack), read, 2*len(rec.stack)+len(read.frames)+len(read.annotations))
	}
	return read
}

// readStack decodes a stack trace and emits the definitions of its methods. sound is false if it is damaged.
func (r *reader) readStack(rec *record) (read *stackTrace, sound bool) {
	text, next := field(rec.stack, 0)
	depth, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || depth < 0 {
		r.wrong(ruleStack, rec.stackAt, "invalid depth "+sanitize.Quote(text)+
			" of a stack trace: want a decimal number; the event is used without a stack trace")
		return &stackTrace{}, false
	}
	var stack, locations []byte
	frames := 0
	sound = true
	for next < len(rec.stack) || next == len(rec.stack) && frames < depth {
		at := next
		method, locationAt := field(rec.stack, at)
		if locationAt > len(rec.stack) {
			r.wrong(ruleStack, rec.stackAt+at, "the method "+sanitize.Quote(method)+
				" has no location; the stack trace ends before it")
			sound = false
			break
		}
		location, end := field(rec.stack, locationAt)
		id, ok := hexadecimal(method)
		place, ok2 := hexadecimal(location)
		if !ok || !ok2 {
			r.wrong(ruleStack, rec.stackAt+at, "invalid frame "+
				sanitize.Quote(rec.stack[at:min(end-1, len(rec.stack))])+
				": want a method and a location, both hexadecimal; the stack trace ends before it")
			sound = false
			break
		}
		stack = builder.AppendFrame(stack, id, r.methodLine(id, place))
		if frames > 0 {
			locations = append(locations, ' ')
		}
		locations = fmt.Appendf(locations, "%X", place)
		frames++
		next = end
	}
	if frames != depth && sound {
		r.warn(ruleStack, rec.stackAt, fmt.Sprintf("the stack trace claims a depth of %d and has %s; these are used",
			depth,
			phrase.Count(frames, "frame")))
		sound = false
	}
	read = &stackTrace{frames: stack}
	if len(stack) > 0 {
		read.annotate(trace.NoteStack, stack)
	}
	if frames > 0 || sound { // a sound one without frames is empty
		read.annotate(trace.NoteLocations, locations)
	}
	return read, sound
}

// methodLine returns the line of a location; the first call for a method emits its definition.
func (r *reader) methodLine(id, location uint64) (line int32) {
	if r.metadata == nil {
		return trace.NoLine
	}
	m := r.metadata.methods[id]
	if m == nil {
		r.unknownMethods = true
		return trace.NoLine
	}
	if !m.defined {
		m.defined = true
		r.defineMethod(id, m)
	}
	return m.lineAt(location)
}

// defineMethod emits a methodDef with the id that the method has in the log.
func (r *reader) defineMethod(id uint64, m *method) {
	class := r.out.Class(m.Class)
	e := r.out.Element(trace.MethodDef, r.lines.Offset).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef,
		class)
	e.Text(trace.AttrName, javaname.TraceMethod(m.Name))
	if m.Signature != "" {
		e.Text(trace.AttrSignature, m.Signature)
	}
	if first, last, ok := m.bounds(); ok {
		e.Number(trace.AttrStartLineNumber, first).Number(trace.AttrEndLineNumber, last)
	}
	e.Put() // an error is kept
}
