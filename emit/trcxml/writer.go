package trcxml

import (
	"io"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Writer writes one document.
type Writer struct {
	out       io.Writer
	buf       []byte
	held      []heldElement // of the preamble, until something else comes
	heldBytes int
	body      bool // the preamble is written
	rootTag   []byte
	first     trace.Time // of the first timed element
	hasFirst  bool
	err       error
}

// heldElement is an element of the preamble as it will be written, with the id that it defines and the one that it
// refers to.
type heldElement struct {
	kind       trace.Kind
	id, refers string
	line       []byte
}

const (
	flushAt = 128 << 10
	// maxHeld is how many bytes of the preamble are put in order; a trace with more options is written as it comes.
	maxHeld = 1 << 20
	header  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
)

// preamble is the order in which TPTP writes what comes before the events.
var preamble = []trace.Kind{trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart, trace.Filter,
	trace.Option}

// NewWriter returns a Writer to out.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, buf: make([]byte, 0, flushAt+16<<10)}
}

// Begin begins the document, whichever session it holds.
func (w *Writer) Begin(int) error { return w.err }

// Put writes an element.
func (w *Writer) Put(e *trace.Event) error {
	if !w.body {
		return w.beforeBody(e)
	}
	switch raw := e.Raw(); {
	case e.Kind == trace.Root: // a second document in one input goes on in the first
	case len(raw) > 0:
		w.buf = append(append(w.buf, raw...), '\n')
	default:
		w.buf = Append(w.buf, e)
	}
	if len(w.buf) >= flushAt {
		w.flush()
	}
	return w.err
}

// End ends the document.
func (w *Writer) End(trace.Ending) error {
	w.writePreamble()
	w.buf = append(w.buf, "</TRACE>\n"...)
	w.flush()
	return w.err
}

// Finish has nothing to do; a document ends by End.
func (w *Writer) Finish() error { return w.err }

// beforeBody holds the preamble back, to be put in order and completed.
func (w *Writer) beforeBody(e *trace.Event) error {
	if !w.hasFirst && e.Timed() {
		w.first, w.hasFirst = e.Time, true
	}
	switch {
	case e.Kind == trace.Root:
		w.rootTag = appendTag(nil, e)
		return w.err
	case slices.Contains(preamble, e.Kind) && w.heldBytes < maxHeld:
		w.hold(e)
		return w.err
	}
	w.writePreamble()
	return w.Put(e)
}

// writePreamble writes the root's start tag and the preamble, once. What the trace lacks of it is made up, with ids
// that say so.
func (w *Writer) writePreamble() {
	if w.body {
		return
	}
	w.body = true
	w.buf = append(w.buf, header...)
	if w.rootTag == nil {
		w.rootTag = []byte("<TRACE")
	}
	w.buf = append(append(w.buf, w.rootTag...), ">\n"...)
	w.complete()
	slices.SortStableFunc(w.held, func(a, b heldElement) int {
		return slices.Index(preamble, a.kind) - slices.Index(preamble, b.kind)
	})
	for _, element := range w.held {
		w.buf = append(w.buf, element.line...)
	}
	w.held = nil
	w.flush()
}

// complete adds the elements of the preamble without which TPTP loads nothing. One that is made up has the id by which
// the next one refers to it, and refers to the one before.
func (w *Writer) complete() {
	before := ""
	for i, kind := range preamble[:len(trace.Placeholders)] {
		if at := w.find(kind); at >= 0 {
			before = w.held[at].id
			continue
		}
		id := "unknown-" + kind.Element().Attributes[0].Space.String()
		if next := w.find(preamble[i+1]); next >= 0 && w.held[next].refers != "" {
			id = w.held[next].refers
		}
		w.makeUp(kind, id, before)
		before = id
	}
}

// find is the index of the first held element of the kind, or -1.
func (w *Writer) find(kind trace.Kind) int {
	return slices.IndexFunc(w.held, func(h heldElement) bool { return h.kind == kind })
}

// makeUp holds an element that is not in the input.
func (w *Writer) makeUp(kind trace.Kind, id, before string) {
	var e trace.Builder
	e.Reset(kind)
	for _, attribute := range kind.Element().Attributes {
		value, ok := trace.Placeholders[kind][attribute.Attr]
		switch {
		case ok:
		case attribute.Link == trace.Defines:
			value, ok = id, true
		case attribute.Link == trace.Refers:
			value, ok = before, true
		case attribute.Attr == trace.AttrTime:
			value, ok = w.first.String(), w.hasFirst
		}
		if ok {
			e.SetText(attribute.Attr, value)
		}
	}
	w.hold(&e.Event)
}

// hold keeps an element of the preamble.
func (w *Writer) hold(e *trace.Event) {
	held := heldElement{kind: e.Kind, line: Append(nil, e)}
	for _, attribute := range e.Kind.Element().Attributes {
		switch attribute.Link {
		case trace.Defines:
			held.id = string(e.Value(attribute.Attr))
		case trace.Refers:
			held.refers = string(e.Value(attribute.Attr))
		}
	}
	w.held = append(w.held, held)
	w.heldBytes += len(held.line)
}

func (w *Writer) flush() {
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// Append appends the element as a line.
func Append(dst []byte, e *trace.Event) []byte {
	dst = appendTag(dst, e)
	if e.Extra == nil || len(e.Extra.Inner) == 0 {
		return append(dst, "/>\n"...)
	}
	dst = append(append(dst, '>'), e.Extra.Inner...)
	return append(append(append(dst, "</"...), e.Name()...), ">\n"...)
}

// appendTag appends the element's start tag up to the end of its attributes.
func appendTag(dst []byte, e *trace.Event) []byte {
	dst = append(append(dst, '<'), e.Name()...)
	present := e.Positions()
	for position, attribute := range e.Kind.Element().Attributes {
		if present>>position&1 != 0 {
			dst = append(append(append(dst, ' '), attribute.Name...), `="`...)
			dst = append(trace.AppendValue(dst, e.At(position)), '"')
		}
	}
	if e.Extra == nil {
		return dst
	}
	for _, a := range e.Extra.Attributes {
		dst = append(append(append(dst, ' '), a.Name...), `="`...)
		dst = append(trace.AppendValue(dst, []byte(a.Value)), '"')
	}
	return dst
}
