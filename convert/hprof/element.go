package hprof

import "github.com/trcx/trcx/trace"

// numbered makes elements of which all attributes are numbers. Nearly all of a heap dump are such, so that they are made as they stand in a trace, and
// whoever writes them copies them.
type numbered struct {
	take  func(*trace.Event) error
	event trace.Event
	text  []byte
}

// numberedForm is what the elements of a kind are made of.
type numberedForm struct {
	kind   trace.Kind
	blanks []blank
}

// blank is an attribute to be filled in: what stands before its value, and its position in the row of the element.
type blank struct {
	before   string
	position int
}

// newForm is the form of elements with these attributes, in the order of the table.
func newForm(kind trace.Kind, attributes ...trace.Attr) *numberedForm {
	f := &numberedForm{kind: kind}
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

// give gives an element with a value for each attribute of the form.
func (n *numbered) give(f *numberedForm, offset int64, values ...uint64) error {
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
	e.Reset(f.kind, text)
	for i := range f.blanks {
		e.SetSpan(f.blanks[i].position, spans[i][0], spans[i][1])
	}
	e.SetRaw(0, uint32(len(text)))
	e.Offset = offset
	return n.take(e)
}
