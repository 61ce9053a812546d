package perfetto

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// kind is the kind of a mark.
type kind uint8

// The kinds of marks.
const (
	slice   kind = iota // an interval, or a piece of the critical path
	ending              // the end of a slice, for formats that need it
	point               // an interval without length
	instant             // an event that is not a state
	loop                // a deadlock, across all tracks
	tail                // where an arrow begins
	head                // where it ends
	callBegin
	callEnd
	callPoint // a call without length
	sample
	kindCount
)

// mark is one item of the drawing on a track.
type mark struct {
	kind    kind
	style   style
	session uint64
	track   trace.ThreadKey // pathTrack or the thread's
	at      trace.Time
	length  int64  // of a slice, in nanoseconds; of a sample, what it stands for, 0 if that is unknown
	event   uint64 // its event; of an arrow, the one at this end
	arrow   uint64 // the arrow's id, which is the id of the Running event at its head
	subject []byte // suffix of the style's name, or nothing: the class of the monitor, a thread
	before  []byte // prefix of the style's name, or nothing: the thread of a piece of the critical path
	details []byte // arguments, encoded
}

// append appends the mark without its time, which is in its sort key.
func (m *mark) append(dst []byte) []byte {
	dst = append(dst, byte(m.kind), byte(m.style))
	dst = binary.AppendUvarint(dst, m.session)
	dst = binary.AppendUvarint(dst, uint64(m.track))
	dst = binary.AppendUvarint(dst, uint64(m.length))
	dst = binary.AppendUvarint(dst, m.event)
	dst = binary.AppendUvarint(dst, m.arrow)
	dst = appendBytes(dst, m.before)
	dst = appendBytes(dst, m.subject)
	return append(dst, m.details...)
}

// read decodes a record of append. The mark's texts alias the record.
func (m *mark) read(at trace.Time, record []byte) {
	*m = mark{kind: kind(record[0]), style: style(record[1]), at: at}
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

// maxStackLines limits the cached lines of call stacks, in bytes.
const maxStackLines = 16 << 20

// stackLines returns the lines of the stack, or nil for nil. Many marks share them.
func (w *Writer) stackLines(stack *trace.Stack) []byte {
	if stack == nil {
		return nil
	}
	lines, ok := w.stacks.Get(stack)
	if !ok {
		lines = linesOf(stack)
		w.stacks.Put(stack, lines, len(lines))
	}
	return lines
}

// maxStack limits the text of a call stack, approximately, in bytes.
const maxStack = 16 << 10

// linesOf returns the stack with a frame on each line, the innermost first.
func linesOf(stack *trace.Stack) (lines []byte) {
	for i, frame := range stack.Frames {
		if len(lines) > maxStack {
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
	dst = append(append(append(dst, shown(method.Class)...), '.'), shown(javaname.Method(method.Name))...)
	if method.File == "" && frame.Line == trace.NoLine {
		return dst
	}
	dst = append(append(dst, '('), shown(method.File)...)
	if frame.Line != trace.NoLine {
		dst = digits.Append(append(dst, ':'), uint64(frame.Line))
	}
	return append(dst, ')')
}

// maxName limits the characters of a name.
const maxName = 200

// shown returns a name for the drawing: valid UTF-8 on one line, without its middle if it is long.
func shown(name string) string {
	switch {
	case len(name) <= maxName && isPlain(name):
		return name
	case len(name) > 8*maxName: // cut the middle first, with up to four bytes a character
		name = name[:4*maxName] + name[len(name)-4*maxName:]
	}
	return sanitize.Short(sanitize.Text(name), maxName)
}

func isPlain(name string) bool {
	for i := range len(name) {
		if name[i] < ' ' || name[i] >= 0x7F {
			return false
		}
	}
	return true
}

// category returns the mark's category in viewers.
func (m *mark) category() category {
	if m.track == pathTrack {
		return pathPieces
	}
	return styles[m.style].category
}

// appendName appends the mark's title: "blocked: java/util/Vector", or "main: running" on the critical path.
func (m *mark) appendName(dst []byte) []byte {
	if len(m.before) > 0 {
		dst = append(append(dst, m.before...), ": "...)
	}
	dst = append(dst, styles[m.style].name...)
	if len(m.subject) > 0 && m.style != called {
		dst = append(dst, ": "...)
	}
	dst = append(dst, m.subject...)
	return dst
}

// argument is the name of a property of a mark.
type argument uint8

// The arguments, in the order of writing.
const (
	eventArgument argument = iota + 1
	pieceArgument
	threadArgument
	threadsArgument
	monitorArgument
	objectArgument
	classArgument
	ownerArgument
	joinedArgument
	receiverArgument
	callerArgument
	ownerCallerArgument
	timeoutArgument
	timedOutArgument
	inferredArgument
	openArgument
	stackArgument
	onCPUArgument
	lostArgument
	samplesArgument
	argumentCount
)

// form is the type of the value of an argument.
type form uint8

const (
	number form = iota
	text
	flag // without a value: the argument is true
)

// arguments have the names of the JSON model, if that has them.
var arguments = [argumentCount]struct {
	name string
	form form
}{
	eventArgument:       {"event", number},
	pieceArgument:       {"piece", number},
	threadArgument:      {"thread", text},
	threadsArgument:     {"threads", text},
	monitorArgument:     {"monitor", text},
	objectArgument:      {"object", text},
	classArgument:       {"class", text},
	ownerArgument:       {"owner", text},
	joinedArgument:      {"joined", text},
	receiverArgument:    {"receiver", text},
	callerArgument:      {"caller", text},
	ownerCallerArgument: {"ownerCaller", text},
	timeoutArgument:     {"timeout", number}, // milliseconds
	timedOutArgument:    {"timedOut", flag},
	inferredArgument:    {"inferred", flag},
	openArgument:        {"open", flag},
	stackArgument:       {"stack", text},
	onCPUArgument:       {"onCPU", number}, // nanoseconds
	lostArgument:        {"lost", flag},
	samplesArgument:     {"samples", number},
}

// details are encoded values, decoded one after the other.
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

// value is the value of an argument: a number or a text, depending on its form.
type value struct {
	number uint64
	text   []byte
}

// values iterates over the mark's arguments.
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

// argumentWriter encodes the arguments of a mark.
type argumentWriter struct{ buf, scratch []byte }

func (w *argumentWriter) number(name argument, value uint64) {
	w.buf = binary.AppendUvarint(append(w.buf, byte(name)), value)
}

// text appends a text that is not "".
func (w *argumentWriter) text(name argument, value string) {
	if value != "" {
		w.buf = binary.AppendUvarint(append(w.buf, byte(name)), uint64(len(value)))
		w.buf = append(w.buf, value...)
	}
}

// id appends a known id.
func (w *argumentWriter) id(name argument, id trace.ID) {
	if number, ok := id.Number(); ok {
		w.scratch = digits.Append(w.scratch[:0], number)
		w.buf = appendBytes(append(w.buf, byte(name)), w.scratch)
		return
	}
	w.text(name, shown(id.String()))
}

// frame appends a known frame.
func (w *argumentWriter) frame(name argument, frame trace.Frame) {
	if frame.Method != nil {
		w.scratch = appendFrame(w.scratch[:0], frame)
		w.buf = appendBytes(append(w.buf, byte(name)), w.scratch)
	}
}

// stack appends the lines of a call stack, if there are any.
func (w *argumentWriter) stack(lines []byte) {
	if lines != nil {
		w.buf = appendBytes(append(w.buf, byte(stackArgument)), lines)
	}
}

// flag appends a flag that is true.
func (w *argumentWriter) flag(name argument, value bool) {
	if value {
		w.buf = append(w.buf, byte(name))
	}
}
