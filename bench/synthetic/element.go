package synthetic

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// Style is the spelling of elements; it has no influence on their number and content.
type Style struct {
	Hostile bool // attributes in random order, some in single quotes
	OneLine bool // no white space between elements
}

// elementWriter writes elements one by one:
//
//	w.start(trace.GCStart).moment(trace.AttrTime, now).finish()
//
// No value that is written needs escaping.
type elementWriter struct {
	out     *bufio.Writer
	err     error // the first one, which out keeps
	kind    trace.Kind
	fields  []field
	values  []byte // the fields' values, one after the other
	line    []byte
	newline string
	// style chooses orders and quotes of a hostile trace; else it is nil. It is not the machine's random source, so
	// that the machine is the same in every style.
	style *rand.Rand
	// size is the size in bytes that the trace has with one element a line, whatever the style: it determines the end
	// of the trace, which must not depend on the style.
	size   int64
	counts [shares]int64
}

// field is an attribute of the current element.
type field struct {
	attr     trace.Attr
	from, to int
}

func newElementWriter(w io.Writer, seed uint64, s Style) *elementWriter {
	e := &elementWriter{out: bufio.NewWriterSize(w, 1<<18), newline: "\n"}
	if s.OneLine {
		e.newline = ""
	}
	if s.Hostile {
		e.style = rand.New(rand.NewPCG(seed, 2))
	}
	return e
}

func (e *elementWriter) start(kind trace.Kind) *elementWriter {
	e.kind, e.fields, e.values = kind, e.fields[:0], e.values[:0]
	return e
}

func (e *elementWriter) text(attr trace.Attr, value string) *elementWriter {
	e.values = append(e.values, value...)
	return e.added(attr)
}

func (e *elementWriter) number(attr trace.Attr, value uint64) *elementWriter {
	e.values = strconv.AppendUint(e.values, value, 10)
	return e.added(attr)
}

func (e *elementWriter) moment(attr trace.Attr, value trace.Time) *elementWriter {
	e.values = value.AppendTo(e.values)
	return e.added(attr)
}

func (e *elementWriter) flag(attr trace.Attr, value bool) *elementWriter {
	digit := byte('0')
	if value {
		digit = '1'
	}
	e.values = append(e.values, digit)
	return e.added(attr)
}

func (e *elementWriter) added(attr trace.Attr) *elementWriter {
	from := 0
	if n := len(e.fields); n > 0 {
		from = e.fields[n-1].to
	}
	e.fields = append(e.fields, field{attr, from, len(e.values)})
	return e
}

func (e *elementWriter) finish() {
	if e.style != nil {
		e.style.Shuffle(len(e.fields), func(i, j int) { e.fields[i], e.fields[j] = e.fields[j], e.fields[i] })
	}
	e.line = append(append(e.line[:0], '<'), e.kind.String()...)
	for _, f := range e.fields {
		e.line = append(append(e.line, ' '), f.attr.String()...)
		e.appendValue(e.values[f.from:f.to])
	}
	e.line = append(e.line, "/>"...)
	e.size += int64(len(e.line)) + 1
	e.counts[shareOf(e.kind)]++
	e.out.Write(e.line)
	e.raw(e.newline)
}

func (e *elementWriter) appendValue(value []byte) {
	quote := byte('"')
	if e.style != nil && e.style.IntN(10) < 3 {
		quote = '\''
	}
	e.line = append(append(e.line, '=', quote), value...)
	e.line = append(e.line, quote)
}

// raw writes markup that is not an element of a trace.
func (e *elementWriter) raw(markup string) { _, e.err = e.out.WriteString(markup) }
