package hprof

import "github.com/trcx/trcx/trace"

// numericElements encodes elements whose attributes are all numbers, as most of a heap dump, as they are in a trace, so
// that writers copy them.
type numericElements struct {
	put   func(*trace.Event) error
	event trace.EventBuilder
	text  []byte
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

// emit emits an element with a value for each attribute of the form.
func (n *numericElements) emit(f *form, offset int64, values ...uint64) error {
	text := n.text[:0]
	var spans [4][2]uint32
	for i := range f.blanks {
		text = append(text, f.blanks[i].before...)
		begin := uint32(len(text))
		text = trace.AppendDecimal(text, values[i])
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
