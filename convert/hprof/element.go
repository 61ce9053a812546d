package hprof

import "github.com/trcx/trcx/trace"

// numbered makes elements of which all attributes are numbers. Nearly all of a heap dump are such, so that they are
// made as they stand in a trace, and whoever writes them copies them.
type numbered struct {
	put   func(*trace.Event) error
	event trace.Builder
	text  []byte

	// References of one object come together, so that what they begin with is made once.
	references []byte // the text of the last one
	from       uint64 // the object that it is of
	begun      int    // how many bytes of it are the same for all of this object; 0 if there was none
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

// refer gives a reference.
func (n *numbered) refer(offset int64, from, to uint64) error {
	f := reference
	if n.begun == 0 || n.from != from {
		text := append(n.references[:0], f.blanks[0].before...)
		text = append(trace.AppendDecimal(text, from), f.blanks[1].before...)
		n.references, n.from, n.begun = text, from, len(text)
	}
	text := trace.AppendDecimal(n.references[:n.begun], to)
	end := uint32(len(text))
	text = append(text, `"/>`...)
	n.references = text
	e := &n.event
	e.ResetText(f.kind, text)
	e.SetSpan(f.blanks[0].position, uint32(len(f.blanks[0].before)), uint32(n.begun-len(f.blanks[1].before)))
	e.SetSpan(f.blanks[1].position, uint32(n.begun), end)
	e.SetRaw(0, uint32(len(text)))
	e.Offset = offset
	return n.put(&e.Event)
}

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
	e.ResetText(f.kind, text)
	for i := range f.blanks {
		e.SetSpan(f.blanks[i].position, spans[i][0], spans[i][1])
	}
	e.SetRaw(0, uint32(len(text)))
	e.Offset = offset
	return n.put(&e.Event)
}
