package perfetto

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// kind says what a mark is.
type kind uint8

// The kinds of marks.
const (
	slice   kind = iota // a segment, or a piece of the critical path
	ending              // the end of a slice, for formats that want it
	point               // a segment without length
	instant             // an event that is no state
	loop                // a deadlock, across all tracks
	tail                // where an arrow begins
	head                // where it ends
	kindCount
)

// mark is something at one time on a track, as it is sorted and then written.
type mark struct {
	kind    kind
	look    look
	session uint64
	track   trace.ThreadKey // pathTrack or the thread's
	at      trace.Time
	length  int64  // of a slice, in nanoseconds
	event   uint64 // which it is of; of an arrow, the one at this end of it
	arrow   uint64 // the number of the arrow: that of the Running event at its head
	subject []byte // what the look's name is completed with, or nothing: the class of the monitor, a thread
	before  []byte // what stands before the look's name, or nothing: the thread of a piece of the critical path
	details []byte // arguments, encoded
}

// pathTrack is the track of the critical path. No thread has this key.
const pathTrack trace.ThreadKey = 0

// append appends the mark, but for its time, which is in the key that it is sorted by.
func (m *mark) append(dst []byte) []byte {
	dst = append(dst, byte(m.kind), byte(m.look))
	dst = binary.AppendUvarint(dst, m.session)
	dst = binary.AppendUvarint(dst, uint64(m.track))
	dst = binary.AppendUvarint(dst, uint64(m.length))
	dst = binary.AppendUvarint(dst, m.event)
	dst = binary.AppendUvarint(dst, m.arrow)
	dst = appendBytes(dst, m.before)
	dst = appendBytes(dst, m.subject)
	return append(dst, m.details...)
}

// read reads what append has written. The mark's texts are parts of the record.
func (m *mark) read(at trace.Time, record []byte) {
	*m = mark{kind: kind(record[0]), look: look(record[1]), at: at}
	r := details(record[2:])
	m.session = r.number()
	m.track = trace.ThreadKey(r.number())
	m.length = int64(r.number())
	m.event = r.number()
	m.arrow = r.number()
	m.before, m.subject = r.bytes(), r.bytes()
	m.details = r
}

func appendBytes(dst, value []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(value))), value...)
}

// details are encoded values that are read one after the other.
type details []byte

func (d *details) number() uint64 {
	value, size := binary.Uvarint(*d)
	*d = (*d)[size:]
	return value
}

func (d *details) bytes() []byte {
	size := d.number()
	value := (*d)[:size]
	*d = (*d)[size:]
	return value
}

// value is that of an argument: a number or a text, as its form says.
type value struct {
	number uint64
	text   []byte
}

// values gives the mark's arguments.
func (m *mark) values() iter.Seq2[argument, value] {
	return func(yield func(argument, value) bool) {
		rest := details(m.details)
		for len(rest) > 0 {
			name := argument(rest[0])
			rest = rest[1:]
			var v value
			switch arguments[name].form {
			case number:
				v.number = rest.number()
			case text:
				v.text = rest.bytes()
			}
			if !yield(name, v) {
				return
			}
		}
	}
}

// writer collects the arguments of a mark.
type writer struct{ buf, scratch []byte }

func (w *writer) number(name argument, value uint64) {
	w.buf = binary.AppendUvarint(append(w.buf, byte(name)), value)
}

// text adds a text that is not "".
func (w *writer) text(name argument, value string) {
	if value != "" {
		w.buf = binary.AppendUvarint(append(w.buf, byte(name)), uint64(len(value)))
		w.buf = append(w.buf, value...)
	}
}

// id adds an id that is known.
func (w *writer) id(name argument, id trace.ID) {
	if number, ok := id.Number(); ok {
		w.scratch = trace.AppendDecimal(w.scratch[:0], number)
		w.buf = appendBytes(append(w.buf, byte(name)), w.scratch)
		return
	}
	w.text(name, shown(id.String()))
}

// frame adds a call that is known.
func (w *writer) frame(name argument, frame trace.Frame) {
	if frame.Method != nil {
		w.scratch = appendFrame(w.scratch[:0], frame)
		w.buf = appendBytes(append(w.buf, byte(name)), w.scratch)
	}
}

// stack adds a call stack that is known.
func (w *writer) stack(lines []byte) {
	if lines != nil {
		w.buf = appendBytes(append(w.buf, byte(stackArgument)), lines)
	}
}

// maxStackLines is the limit for the lines of call stacks that are cached, in bytes.
const maxStackLines = 16 << 20

// stackLines returns the lines of the stack, which many marks share; nil if that is nil.
func (s *Sink) stackLines(stack *trace.Stack) []byte {
	if stack == nil {
		return nil
	}
	lines, ok := s.stacks.Get(stack)
	if !ok {
		lines = linesOf(stack)
		s.stacks.Put(stack, lines, len(lines))
	}
	return lines
}

// mostStack is about how many bytes of a call stack are shown.
const mostStack = 16 << 10

// linesOf has a call on each line, the innermost first.
func linesOf(stack *trace.Stack) (lines []byte) {
	for i, frame := range stack.Frames {
		if len(lines) > mostStack {
			return fmt.Appendf(lines, "\n… and %d more", len(stack.Frames)-i+stack.Omitted)
		}
		if i > 0 {
			lines = append(lines, '\n')
		}
		lines = appendFrame(lines, frame)
	}
	if stack.Omitted > 0 {
		lines = fmt.Appendf(lines, "\n… and %d more", stack.Omitted)
	}
	return lines
}

// appendFrame appends a call as Java prints it: class.method(File.java:12).
func appendFrame(dst []byte, frame trace.Frame) []byte {
	method := frame.Method
	if method.Class == "" && method.Name == "" {
		return append(dst, "unknown"...)
	}
	dst = append(append(append(dst, shown(method.Class)...), '.'), shown(method.Name)...)
	if method.File == "" && frame.Line == trace.NoLine {
		return dst
	}
	dst = append(append(dst, '('), shown(method.File)...)
	if frame.Line != trace.NoLine {
		dst = trace.AppendDecimal(append(dst, ':'), uint64(frame.Line))
	}
	return append(dst, ')')
}

// flag adds what is true.
func (w *writer) flag(name argument, value bool) {
	if value {
		w.buf = append(w.buf, byte(name))
	}
}

// longest is how many characters of a name are shown.
const longest = 200

// shown is a name as it can stand in a drawing: valid UTF-8 on one line, without its middle if it is long.
func shown(name string) string {
	switch {
	case len(name) <= longest && isPlain(name):
		return name
	case len(name) > 8*longest: // what is dropped here is in the middle, also where a character has four bytes
		name = name[:4*longest] + name[len(name)-4*longest:]
	}
	return sanitize.Short(sanitize.Text(name), longest)
}

func isPlain(name string) bool {
	for i := range len(name) {
		if name[i] < ' ' || name[i] >= 0x7F {
			return false
		}
	}
	return true
}

// category is how viewers file the mark.
func (m *mark) category() category {
	if m.track == pathTrack {
		return pathPieces
	}
	return looks[m.look].category
}

// appendName appends the mark's name for people: "blocked: java/util/Vector", or "main: running" on the critical path.
func (m *mark) appendName(dst []byte) []byte {
	if len(m.before) > 0 {
		dst = append(append(dst, m.before...), ": "...)
	}
	dst = append(dst, looks[m.look].name...)
	if len(m.subject) > 0 {
		dst = append(append(dst, ": "...), m.subject...)
	}
	return dst
}
