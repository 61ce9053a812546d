package builder

import (
	"strconv"

	"github.com/trcx/trcx/internal/xmltext"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Builder builds elements and passes them to a function. One goroutine uses it at a time.
type Builder struct {
	put     func(*trace.Event) error
	event   trace.EventBuilder
	extra   trace.Extra
	kinds   [1]trace.ElementCount // of the annotations of the current element
	inner   []byte
	values  []byte // the stack trace of the current element
	stacks  [1][]byte
	scratch []byte // a value that is being set
	classes map[Class]uint64
	methods map[Method]uint64
	err     error
}

// New returns a Builder for the events of a session. source, if not nil, has the place of the latest element in the
// log.
func New(session int, source trace.Source, put func(*trace.Event) error) *Builder {
	b := &Builder{put: put, classes: map[Class]uint64{}, methods: map[Method]uint64{}}
	b.event.Session, b.event.Source = session, source
	b.kinds[0].Name = trace.Annotation.String()
	return b
}

// Err returns the first error of put, after which nothing is emitted.
func (b *Builder) Err() error { return b.err }

// Element begins an element at an offset of the log. The methods of Element complete it, and Put emits it; no other
// element may be begun in between.
func (b *Builder) Element(kind trace.Kind, offset int64) Element {
	b.event.Reset(kind)
	b.event.Offset = offset
	if b.kinds[0].Count > 0 { // of the previous element
		b.inner, b.kinds[0].Count = b.inner[:0], 0
		b.extra = trace.Extra{}
	}
	return Element{b}
}

// Element is an element under construction.
type Element struct{ b *Builder }

// At sets the time.
func (e Element) At(at trace.Time) Element {
	e.b.event.Time, e.b.event.Reading = at, trace.Exact
	e.b.scratch = at.AppendTo(e.b.scratch[:0])
	return e.Raw(trace.AttrTime, e.b.scratch)
}

// Number sets an attribute of the kind to a number.
func (e Element) Number(a trace.Attr, n uint64) Element {
	e.b.event.SetNumber(e.b.event.Kind.Element().Position(a), n)
	return e
}

// NumberIfKnown sets an attribute like Number, unless the number is unknown: 0.
func (e Element) NumberIfKnown(a trace.Attr, n uint64) Element {
	if n == 0 {
		return e
	}
	return e.Number(a, n)
}

// Flag sets an attribute to 1 or 0.
func (e Element) Flag(a trace.Attr, on bool) Element {
	if on {
		return e.Number(a, 1)
	}
	return e.Number(a, 0)
}

// Text sets an attribute to a string of the JVM; see trace.EscapeJava.
func (e Element) Text(a trace.Attr, text string) Element {
	e.b.event.SetText(a, text)
	return e
}

// TextIfKnown sets an attribute like Text, unless the string is unknown: "".
func (e Element) TextIfKnown(a trace.Attr, text string) Element {
	if text == "" {
		return e
	}
	return e.Text(a, text)
}

// Raw sets an attribute to a text that needs no escape, such as an id.
func (e Element) Raw(a trace.Attr, text []byte) Element {
	e.b.event.SetValue(e.b.event.Kind.Element().Position(a), text)
	return e
}

// Stack sets the stack trace: a text of AppendFrame with defined methods. An empty text sets no stack trace.
func (e Element) Stack(stack []byte) Element {
	if len(stack) == 0 {
		return e
	}
	e.b.values = append(e.b.values[:0], stack...)
	e.b.stacks[0] = e.b.values
	e.b.extra.Stacks = e.b.stacks[:]
	return e.annotate(trace.NoteStack, stack)
}

// Encoded adds annotations from AppendAnnotation, and sets the stack trace that one of them has. Both must not change
// until Put.
func (e Element) Encoded(stack, annotations []byte, count uint64) Element {
	b := e.b
	b.inner = append(b.inner, annotations...)
	b.kinds[0].Count += count
	if len(stack) > 0 {
		b.stacks[0] = stack
		b.extra.Stacks = b.stacks[:]
	}
	return e
}

// By sets the thread that caused the event according to the log; see trace.Extra.
func (e Element) By(thread trace.ThreadID) Element {
	if !thread.Known() {
		return e
	}
	e.b.extra.By = thread
	return e.annotate(trace.NoteCausedBy, []byte(thread.String()))
}

// Park marks a wait or a block of java.util.concurrent: trace.ParkWait or trace.ParkLock.
func (e Element) Park(kind string) Element {
	e.b.extra.Park = true
	return e.annotate(trace.NotePark, []byte(kind))
}

// GaveUp marks a monContendedEntered without the lock.
func (e Element) GaveUp(reason trace.GaveUp) Element {
	e.b.extra.GaveUp = reason
	return e.annotate(trace.NoteGaveUp, []byte(reason.String()))
}

// IO marks a wait for input or output.
func (e Element) IO(operation trace.IO) Element {
	e.b.extra.IO = operation
	return e.annotate(trace.NoteIO, []byte(operation.String()))
}

// Init marks a wait for the initialisation of a class by the thread, which may be unknown.
func (e Element) Init(thread trace.ThreadID) Element {
	if !thread.Known() {
		thread = trace.ThreadFrom([]byte("0"))
	}
	e.b.extra.Init = thread
	return e.annotate(trace.NoteInit, []byte(thread.String()))
}

// Inferred marks an element that the log does not report.
func (e Element) Inferred() Element {
	e.b.extra.Inferred = true
	return e.annotate(trace.NoteInferred, []byte("1"))
}

// Annotate adds an annotation that readers do not decode: trace.AnnotationRow.Known is false.
func (e Element) Annotate(name, value string) Element {
	e.b.scratch = trace.EscapeJava(e.b.scratch[:0], value)
	return e.annotate(name, e.b.scratch)
}

func (e Element) annotate(name string, value []byte) Element {
	b := e.b
	b.inner = AppendAnnotation(b.inner, name, value)
	b.kinds[0].Count++
	return e
}

// Put emits the element. It returns the first error of this or an earlier element.
func (e Element) Put() error {
	b := e.b
	if b.kinds[0].Count > 0 {
		b.extra.Inner, b.extra.Elements = b.inner, b.kinds[:]
		b.event.Extra = &b.extra
	}
	return b.putEvent()
}

func (b *Builder) putEvent() error {
	if b.err == nil {
		b.err = b.put(&b.event.Event)
	}
	return b.err
}

// Class is a class as a trace defines it.
type Class struct {
	// Name is the JVM's internal name: java/lang/Object, or [Ljava/lang/Object; for an array.
	Name string
	// Source is the name of its source file; "" if unknown.
	Source string
	// Object is the id of its java.lang.Class object; "" if unknown.
	Object string
}

// Method is a method as a trace defines it.
type Method struct {
	Class Class
	// Name is the JVM's name: <init> for constructors.
	Name string
	// Signature is the JVM's descriptor, such as (I)V; "" if unknown.
	Signature string
}

// Class returns the id of a class. The first call emits its definition; the next Put returns its error. It must not be
// called between Element and Put.
func (b *Builder) Class(c Class) uint64 {
	id, known := b.classes[c]
	if known {
		return id
	}
	id = uint64(len(b.classes) + 1)
	b.classes[c] = id
	b.Element(trace.ClassDef, b.event.Offset).Number(trace.AttrClassID, id).Text(trace.AttrName, c.Name).
		TextIfKnown(trace.AttrSourceName, c.Source).TextIfKnown(trace.AttrObjIDRef, c.Object).Put() // an error is kept
	return id
}

// Method returns the id of a method; see Class.
func (b *Builder) Method(m Method) uint64 {
	id, known := b.methods[m]
	if known {
		return id
	}
	class := b.Class(m.Class)
	id = uint64(len(b.methods) + 1)
	b.methods[m] = id
	b.Element(trace.MethodDef, b.event.Offset).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef, class).
		Text(trace.AttrName, javaname.TraceMethod(m.Name)).TextIfKnown(trace.AttrSignature, m.Signature).Put()
	return id
}

// AppendFrame appends a frame to a stack trace, innermost first. The line is trace.NoLine if unknown.
func AppendFrame(stack []byte, method uint64, line int32) []byte {
	if len(stack) > 0 {
		stack = append(stack, ' ')
	}
	stack = strconv.AppendUint(stack, method, 10)
	if line >= 0 {
		stack = strconv.AppendInt(append(stack, ':'), int64(line), 10)
	}
	return stack
}

// AppendAnnotation appends an annotation as XML, and escapes its name and value.
func AppendAnnotation(dst []byte, name string, value []byte) []byte {
	dst = append(xmltext.AppendValue(append(dst, `<annotation name="`...), []byte(name)), `" value="`...)
	return append(xmltext.AppendValue(dst, value), `"/>`...)
}
