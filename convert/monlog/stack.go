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

// stackCache has the annotations of stack traces, by their texts: a program waits at few places again and again.
type stackCache struct {
	byText map[string]*builder.Annotations
	size   int // in bytes
}

// maxStacks limits the cache in bytes. Beyond it all are removed.
const maxStacks = 16 << 20

// annotations returns the stack annotations of an event; nil if the line has no stack trace.
func (r *reader) annotations(rec *record) *builder.Annotations {
	if len(rec.stack) == 0 {
		r.withoutStack++
		return nil
	}
	r.withStack++
	if inside, ok := r.stacks.byText[string(rec.stack)]; ok {
		return inside
	}
	inside, sound := r.readStack(rec)
	if sound { // a damaged one is reported each time
		if r.stacks.size += 2*len(rec.stack) + inside.Size(); r.stacks.size > maxStacks || r.stacks.byText == nil {
			r.stacks = stackCache{byText: map[string]*builder.Annotations{}, size: 2*len(rec.stack) + inside.Size()}
		}
		r.stacks.byText[string(rec.stack)] = inside
	}
	return inside
}

// readStack decodes a stack trace and emits the definitions of its methods. sound is false if it is damaged.
func (r *reader) readStack(rec *record) (inside *builder.Annotations, sound bool) {
	text, next := field(rec.stack, 0)
	depth, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || depth < 0 {
		r.wrong(ruleStack, rec.stackAt, "invalid depth "+sanitize.Quote(text)+
			" of a stack trace: want a decimal number; the event is used without a stack trace")
		return &builder.Annotations{}, false
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
		locations = appendHex(locations, place)
		frames++
		next = end
	}
	if frames != depth && sound {
		r.warn(ruleStack, rec.stackAt, fmt.Sprintf("the stack trace claims a depth of %d and has %s; these are used",
			depth,
			phrase.Count(frames, "frame")))
		sound = false
	}
	inside = &builder.Annotations{}
	inside.SetStack(stack)
	if frames > 0 || sound { // sound: it has none
		inside.Add(trace.NoteLocations, string(locations))
	}
	return inside, sound
}

func appendHex(dst []byte, value uint64) []byte {
	begin := len(dst)
	dst = strconv.AppendUint(dst, value, 16)
	copy(dst[begin:], bytes.ToUpper(dst[begin:]))
	return dst
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
