package trcxml

import (
	"io"
	"slices"

	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
)

// document writes one document.
type document struct {
	out       io.Writer
	buf       []byte
	held      []heldElement // of the preamble, until its end
	heldBytes int
	body      bool // the preamble is written
	rootTag   []byte
	first     trace.Time // of the first timed element
	hasFirst  bool
	err       error
}

// heldElement is an encoded element of the preamble, with the id that it defines and the id that it refers to.
type heldElement struct {
	kind       trace.Kind
	id, refers string
	line       []byte
}

const (
	flushAt = 128 << 10
	// maxHeld is the limit in bytes of the sorted preamble; further options are not sorted.
	maxHeld = 1 << 20
	header  = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
)

// preamble is the order of the elements that TPTP writes before the events.
var preamble = []trace.Kind{trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart, trace.Filter,
	trace.Option}

func newDocument(out io.Writer) *document {
	return &document{out: out, buf: make([]byte, 0, flushAt+16<<10)}
}

// put writes an element.
func (d *document) put(e *trace.Event) error {
	if !d.body {
		return d.beforeBody(e)
	}
	switch raw := e.Raw(); {
	case e.Kind == trace.Root: // a second document in one input continues the first
	case len(raw) > 0:
		d.buf = append(append(d.buf, raw...), '\n')
	default:
		d.buf = Append(d.buf, e)
	}
	if len(d.buf) >= flushAt {
		d.flush()
	}
	return d.err
}

// end ends the document.
func (d *document) end() error {
	d.writePreamble()
	d.buf = append(d.buf, "</TRACE>\n"...)
	d.flush()
	return d.err
}

// beforeBody holds the preamble, to sort and complete it.
func (d *document) beforeBody(e *trace.Event) error {
	if !d.hasFirst && e.Timed() {
		d.first, d.hasFirst = e.Time, true
	}
	switch {
	case e.Kind == trace.Root:
		d.rootTag = appendTag(nil, e)
		return d.err
	case slices.Contains(preamble, e.Kind) && d.heldBytes < maxHeld:
		d.hold(e)
		return d.err
	}
	d.writePreamble()
	return d.put(e)
}

// writePreamble writes the root's start tag and the preamble, once. Missing elements are invented, with ids that begin
// with "unknown-".
func (d *document) writePreamble() {
	if d.body {
		return
	}
	d.body = true
	d.buf = append(d.buf, header...)
	if d.rootTag == nil {
		d.rootTag = []byte("<TRACE")
	}
	d.buf = append(append(d.buf, d.rootTag...), ">\n"...)
	d.complete()
	slices.SortStableFunc(d.held, func(a, b heldElement) int {
		return slices.Index(preamble, a.kind) - slices.Index(preamble, b.kind)
	})
	for _, element := range d.held {
		d.buf = append(d.buf, element.line...)
	}
	d.held = nil
	d.flush()
}

// complete adds missing elements of the preamble, without which TPTP loads nothing. An invented element has the id that
// the next one refers to, and refers to the previous one.
func (d *document) complete() {
	before := ""
	for i, kind := range preamble {
		if trace.Placeholders(kind) == nil {
			break
		}
		if at := d.find(kind); at >= 0 {
			before = d.held[at].id
			continue
		}
		id := "unknown-" + kind.Element().Attributes[0].Space.String()
		if next := d.find(preamble[i+1]); next >= 0 && d.held[next].refers != "" {
			id = d.held[next].refers
		}
		d.invent(kind, id, before)
		before = id
	}
}

// find returns the index of the first held element of the kind, or -1.
func (d *document) find(kind trace.Kind) int {
	return slices.IndexFunc(d.held, func(h heldElement) bool { return h.kind == kind })
}

// invent holds an element that is not in the input.
func (d *document) invent(kind trace.Kind, id, before string) {
	var e trace.EventBuilder
	e.Reset(kind)
	values := trace.Placeholders(kind)
	for _, attribute := range kind.Element().Attributes {
		value, ok := values[attribute.Attr]
		switch {
		case ok:
		case attribute.Link == trace.Defines:
			value, ok = id, true
		case attribute.Link == trace.Refers:
			value, ok = before, true
		case attribute.Attr == trace.AttrTime:
			value, ok = d.first.String(), d.hasFirst
		}
		if ok {
			e.SetText(attribute.Attr, value)
		}
	}
	d.hold(&e.Event)
}

// hold keeps an element of the preamble.
func (d *document) hold(e *trace.Event) {
	held := heldElement{kind: e.Kind, line: Append(nil, e)}
	for _, attribute := range e.Kind.Element().Attributes {
		switch attribute.Link {
		case trace.Defines:
			held.id = string(e.Value(attribute.Attr))
		case trace.Refers:
			held.refers = string(e.Value(attribute.Attr))
		}
	}
	d.held = append(d.held, held)
	d.heldBytes += len(held.line)
}

func (d *document) flush() {
	if d.err == nil && len(d.buf) > 0 {
		_, d.err = d.out.Write(d.buf)
	}
	d.buf = d.buf[:0]
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
			dst = append(xmltext.AppendValue(dst, e.At(position)), '"')
		}
	}
	if e.Extra == nil {
		return dst
	}
	for _, a := range e.Extra.Attributes {
		dst = append(append(append(dst, ' '), a.Name...), `="`...)
		dst = append(xmltext.AppendValue(dst, []byte(a.Value)), '"')
	}
	return dst
}
