package builder

import (
	"strconv"

	"github.com/trcx/trcx/trace"
)

// Options say how a log is read, whatever its format.
type Options struct {
	// Session is the index that the events bear.
	Session int
	// Report takes what is wrong with the log, in the order of the log.
	Report func(trace.Finding)
	// Lack takes what the log cannot tell, each kind of it once.
	Lack func(trace.Lack)
	// Count, if not nil, takes how many elements of a kind a heap dump has: objects, roots and references, of which
	// there may be many millions. take is not given them then.
	Count func(kind trace.Kind, n uint64) error
}

// Lacks tells whoever takes it that the log has no such things, if that is so, and what that means; see trace.Lack.
func (o *Options) Lacks(is bool, what, means string) {
	if is && o.Lack != nil {
		o.Lack(trace.Lack{What: what, Means: means})
	}
}

// Transcript gives elements to whoever takes them. Only one goroutine uses it at a time.
type Transcript struct {
	take    func(*trace.Event) error
	event   trace.Event
	extra   trace.Extra
	kinds   [1]trace.ElementCount // of the annotations of the element at hand
	inner   []byte
	values  []byte // the text of the stack of the element at hand
	stacks  [1][]byte
	scratch []byte // a value while it is set
	classes map[Class]uint64
	methods map[Method]uint64
	err     error
}

// New returns a Transcript of a session. source says where in the log the element that was given last stands; nil where
// nobody knows.
func New(session int, source trace.Source, take func(*trace.Event) error) *Transcript {
	t := &Transcript{take: take, classes: map[Class]uint64{}, methods: map[Method]uint64{}}
	t.event.Session, t.event.Source = session, source
	t.kinds[0].Name = trace.Annotation.String()
	return t
}

// Element begins an element of the kind, at the offset of the log, which may have a time. The methods of Element add to
// it, and Put gives it on; until then no other may be begun.
func (t *Transcript) Element(kind trace.Kind, offset int64) Element {
	t.event.Reset(kind, nil)
	t.event.Offset = offset
	if t.kinds[0].Count > 0 { // the one before has something inside
		t.inner, t.kinds[0].Count = t.inner[:0], 0
		t.extra = trace.Extra{}
	}
	return Element{t}
}

// Element is one that is being made.
type Element struct{ t *Transcript }

// At is when it happened.
func (e Element) At(at trace.Time) Element {
	e.t.event.Time, e.t.event.Reading = at, trace.Exact
	e.t.scratch = at.AppendTo(e.t.scratch[:0])
	return e.Raw(trace.AttrTime, e.t.scratch)
}

// Number sets an attribute that the kind has to a number.
func (e Element) Number(a trace.Attr, n uint64) Element {
	e.t.event.SetNumber(e.t.event.Kind.Element().Position(a), n)
	return e
}

// Flag sets an attribute that is 1 or 0.
func (e Element) Flag(a trace.Attr, on bool) Element {
	if on {
		return e.Number(a, 1)
	}
	return e.Number(a, 0)
}

// Text sets an attribute to a string as the JVM had it; see trace.EscapeJava.
func (e Element) Text(a trace.Attr, text string) Element {
	e.t.event.SetText(a, text)
	return e
}

// Raw sets an attribute to a text that needs no escape, such as an id.
func (e Element) Raw(a trace.Attr, text []byte) Element {
	e.t.event.SetValue(e.t.event.Kind.Element().Position(a), text)
	return e
}

// Stack says where the thread was: a text of AppendStack, of frames whose methods are defined. An empty one says
// nothing.
func (e Element) Stack(stack []byte) Element {
	if len(stack) == 0 {
		return e
	}
	e.t.values = append(e.t.values[:0], stack...)
	e.t.stacks[0] = e.t.values
	e.t.extra.Stacks = e.t.stacks[:]
	return e.annotate(trace.StackAnnotation, stack)
}

// By says that the log knows which thread brought the event about; see trace.Extra.
func (e Element) By(thread trace.ThreadID) Element {
	if !thread.Known() {
		return e
	}
	e.t.extra.By = thread
	return e.annotate(trace.ByAnnotation, []byte(thread.String()))
}

// Inferred says that the log does not report the element: it was concluded.
func (e Element) Inferred() Element {
	e.t.extra.Inferred = true
	return e.annotate(trace.InferredAnnotation, []byte("1"))
}

// Annotate adds an annotation that only people read. The name must be none of those that package trace knows.
func (e Element) Annotate(name, value string) Element {
	e.t.scratch = trace.EscapeJava(e.t.scratch[:0], value)
	return e.annotate(name, e.t.scratch)
}

func (e Element) annotate(name string, value []byte) Element {
	t := e.t
	t.inner = appendAnnotation(t.inner, name, value)
	t.kinds[0].Count++
	return e
}

// Put gives the element on.
func (e Element) Put() error {
	t := e.t
	if t.kinds[0].Count > 0 {
		t.extra.Inner, t.extra.Elements = t.inner, t.kinds[:]
		t.event.Extra = &t.extra
	}
	return t.give()
}

// give gives the event on, unless a definition before it was not taken.
func (t *Transcript) give() error {
	if t.err == nil {
		t.err = t.take(&t.event)
	}
	return t.err
}

// Class is a class as a trace defines it.
type Class struct {
	// Name is as the JVM has it inside: java/lang/Object, or [Ljava/lang/Object; for an array.
	Name string
	// Source is the name of its source file, "" if unknown.
	Source string
}

// Method is a method as a trace defines it.
type Method struct {
	Class Class
	// Name is as the JVM has it: <init> for constructors.
	Name string
	// Signature is as the JVM has it, (I)V; "" if unknown.
	Signature string
}

// Class is the id of a class, which is defined before the first time. An error shows when the next element is Put. It
// must not be asked for between Element and Put.
func (t *Transcript) Class(c Class) uint64 {
	id, known := t.classes[c]
	if known {
		return id
	}
	id = uint64(len(t.classes) + 1)
	t.classes[c] = id
	e := t.Element(trace.ClassDef, t.event.Offset).Number(trace.AttrClassID, id).Text(trace.AttrName, c.Name)
	if c.Source != "" {
		e.Text(trace.AttrSourceName, c.Source)
	}
	e.Put() // an error is kept
	return id
}

// Method is the id of a method; see Class.
func (t *Transcript) Method(m Method) uint64 {
	id, known := t.methods[m]
	if known {
		return id
	}
	class := t.Class(m.Class)
	id = uint64(len(t.methods) + 1)
	t.methods[m] = id
	name := trace.MethodName(m.Name)
	e := t.Element(trace.MethodDef, t.event.Offset).Number(trace.AttrMethodID, id).Number(trace.AttrClassIDRef, class).
		Text(trace.AttrName, name)
	if m.Signature != "" {
		e.Text(trace.AttrSignature, m.Signature)
	}
	e.Put()
	return id
}

// AppendFrame appends a frame to the text of a stack, innermost first. The line is trace.NoLine if it is unknown.
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
