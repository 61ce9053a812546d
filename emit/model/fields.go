package model

import (
	"bytes"
	"strconv"

	"github.com/trcx/trcx/internal/digits"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// formatName and version identify the formats. The version rises when a field changes its meaning or is removed.
const (
	formatName = "trcx-model"
	version    = 1
)

// texts are the constant parts of the fields of a type of events.
type texts struct {
	typ, object, other, otherKey string
}

var textsOf = func() (all [trace.ModelTypeCount]texts) {
	field := func(name string) string {
		if name == "" {
			return ""
		}
		return `,"` + name + `":`
	}
	for t := range all {
		described := trace.ModelType(t).Row()
		all[t] = texts{
			typ:    `,"type":"` + described.Name + `","time":`,
			object: field(described.Object), other: field(described.Other), otherKey: field(described.Other + "Key"),
		}
	}
	return all
}()

// appendEvent appends the fields of an event from id on, without its effects.
func appendEvent(dst []byte, e *trace.ModelEvent, start trace.Time, stacks stackTexts) []byte {
	text := &textsOf[e.Type]
	dst = append(dst, `"id":`...)
	dst = digits.Append(dst, uint64(e.ID))
	dst = append(dst, text.typ...)
	dst = appendInteger(dst, int64(e.Time-start))
	if e.Object.Known() {
		dst = append(dst, text.object...)
		dst = appendID(dst, e.Object.ID)
	}
	if e.Timeout >= 0 {
		dst = append(dst, `,"timeout":`...)
		dst = appendInteger(dst, e.Timeout)
	}
	switch {
	case e.Init:
		dst = appendInit(dst, e.Other)
	case e.Other.Key != 0:
		dst = append(dst, text.other...)
		dst = appendID(dst, e.Other.ID.ID)
		dst = append(dst, text.otherKey...)
		dst = digits.Append(dst, uint64(e.Other.Key))
	}
	if e.Inferred {
		dst = append(dst, `,"inferred":true`...)
	}
	if e.Park {
		dst = append(dst, `,"park":true`...)
	}
	if e.IO != trace.NoIO {
		dst = append(append(append(dst, `,"io":"`...), e.IO.String()...), '"')
	}
	if e.Stack != nil {
		dst = stacks.append(dst, e.Stack)
	}
	return dst
}

// appendInit appends the thread that initialises a class, whose key may be unknown.
func appendInit(dst []byte, by trace.ThreadRef) []byte {
	dst = appendID(append(dst, `,"init":`...), by.ID.ID)
	if by.Key != 0 {
		dst = digits.Append(append(dst, `,"initKey":`...), uint64(by.Key))
	}
	return dst
}

// stackTexts caches the fields of call stacks, which many events share.
type stackTexts struct {
	*lru.Cache[*trace.Stack, []byte]
}

// maxStackTexts is the limit for the size of the cache, in bytes.
const maxStackTexts = 16 << 20

func newStackTexts() stackTexts {
	return stackTexts{lru.NewCache[*trace.Stack, []byte](maxStackTexts)}
}

// append appends the fields of a call stack.
func (c stackTexts) append(dst []byte, s *trace.Stack) []byte {
	if text, ok := c.Get(s); ok {
		return append(dst, text...)
	}
	begin := len(dst)
	o := object{buf: append(dst, `,"stack":[`...)}
	for i := range s.Frames {
		o.comma(i)
		o.buf = append(o.buf, '{')
		o.frame(&s.Frames[i])
		o.buf = append(o.buf, '}')
	}
	o.buf = append(o.buf, ']')
	if s.Omitted > 0 {
		o.number("omittedFrames", int64(s.Omitted))
	}
	c.Put(s, bytes.Clone(o.buf[begin:]), len(o.buf)-begin)
	return o.buf
}

// frame writes the fields of a frame. The names of an undefined method are "", so that each frame keeps its index.
func (o *object) frame(f *trace.Frame) {
	o.string("class", f.Method.Class)
	o.string("method", f.Method.Name)
	o.known("file", f.Method.File)
	if f.Line != trace.NoLine {
		o.number("line", int64(f.Line))
	}
}

// appendID appends an id as a JSON string.
func appendID(dst []byte, id trace.ID) []byte {
	if number, ok := id.Number(); ok {
		dst = append(dst, '"')
		dst = digits.Append(dst, number)
		return append(dst, '"')
	}
	return jsontext.Append(dst, id.String())
}

// thread writes the fields of a thread without its events.
func (o *object) thread(t *trace.ModelThread) {
	o.number("key", int64(t.Key))
	o.string("threadId", t.ID.String())
	o.known("objectId", t.Object.String())
	if !t.Unnamed {
		o.known("name", t.Name)
	}
	o.known("group", t.Group)
	o.known("parent", t.Parent)
	o.number("session", int64(t.Session))
}

func (o *object) object(m *trace.ModelObject) {
	o.string("objectId", m.ID.String())
	declared, represented := javaname.SplitClassObject(m.Class)
	o.known("class", declared)
	o.known("represents", represented)
	o.number("session", int64(m.Session))
}

func (o *object) binding(b *trace.Binding) {
	o.number("cause", int64(b.Cause.ID))
	o.number("running", int64(b.Running))
	if b.Replaces.ID != 0 {
		o.number("replaces", int64(b.Replaces.ID))
	}
}

func (o *object) deadlock(loop *trace.DeadlockLoop, start trace.Time) {
	o.number("time", int64(loop.Time-start))
	o.name("threadIds")
	o.buf = append(o.buf, '[')
	for i, t := range loop.Threads {
		o.comma(i)
		o.buf = appendID(o.buf, t.ID.ID)
	}
	o.buf = append(o.buf, ']')
	o.name("threadKeys")
	o.buf = append(o.buf, '[')
	for i, t := range loop.Threads {
		o.comma(i)
		o.buf = digits.Append(o.buf, uint64(t.Key))
	}
	o.buf = append(o.buf, ']')
}

func (o *object) comma(i int) {
	if i > 0 {
		o.buf = append(o.buf, ',')
	}
}

// session writes the parts of a recording's description that the trace has.
func (o *object) session(s *trace.Session) {
	for _, part := range []struct {
		name   string
		values []trace.NamedValue
	}{{"node", s.Node}, {"process", s.Process}, {"agent", s.Agent}} {
		if part.values == nil {
			continue
		}
		o.name(part.name)
		o.buf = append(o.buf, '{')
		for _, value := range part.values {
			o.string(value.Name, value.Value)
		}
		o.buf = append(o.buf, '}')
	}
	o.known("traceId", s.TraceID)
	if s.HasStart {
		o.string("startTime", s.Start.String())
	}
}

// summary writes the figures of the whole trace.
func (o *object) summary(s *trace.Summary) {
	o.number("duration", int64(s.Last-s.Start))
	o.number("events", int64(s.Events))
	o.bool("truncated", s.Truncated)
	o.name("counts")
	o.buf = append(o.buf, '{')
	for _, c := range s.Counts {
		o.number(c.Name, int64(c.Count))
	}
	o.buf = append(o.buf, '}')
}

func appendInteger(dst []byte, value int64) []byte {
	if value < 0 {
		return digits.Append(append(dst, '-'), -uint64(value))
	}
	return digits.Append(dst, uint64(value))
}

// object writes the fields of a JSON object into a buffer.
type object struct{ buf []byte }

// name begins a field; the caller appends its value.
func (o *object) name(name string) {
	if last := o.buf[len(o.buf)-1]; last != '{' && last != '[' {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(append(append(o.buf, '"'), name...), `":`...)
}

func (o *object) string(name, value string) {
	o.name(name)
	o.buf = jsontext.Append(o.buf, value)
}

// known writes a string that is not "".
func (o *object) known(name, value string) {
	if value != "" {
		o.string(name, value)
	}
}

func (o *object) number(name string, value int64) {
	o.name(name)
	o.buf = appendInteger(o.buf, value)
}

func (o *object) bool(name string, value bool) {
	o.name(name)
	o.buf = strconv.AppendBool(o.buf, value)
}
