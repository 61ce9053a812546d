package hprof

import (
	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/trace"
)

// numericElements encodes elements whose attributes are all numbers, as most of a heap dump, as they are in a trace, so
// that writers copy them.
type numericElements struct {
	put   func(*trace.Event) error
	event trace.EventBuilder
	text  []byte

	references []byte // text of the previous reference
	from       uint64 // its object
	prefix     int    // length of its text that is the same for all references of the object; 0 if there was none
}

// form describes the elements of a kind.
type form struct {
	kind   trace.Kind
	blanks []blank
}

// blank is an attribute of a form: the text before its value, and its position in the element's row.
type blank struct {
	before   string
	position int
}

// newForm returns the form of elements with these attributes, in the order of the table.
func newForm(kind trace.Kind, attributes ...trace.Attr) *form {
	f := &form{kind: kind}
	before := "<" + kind.String() + " "
	for _, a := range attributes {
		f.blanks = append(f.blanks, blank{before + a.String() + `="`, kind.Element().Position(a)})
		before = `" `
	}
	return f
}

var (
	sizedObject = newForm(trace.ObjAlloc, trace.AttrObjID, trace.AttrClassIDRef, trace.AttrSize, trace.AttrIsArray)
	object      = newForm(trace.ObjAlloc, trace.AttrObjID, trace.AttrClassIDRef, trace.AttrIsArray)
	ofNoClass   = newForm(trace.ObjAlloc, trace.AttrObjID, trace.AttrIsArray)
	reference   = newForm(trace.ObjReference, trace.AttrObjIDRef, trace.AttrTargetObjIDRef)
)

// emitReference emits a reference. References of an object follow each other, so their prefix is encoded once.
func (n *numericElements) emitReference(offset int64, from, to uint64) error {
	f := reference
	if n.prefix == 0 || n.from != from {
		text := append(n.references[:0], f.blanks[0].before...)
		text = append(digits.Append(text, from), f.blanks[1].before...)
		n.references, n.from, n.prefix = text, from, len(text)
	}
	text := digits.Append(n.references[:n.prefix], to)
	end := uint32(len(text))
	text = append(text, `"/>`...)
	n.references = text
	e := &n.event
	e.ResetText(f.kind, text)
	e.SetSpan(f.blanks[0].position, uint32(len(f.blanks[0].before)), uint32(n.prefix-len(f.blanks[1].before)))
	e.SetSpan(f.blanks[1].position, uint32(n.prefix), end)
	e.SetRaw(0, uint32(len(text)))
	e.Offset = offset
	return n.put(&e.Event)
}

// emit emits an element with a value for each attribute of the form.
func (n *numericElements) emit(f *form, offset int64, values ...uint64) error {
	text := n.text[:0]
	var spans [4][2]uint32
	for i := range f.blanks {
		text = append(text, f.blanks[i].before...)
		begin := uint32(len(text))
		text = digits.Append(text, values[i])
		spans[i] = [2]uint32{begin, uint32(len(text))}
	}
	text = append(text, `"/>`...)
	n.text = text
	e := &n.event
	e.ResetText(f.kind, text)
	for i := range f.blanks {
		e.SetSpan(f.blanks[i].position, spans[i][0], spans[i][1])
	}
	e.SetRaw(0, uint32(len(text)))
	e.Offset = offset
	return n.put(&e.Event)
}
