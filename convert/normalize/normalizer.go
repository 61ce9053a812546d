package normalize

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/convert"
	"github.com/trcx/trcx/convert/trcxml"
	"github.com/trcx/trcx/internal/xmlscan"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Normalizer is a sink that passes elements in TPTP's form to another sink.
type Normalizer struct {
	sink    convert.Sink
	report  func(session int, change Change)
	changes changes
	event   trace.EventBuilder // the changed element
	extra   trace.Extra
	inner   []byte
	strange bool // the current element has content that does not belong there
	seen    [trace.TraceStart + 1]bool
	last    int // the highest position in the preamble so far; len(preamble) after it
	session int
	at      trace.Place // of the current element
	tag     []byte      // of the current element, as in the input
	located bool
}

// New returns a Normalizer that passes events to the sink. At the end of a recording it reports each kind of change.
func New(sink convert.Sink, report func(session int, change Change)) *Normalizer {
	return &Normalizer{sink: sink, report: report}
}

// Begin begins a recording.
func (n *Normalizer) Begin(session int) error {
	n.session, n.changes, n.seen, n.last = session, newChanges(), [trace.TraceStart + 1]bool{}, 0
	return n.sink.Begin(session)
}

// Put normalizes the element and puts it into the sink.
func (n *Normalizer) Put(e *trace.Event) error {
	n.located = false
	if e.Kind == trace.Foreign {
		n.change(e, subject{ForeignElement, e.Name(), ""}, func() string { return "<" + e.Name() + ">" })
		return n.release(e)
	}
	n.place(e)
	n.compare(e)
	changed := n.changed(e)
	strange := n.strange
	if err := n.sink.Put(changed); err != nil || !strange {
		return err
	}
	return n.release(e)
}

// release puts elements that do not belong inside the current element as if they came after it.
func (n *Normalizer) release(e *trace.Event) error {
	if e.Extra == nil || len(e.Extra.Inner) == 0 {
		return nil
	}
	n.locate(e)
	outer := n.at
	var failed error
	//nolint:errcheck // a text without elements is no error
	trcxml.Read(context.Background(), bytes.NewReader(e.Extra.Inner), trcxml.Options{Session: e.Session, Live: true,
		FlattenUnknown: true}, func(inside *trace.Event) error {
		if inside.Kind == trace.Foreign || inside.Kind == trace.Annotation || inside.Kind == trace.Root {
			return nil // it was reported
		}
		inside.Source = around{outer, inside.Source}
		failed = n.Put(inside)
		return failed
	})
	return failed
}

// around locates elements inside another element at the place of that element.
type around struct {
	place  trace.Place
	source trace.Source // of their tags
}

// Locate implements trace.Source.
func (a around) Locate(e *trace.Event) (trace.Place, []byte) {
	_, tag := a.source.Locate(e)
	return a.place, tag
}

// End reports the changes, with missing elements, and ends the recording.
func (n *Normalizer) End(ending trace.Ending) error {
	n.at, n.located = ending.Place, true
	for _, kind := range preamble {
		if trace.Placeholders(kind) != nil && !n.seen[kind] {
			n.change(nil, subject{Preamble, kind.String(), ""}, kind.String)
		}
	}
	if !ending.Closed {
		n.change(nil, subject{EndTag, "", ""}, func() string { return "" })
	}
	n.changes.report(func(change Change) { n.report(n.session, change) })
	return n.sink.End(ending)
}

// Finish comes after the last recording.
func (n *Normalizer) Finish() error { return n.sink.Finish() }

// preamble is the order of the elements that precede the events.
var preamble = []trace.Kind{trace.Root, trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart,
	trace.Filter, trace.Option}

// place records which elements of the preamble exist, and which come too late.
func (n *Normalizer) place(e *trace.Event) {
	if int(e.Kind) < len(n.seen) {
		n.seen[e.Kind] = true
	}
	at := slices.Index(preamble, e.Kind)
	if at < 0 {
		at = len(preamble)
	}
	if at < n.last && n.last < len(preamble) {
		n.change(e, subject{PreambleOrder, e.Kind.String(), ""}, e.Name)
	}
	n.last = max(n.last, at)
}

// change counts a change of the current element.
func (n *Normalizer) change(e *trace.Event, of subject, example func() string) {
	others := len(n.changes.others)
	change := n.changes.add(of)
	switch {
	case change != nil:
		n.locate(e)
		change.First, change.Example = n.at, example()
	case others == 0 && len(n.changes.others) > 0:
		n.locate(e)
		n.changes.first = n.at
	}
}

// locate sets the place and the tag of the current element.
func (n *Normalizer) locate(e *trace.Event) {
	if n.located {
		return
	}
	n.at, n.tag, n.located = trace.Place{Offset: e.Offset}, nil, true
	if e.Source != nil {
		n.at, n.tag = e.Source.Locate(e)
	}
}

// compare counts what the writer changes in each tag: the order of attributes and their spelling.
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
			n.change(e, subject{Spelling, row.Name, string(name)},
				func() string { return fmt.Sprintf("%s of %s is %s", name, row.Name, row.Attributes[position].Name) })
		case position < last:
			n.change(e, subject{Order, row.Name, ""}, func() string { return row.Name })
			return
		}
		last = max(last, position)
	}
}

// changed returns the normalized element: itself if it is unchanged.
func (n *Normalizer) changed(e *trace.Event) *trace.Event {
	row, copied := e.Kind.Element(), false
	for position := range row.Attributes {
		if e.Positions()>>position&1 == 0 {
			continue
		}
		before := e.At(position)
		after := n.value(e, row.Attributes[position], before)
		if after != nil && !copied {
			n.event.Copy(e)
			copied = true
		}
		if after != nil {
			n.event.SetValue(position, after)
		}
	}
	n.strange = e.Extra != nil && n.isStrange(e)
	if !n.strange && (e.Extra == nil || len(e.Extra.Attributes) == 0) {
		if copied {
			return &n.event.Event
		}
		return e
	}
	if !copied {
		n.event.Copy(e)
	}
	n.strip(e)
	return &n.event.Event
}

// value returns the new value of an attribute, or nil if it is unchanged.
func (n *Normalizer) value(e *trace.Event, attribute trace.Attribute, before []byte) []byte {
	switch {
	case attribute.Attr == trace.AttrTime && e.Reading == trace.Truncated:
		return n.name(e, Precision, before, e.Time.String())
	case e.Kind == trace.ClassDef && attribute.Attr == trace.AttrName:
		return n.name(e, ClassName, before, className(string(before)))
	case e.Kind == trace.MethodDef && attribute.Attr == trace.AttrName:
		return n.name(e, MethodName, before, javaname.TraceMethod(string(before)))
	case e.Kind == trace.MethodDef && attribute.Attr == trace.AttrSignature:
		return n.name(e, Signature, before, signature(string(before)))
	case attribute.Type == trace.Flag && len(e.Raw()) == 0 && n.respelt(attribute.Name, before):
		n.change(e, subject{Flag, e.Kind.String(), attribute.Name},
			func() string { return fmt.Sprintf("%s of %s is %s", attribute.Name, e.Name(), before) })
	}
	return nil
}

// name returns the new value and counts the change, or nil if the values are equal.
func (n *Normalizer) name(e *trace.Event, kind Kind, before []byte, after string) []byte {
	if string(before) == after {
		return nil
	}
	n.change(e, subject{kind, e.Kind.String(), ""}, func() string { return fmt.Sprintf("%s is %s", before, after) })
	return []byte(after)
}

// respelt reports whether the flag has another value in the input: the reader replaces true by 1.
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

// isStrange reports whether the element has content that does not belong there. It keeps annotations that do.
func (n *Normalizer) isStrange(e *trace.Event) bool {
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

// isAnnotations reports whether the XML has only empty annotations in the reader's form. Other forms are not
// recognized.
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

// strip removes attributes and content that TPTP does not define. isStrange has kept the annotations of the content.
func (n *Normalizer) strip(e *trace.Event) {
	n.extra = *e.Extra
	n.event.Extra = &n.extra
	for _, a := range e.Extra.Attributes {
		n.change(e, subject{ForeignAttribute, e.Kind.String(), a.Name},
			func() string { return fmt.Sprintf("%s of %s", a.Name, e.Name()) })
	}
	n.extra.Attributes = nil
	if !n.strange {
		return
	}
	n.inside(e)
	n.extra.Inner = n.inner
	n.extra.Elements = slices.DeleteFunc(slices.Clone(e.Extra.Elements), func(c trace.ElementCount) bool {
		return len(n.inner) == 0 || c.Name != trace.Annotation.String()
	})
}

// inside counts the content of a strange element that does not belong there.
func (n *Normalizer) inside(e *trace.Event) {
	row, said := e.Kind.Element(), false
	for _, c := range e.Extra.Elements {
		if row.Content != trace.AnnotationsOf || c.Name != trace.Annotation.String() {
			n.change(e, subject{Inside, row.Name, c.Name}, func() string {
				return fmt.Sprintf("<%s> in %s", c.Name,
					row.Name)
			})
			said = true
		}
	}
	if !said {
		n.change(e, subject{Inside, row.Name, ""}, func() string { return "text in " + row.Name })
	}
}

// keepAnnotations keeps the outer annotations of the XML. It reports whether there is other content.
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

// className returns the internal form of a class name, java/lang/Object or [Ljava/lang/Object;, from any form that
// programs write.
func className(name string) string {
	elements := strings.TrimLeft(name, "[")
	dimensions := name[:len(name)-len(elements)]
	switch described, ok := described(elements); {
	case ok && dimensions == "":
		return javaname.InternalClass(described)
	case ok:
		return dimensions + "L" + javaname.InternalClass(described) + ";"
	}
	return dimensions + javaname.InternalClass(elements)
}

// described returns the class name of a descriptor such as Ljava/lang/Object;.
func described(descriptor string) (name string, ok bool) {
	name, ok = strings.CutPrefix(descriptor, "L")
	name, ended := strings.CutSuffix(name, ";")
	return name, ok && ended && !strings.ContainsAny(name, ";[]")
}

// signature returns a method's signature with slashes.
func signature(text string) string { return strings.ReplaceAll(text, ".", "/") }

// names returns the names of the attributes of a start tag, in their order. The tag may be cut off.
func names(tag []byte) (names [][]byte) {
	_, rest, _ := bytes.Cut(tag, []byte{' '})
	for {
		name, value, found := bytes.Cut(rest, []byte{'='})
		if value = bytes.TrimLeft(value, blanks); !found || len(value) < 2 || value[0] != '"' && value[0] != '\'' {
			return names
		}
		names = append(names, bytes.Trim(name, blanks))
		end := bytes.IndexByte(value[1:], value[0])
		if end < 0 {
			return names
		}
		rest = value[end+2:]
	}
}

const blanks = " \t\r\n"
