package perfetto

import (
	"encoding/binary"
	"iter"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// argument is the name of a property of a mark.
type argument uint8

// The arguments, in the order in which they are written.
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
	argumentCount
)

// form is the type of the value of an argument.
type form uint8

const (
	number form = iota
	text
	flag // there is no value: the argument is true
)

// arguments are named as in the JSON model, where that has them.
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
}

// details are encoded values, which are decoded one after the other.
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
