package monlog

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// stacks has what was made of call stacks, by their texts: a program waits at few places and comes back to them.
type stacks struct {
	known map[string]*builder.Annotations
	size  int // bytes that they take
}

// mostStacks is how many bytes of stacks are kept. When there are more, all are forgotten.
const mostStacks = 16 << 20

// inside is what an element has inside whose event was at the stack; nil if the log says no stack.
func (r *reader) inside(rec *record) *builder.Annotations {
	if len(rec.stack) == 0 {
		r.stackless++
		return nil
	}
	r.stacked++
	if inside, ok := r.stacks.known[string(rec.stack)]; ok {
		return inside
	}
	inside, sound := r.readStack(rec)
	if sound { // else each is reported
		if r.stacks.size += 2*len(rec.stack) + inside.Size(); r.stacks.size > mostStacks || r.stacks.known == nil {
			r.stacks = stacks{known: map[string]*builder.Annotations{}, size: 2*len(rec.stack) + inside.Size()}
		}
		r.stacks.known[string(rec.stack)] = inside
	}
	return inside
}

// readStack reads a stack and defines the methods that it names. It is not sound if there is something wrong with it.
func (r *reader) readStack(rec *record) (inside *builder.Annotations, sound bool) {
	text, next := field(rec.stack, 0)
	depth, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || depth < 0 {
		r.wrong(RuleStack, rec.stackAt, "a call stack begins with its depth, a decimal number, not with "+
			sanitize.Quote(text)+
			"; the event is used without a stack")
		return &builder.Annotations{}, false
	}
	var stack, locations []byte
	frames := 0
	sound = true
	for next < len(rec.stack) || next == len(rec.stack) && frames < depth {
		at := next
		method, locationAt := field(rec.stack, at)
		if locationAt > len(rec.stack) {
			r.wrong(RuleStack, rec.stackAt+at, "the method "+sanitize.Quote(method)+
				" has no location; the stack ends before it")
			sound = false
			break
		}
		location, behind := field(rec.stack, locationAt)
		id, ok := hexadecimal(method)
		place, ok2 := hexadecimal(location)
		if !ok || !ok2 {
			r.wrong(RuleStack, rec.stackAt+at, "a frame is a method and a location, both hexadecimal, not "+
				sanitize.Quote(rec.stack[at:min(behind-1, len(rec.stack))])+"; the stack ends before it")
			sound = false
			break
		}
		stack = builder.AppendFrame(stack, id, r.define(id, place))
		if frames > 0 {
			locations = append(locations, ' ')
		}
		locations = appendHex(locations, place)
		frames++
		next = behind
	}
	if frames != depth && sound {
		r.warn(RuleStack, rec.stackAt, fmt.Sprintf("the stack says a depth of %d and has %s; these are used", depth,
			phrase.Count(frames, "frame")))
		sound = false
	}
	inside = &builder.Annotations{}
	inside.SetStack(stack)
	if frames > 0 || sound { // that it has none is known
		inside.Add(trace.LocationsAnnotation, string(locations))
	}
	return inside, sound
}

func appendHex(dst []byte, value uint64) []byte {
	begin := len(dst)
	dst = strconv.AppendUint(dst, value, 16)
	copy(dst[begin:], bytes.ToUpper(dst[begin:]))
	return dst
}

// define defines the method of the id, if it is known and was not defined before, and gives the line of the location.
func (r *reader) define(id, location uint64) (line int32) {
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

// defineMethod puts a methodDef: the method keeps the id that it has in the log.
func (r *reader) defineMethod(id uint64, m *method) {
	class := r.out.Class(m.Class)
	e := r.out.Element(trace.MethodDef, r.lines.Offset).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef,
		class)
	e.Text(trace.AttrName, trace.MethodName(m.Name))
	if m.Signature != "" {
		e.Text(trace.AttrSignature, m.Signature)
	}
	if first, last, ok := m.bounds(); ok {
		e.Number(trace.AttrStartLineNumber, first).Number(trace.AttrEndLineNumber, last)
	}
	e.Put() // an error is kept
}
