package trcxml

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// Encoder encodes elements of one kind with a fixed set of attributes, for writers of millions of elements that have
// numbers instead of a trace.Event. It writes the same as Append.
//
// An Encoder caches the last second that it has written, so one goroutine uses it at a time.
type Encoder struct {
	kind    trace.Kind
	slots   []slot
	bare    string // text after the last value of an empty element
	tagEnd  string // text after the last value of another element
	element string // end tag
	seconds seconds
}

// slot is the place of a value.
type slot struct {
	before string // text between the previous value and this one
	clock  bool   // the value is a time
}

// Value is the value of an attribute.
type Value struct {
	number int64
	text   []byte
}

// Number returns a value in decimal digits; for a time, n is nanoseconds since the Unix epoch, UTC.
func Number(n int64) Value { return Value{number: n} }

// Text returns a value that is already escaped; see trace.EscapeJava and xmltext.AppendValue.
func Text(escaped []byte) Value {
	if escaped == nil {
		escaped = []byte{} // nil marks a number
	}
	return Value{text: escaped}
}

// NewEncoder returns the Encoder of elements of the kind with these attributes, which the table must have, in any
// order.
func NewEncoder(kind trace.Kind, attributes ...trace.Attr) *Encoder {
	f := &Encoder{kind: kind}
	row := kind.Element()
	before := "<" + row.Name + " "
	for _, attribute := range row.Attributes {
		if slices.Contains(attributes, attribute.Attr) {
			f.slots = append(f.slots, slot{before + attribute.Name + `="`, attribute.Type == trace.Clock})
			before = `" `
		}
	}
	if len(f.slots) == 0 || len(f.slots) != len(attributes) {
		panic(fmt.Sprintf("trcxml: %s has not, or not once, all the attributes %v", row.Name, attributes))
	}
	f.bare, f.tagEnd, f.element = `"/>`+"\n", `">`, "</"+row.Name+">\n"
	return f
}

// Kind returns the kind of the elements.
func (f *Encoder) Kind() trace.Kind { return f.kind }

// AppendAround appends an element as a line, around the content, which is XML and may be empty. It has a value for each
// attribute, in the order of the table.
func (f *Encoder) AppendAround(dst, inner []byte, values ...Value) []byte {
	for i := range f.slots {
		b, v := &f.slots[i], &values[i]
		dst = append(dst, b.before...)
		switch {
		case v.text != nil:
			dst = append(dst, v.text...)
		case b.clock:
			dst = f.seconds.appendTime(dst, v.number)
		case v.number < 0:
			dst = digits.Append(append(dst, '-'), -uint64(v.number))
		default:
			dst = digits.Append(dst, uint64(v.number))
		}
	}
	if len(inner) == 0 {
		return append(dst, f.bare...)
	}
	dst = append(append(dst, f.tagEnd...), inner...)
	return append(dst, f.element...)
}

// seconds caches the text of the last written second, because the next time is nearly always in the same second.
type seconds struct {
	begin int64 // the time at which they begin
	text  []byte
}

const second = 1_000_000_000

// appendTime appends nanoseconds as decimal seconds, as trace.Time does.
func (s *seconds) appendTime(dst []byte, time int64) []byte {
	if time < 0 {
		return trace.Time(time).AppendTo(dst)
	}
	nanos := uint64(time - s.begin)
	if nanos >= second || s.text == nil {
		nanos = uint64(time % second)
		s.begin = time - int64(nanos)
		s.text = digits.Append(s.text[:0], uint64(time/second))
	}
	dst = append(dst, s.text...)
	point := len(dst)
	dst = digits.Append(dst, second+nanos) // ten digits; the first one is replaced by the point
	dst[point] = '.'
	return dst
}

// Ending is the end of a document, after the last element.
const Ending = "</TRACE>\n"

// AppendBeginning appends the beginning of a document, before the first element.
func AppendBeginning(dst []byte) []byte { return append(append(dst, header...), "<TRACE>\n"...) }
