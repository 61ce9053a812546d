package normalize

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
)

// Normalizer is a sink that gives elements on in TPTP's form.
type Normalizer struct {
	sink    convert.Sink
	report  func(session int, change Change)
	changes [kindCount]Change
	event   trace.Event // the element as it is given on, where it had to be changed
	extra   trace.Extra
	inner   []byte
	seen    [trace.TraceStart + 1]bool
	last    int // the place in the preamble of what came last; that of nothing behind it
	session int
	at      trace.Place // of the element at hand
	tag     []byte      // likewise, as it stands in the input
	located bool
}

// New returns a Normalizer in front of the sink. report takes each kind of change that was made in a recording, when that has ended.
func New(sink convert.Sink, report func(session int, change Change)) *Normalizer {
	return &Normalizer{sink: sink, report: report}
}

// Begin begins a recording.
func (n *Normalizer) Begin(session int) error {
	n.session, n.changes, n.seen, n.last = session, [kindCount]Change{}, [trace.TraceStart + 1]bool{}, 0
	return n.sink.Begin(session)
}

// Element gives the element on, changed where that is needed.
func (n *Normalizer) Element(e *trace.Event) error {
	n.located = false
	if e.Kind == trace.Foreign {
		n.change(e, ForeignElement, func() string { return "<" + e.Name() + ">" })
		return nil
	}
	n.place(e)
	n.compare(e)
	return n.sink.Element(n.changed(e))
}

// End says what is missing, and ends the recording.
func (n *Normalizer) End(ending trace.Ending) error {
	n.at, n.located = ending.Place, true
	for kind := range trace.Placeholders {
		if !n.seen[kind] {
			n.change(nil, Preamble, func() string { return "" })
		}
	}
	if !ending.Closed {
		n.change(nil, EndTag, func() string { return "" })
	}
	for kind, change := range n.changes {
		if change.Count > 0 {
			change.Kind = Kind(kind)
			n.report(n.session, change)
		}
	}
	return n.sink.End(ending)
}

// Finish comes after the last recording.
func (n *Normalizer) Finish() error { return n.sink.Finish() }

// preamble is the order in which TPTP writes what comes before the events, and what comes then.
var preamble = []trace.Kind{trace.Root, trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart, trace.Filter, trace.Option}

// place notes which elements of the preamble there are, and which of them stand too late.
func (n *Normalizer) place(e *trace.Event) {
	if int(e.Kind) < len(n.seen) {
		n.seen[e.Kind] = true
	}
	at := slices.Index(preamble, e.Kind)
	if at < 0 {
		at = len(preamble)
	}
	if at < n.last && n.last < len(preamble) {
		n.change(e, PreambleOrder, e.Name)
	}
	n.last = max(n.last, at)
}

// change notes a change of the element at hand.
func (n *Normalizer) change(e *trace.Event, kind Kind, example func() string) {
	c := &n.changes[kind]
	if c.Count++; c.Count > 1 {
		return
	}
	n.locate(e)
	c.First, c.Example = n.at, example()
}

// locate finds out where the element stands, and how.
func (n *Normalizer) locate(e *trace.Event) {
	if n.located {
		return
	}
	n.at, n.tag, n.located = trace.Place{Offset: e.Offset}, nil, true
	if e.Source != nil {
		n.at, n.tag = e.Source.Locate(e)
	}
}

// compare notes what a writer does with the tag in any case: it has one order, one spelling, one form of flags.
func (n *Normalizer) compare(e *trace.Event) {
	if len(e.Raw()) > 0 || e.Kind == trace.Root {
		return
	}
	n.locate(e)
	row, last := e.Kind.Element(), -1
	for _, name := range names(n.tag) {
		position, proper := row.Find(name)
		switch {
		case position < 0:
		case !proper:
			n.change(e, Spelling, func() string { return fmt.Sprintf("%s of %s is %s", name, row.Name, row.Attributes[position].Name) })
		case position < last:
			n.change(e, Order, func() string { return row.Name })
			return
		}
		last = max(last, position)
	}
}

// changed is the element in its form: itself, if there is nothing to be changed.
func (n *Normalizer) changed(e *trace.Event) *trace.Event {
	row, copied := e.Kind.Element(), false
	for position := range row.Attributes {
		if e.Positions()>>position&1 == 0 {
			continue
		}
		before := e.At(position)
		after := n.value(e, row.Attributes[position], before)
		if after != nil && !copied {
			n.copy(e)
			copied = true
		}
		if after != nil {
			n.event.SetValue(position, after)
		}
	}
	strange := e.Extra != nil && n.strange(e)
	if !strange && (e.Extra == nil || len(e.Extra.Attributes) == 0) {
		if copied {
			return &n.event
		}
		return e
	}
	if !copied {
		n.copy(e)
	}
	n.strip(e, strange)
	return &n.event
}

// copy makes the event one that is like the element and can be changed.
func (n *Normalizer) copy(e *trace.Event) {
	n.event.Reset(e.Kind, nil)
	n.event.Session, n.event.Offset, n.event.Time, n.event.Reading = e.Session, e.Offset, e.Time, e.Reading
	n.event.Source, n.event.Extra = e.Source, e.Extra
	for position := range e.Kind.Element().Attributes {
		if e.Positions()>>position&1 != 0 {
			n.event.SetValue(position, e.At(position))
		}
	}
}

// value is what an attribute's value is changed into, or nil.
func (n *Normalizer) value(e *trace.Event, attribute trace.Attribute, before []byte) []byte {
	switch {
	case attribute.Attr == trace.AttrTime && e.Reading == trace.Truncated:
		return n.name(e, Precision, before, e.Time.String())
	case e.Kind == trace.ClassDef && attribute.Attr == trace.AttrName:
		return n.name(e, ClassName, before, className(string(before)))
	case e.Kind == trace.MethodDef && attribute.Attr == trace.AttrName:
		return n.name(e, MethodName, before, trace.MethodName(string(before)))
	case e.Kind == trace.MethodDef && attribute.Attr == trace.AttrSignature:
		return n.name(e, Signature, before, signature(string(before)))
	case attribute.Type == trace.Flag && len(e.Raw()) == 0 && n.respelt(attribute.Name, before):
		n.change(e, Flag, func() string { return fmt.Sprintf("%s of %s is %s", attribute.Name, e.Name(), before) })
	}
	return nil
}

// name is what is written after the change instead of what was before, or nil if that is the same.
func (n *Normalizer) name(e *trace.Event, kind Kind, before []byte, after string) []byte {
	if string(before) == after {
		return nil
	}
	n.change(e, kind, func() string { return fmt.Sprintf("%s is %s", before, after) })
	return []byte(after)
}

// respelt says whether the flag has another value in the input: the reader has put 1 for true.
func (n *Normalizer) respelt(name string, value []byte) bool {
	if string(value) != "1" && string(value) != "0" {
		return false
	}
	for _, quote := range []string{`"`, `'`} {
		if bytes.Contains(n.tag, []byte(name+"="+quote+string(value)+quote)) {
			return false
		}
	}
	return bytes.Contains(n.tag, []byte(name))
}

// strange says whether something stands inside of the element that does not belong there, and keeps what does.
func (n *Normalizer) strange(e *trace.Event) bool {
	if len(e.Extra.Inner) == 0 {
		return false
	}
	switch e.Kind.Element().Content {
	case trace.Empty:
		n.inner = n.inner[:0]
		return true
	case trace.AnnotationsOf:
		return !isAnnotations(e.Extra.Inner) && n.keepAnnotations(e.Extra.Inner)
	}
	return false
}

// isAnnotations says whether the XML is nothing but annotations with nothing inside, as a reader writes it; other XML may be too.
func isAnnotations(inner []byte) bool {
	for len(inner) > 0 {
		end := bytes.Index(inner, []byte(`"/>`))
		if end < 0 || !bytes.HasPrefix(inner, []byte("<annotation ")) || bytes.IndexByte(inner[1:end], '<') >= 0 {
			return false
		}
		inner = inner[end+len(`"/>`):]
	}
	return true
}

// strip leaves out what TPTP does not know. What is to stay inside of a strange element has been kept.
func (n *Normalizer) strip(e *trace.Event, strange bool) {
	n.extra = *e.Extra
	n.event.Extra = &n.extra
	for _, a := range e.Extra.Attributes {
		n.change(e, ForeignAttribute, func() string { return fmt.Sprintf("%s of %s", a.Name, e.Name()) })
	}
	n.extra.Attributes = nil
	if !strange {
		return
	}
	n.change(e, Inside, e.Name)
	n.extra.Inner = n.inner
	n.extra.Elements = slices.DeleteFunc(slices.Clone(e.Extra.Elements), func(c trace.ElementCount) bool {
		return len(n.inner) == 0 || c.Name != trace.Annotation.String()
	})
}

// keepAnnotations keeps the annotations that stand in the XML directly, and says whether there is anything else.
func (n *Normalizer) keepAnnotations(inner []byte) (others bool) {
	scanner := xmlscan.New(bytes.NewReader(inner), xmlscan.Options{Fragments: true, BufferSize: len(inner)})
	n.inner = n.inner[:0]
	depth, begin := 0, int64(-1)
	for {
		token, err := scanner.Next()
		if err != nil || token == xmlscan.End {
			return others || err != nil
		}
		switch token {
		case xmlscan.StartTag:
			annotation := scanner.TextOf(scanner.Name()) == trace.Annotation.String()
			if depth == 0 && annotation {
				begin = scanner.Position().Offset
			}
			others = others || depth == 0 && !annotation
			if !scanner.Empty() {
				depth++
				continue
			}
		case xmlscan.EndTag:
			depth--
		default:
			others = others || depth == 0 && len(bytes.Trim(scanner.Text(), blanks)) > 0
			continue
		}
		if depth == 0 && begin >= 0 {
			end := scanner.Position().Offset + int64(len(scanner.Source(len(inner))))
			n.inner, begin = append(n.inner, inner[begin:end]...), -1
		}
	}
}
