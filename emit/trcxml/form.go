package trcxml

import (
	"fmt"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Form is an element of one kind that always has the same attributes: all of it is at hand but the values. It is for
// writers of millions of elements that have numbers instead of a trace.Event. What it appends is what Append appends of
// the same element.
//
// A Form remembers the second that it has written last; one goroutine uses it at a time.
type Form struct {
	kind    trace.Kind
	blanks  []blank
	bare    string // behind the last value, if there is nothing inside
	tagEnd  string // behind the last value, if there is
	element string // behind what is inside
	seconds seconds
}

// blank is a value to be filled in.
type blank struct {
	before string // what stands between it and the value before
	clock  bool   // it is a time
}

// Value is the value of an attribute.
type Value struct {
	number int64
	text   []byte
}

// Number is a value in decimal digits; of a time, nanoseconds since the Unix epoch, UTC.
func Number(n int64) Value { return Value{number: n} }

// Text is a value as it stands between the quotes, already escaped; see trace.EscapeJava and trace.AppendValue.
func Text(escaped []byte) Value {
	if escaped == nil {
		escaped = []byte{} // nil says that the value is a number
	}
	return Value{text: escaped}
}

// NewForm returns the Form of elements of the kind with these attributes, which the table must have, in whatever order.
func NewForm(kind trace.Kind, attributes ...trace.Attr) *Form {
	f := &Form{kind: kind}
	row := kind.Element()
	before := "<" + row.Name + " "
	for _, attribute := range row.Attributes {
		if slices.Contains(attributes, attribute.Attr) {
			f.blanks = append(f.blanks, blank{before + attribute.Name + `="`, attribute.Type == trace.Clock})
			before = `" `
		}
	}
	if len(f.blanks) == 0 || len(f.blanks) != len(attributes) {
		panic(fmt.Sprintf("trcxml: %s has not, or not once, all the attributes %v", row.Name, attributes))
	}
	f.bare, f.tagEnd, f.element = `"/>`+"\n", `">`, "</"+row.Name+">\n"
	return f
}

// Kind is the kind of the elements.
func (f *Form) Kind() trace.Kind { return f.kind }

// Append appends an element as a line. There is a value for each attribute, in the order of the table.
func (f *Form) Append(dst []byte, values ...Value) []byte {
	return append(f.fill(dst, values), f.bare...)
}

// AppendAround appends an element with something inside, which is XML; if that is empty, Append does the same.
func (f *Form) AppendAround(dst, inner []byte, values ...Value) []byte {
	dst = f.fill(dst, values)
	if len(inner) == 0 {
		return append(dst, f.bare...)
	}
	dst = append(append(dst, f.tagEnd...), inner...)
	return append(dst, f.element...)
}

// fill appends the element up to its last value.
func (f *Form) fill(dst []byte, values []Value) []byte {
	for i := range f.blanks {
		b, v := &f.blanks[i], &values[i]
		dst = append(dst, b.before...)
		switch {
		case v.text != nil:
			dst = append(dst, v.text...)
		case b.clock:
			dst = f.seconds.appendTime(dst, v.number)
		case v.number < 0:
			dst = trace.AppendDecimal(append(dst, '-'), -uint64(v.number))
		default:
			dst = trace.AppendDecimal(dst, uint64(v.number))
		}
	}
	return dst
}

// seconds holds the text of the seconds of the time that was written last: that of the next is the same nearly always.
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
		s.text = trace.AppendDecimal(s.text[:0], uint64(time/second))
	}
	dst = append(dst, s.text...)
	point := len(dst)
	dst = trace.AppendDecimal(dst, second+nanos) // ten digits; where the first stands, the point belongs
	dst[point] = '.'
	return dst
}

// Ending is the end of a document, behind the last element.
const Ending = "</TRACE>\n"

// AppendBeginning appends the beginning of a document, before the first element.
func AppendBeginning(dst []byte) []byte { return append(append(dst, header...), "<TRACE>\n"...) }
