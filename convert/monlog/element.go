package monlog

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// process emits the elements of a line and updates the state of its thread. The builder keeps an error.
func (r *reader) process(rec *record) {
	if rec.event.hasName {
		r.threadStarted(rec)
		return
	}
	var stack *stackTrace
	if rec.event.element != trace.ThreadEnd {
		stack = r.stackOf(rec)
	}
	t := r.threadOf(rec)
	var owner uint64
	if rec.event.begins == blocked {
		owner = r.ownerOf(rec, t)
	}
	if rec.event.element == trace.CallStart {
		r.threadHashes.add(rec.object, 0)
	}
	switch e := rec.event; {
	case t.enclosing != running && e.ends == t.enclosing && t.state == running && t.enclosingObject == rec.object:
		t.enclosing = running
		r.out.Element(trace.Annotation, r.lines.Offset).Text(trace.AttrName, trace.NoteLine).
			Text(trace.AttrValue, string(rec.line)).Put() // a trace has no event for the line
		return
	case e.begins == blocked && (t.state == waiting || t.state == joining):
		t.enclosing, t.enclosingObject = t.state, t.object
		r.putInferredEnd(t, rec)
		t.assumed = assumedEnd{}
	}
	r.put(rec, t, owner, stack)
	t.apply(rec, r.lines.Number)
	if rec.event.element == trace.ThreadEnd {
		r.ended.add(t.hash, r.lines.Number)
		r.threads.drop(t)
	}
}

// apply updates the thread's state by an event.
func (t *thread) apply(rec *record, line int) {
	e := rec.event
	t.waited = e.ends == waiting
	switch {
	case e.begins != running:
		if t.assumed.state == e.begins && t.assumed.object == rec.object {
			t.assumed = assumedEnd{} // a later end belongs to this state
		}
		t.state, t.object, t.since = e.begins, rec.object, line
	case e.ends != running:
		t.state, t.object = running, rec.object
	}
	if e.begins != blocked && e.ends != blocked {
		t.enclosing = running
	}
}

// threadStarted emits the element of a ThreadStarted.
func (r *reader) threadStarted(rec *record) {
	line := 0
	for _, t := range r.threads[rec.thread] {
		line = max(line, t.beganLine)
	}
	if line > 0 {
		r.wrong(ruleCollision, 0, fmt.Sprintf("two threads have the hash code %08X: one begins here, another one in "+
			"line %d without a ThreadEnded; further events are attributed to the one that can execute them",
			rec.thread, line))
	}
	r.ended.remove(rec.thread)
	t := r.addThread(rec.thread)
	e := r.out.Element(trace.ThreadStart, r.lines.Offset).Number(trace.AttrThreadID, t.id).At(rec.time)
	e.Text(trace.AttrThreadName, string(rec.name)).Number(trace.AttrObjIDRef, t.hash).Put()
}

// put emits the element of an event that its thread can execute.
func (r *reader) put(rec *record, t *thread, owner uint64, stack *stackTrace) {
	kind := rec.event.element
	e := r.out.Element(kind, r.lines.Offset).Number(kind.Element().Thread(), t.id).At(rec.time)
	switch kind {
	case trace.ThreadEnd:
		e.Put()
		return
	case trace.MonWait, trace.MonWaited:
		r.waits++
	case trace.CallNotify:
		e.Flag(trace.AttrIsNotifyAll, rec.event.notifyAll)
	case trace.MonContendedEnter:
		e.NumberIfKnown(trace.AttrThreadOwner, owner)
	}
	object(e, rec.event.operands == 1, rec.object)
	if stack != nil {
		e.Encoded(stack.frames, stack.annotations, stack.count)
	}
	if call := rec.event.call; call == trace.CallJoin || call != "" && r.isThread(rec.object) {
		e.Annotate(trace.NoteCall, call)
	}
	e.Put()
}

// isThread reports whether the object belongs to a known thread.
func (r *reader) isThread(object uint64) bool {
	_, known := r.threadHashes.find(object)
	return known
}

// object sets the object of a wait or a sleep.
func object(e builder.Element, sleeps bool, hash uint64) {
	if sleeps {
		e.Text(trace.AttrObjIDRef, "-1")
		return
	}
	e.Number(trace.AttrObjIDRef, hash)
}

// putInferredStart emits the missing start of a thread at its first event.
func (r *reader) putInferredStart(t *thread, rec *record) {
	r.unnamed++
	e := r.out.Element(trace.ThreadStart, r.lines.Offset).Number(trace.AttrThreadID, t.id).At(rec.time).
		Number(trace.AttrObjIDRef, t.hash)
	e.Inferred().Annotate(trace.NoteUnlogged, "1").Put() // an error is kept
}

// putInferredBegin emits the missing begin of the state that the event ends.
func (r *reader) putInferredBegin(t *thread, rec *record) {
	if rec.event.ends == running {
		return
	}
	r.putInferred(beginning(rec.event.ends), t, rec.object, rec.time)
	t.state, t.object, t.since = rec.event.ends, rec.object, r.lines.Number
}

// putInferredEnd emits the missing end of the thread's state, which does not allow the event.
func (r *reader) putInferredEnd(t *thread, rec *record) {
	r.putInferred(ending(t.state), t, t.object, rec.time)
	t.assumed = assumedEnd{t.state, t.object, t.since, r.lines.Number}
	t.state = running
}

func (r *reader) putInferred(event *eventKind, t *thread, of uint64, at trace.Time) {
	e := r.out.Element(event.element, r.lines.Offset).Number(trace.AttrThreadIDRef, t.id).At(at)
	object(e, event.operands == 1, of)
	e.Inferred().Annotate(trace.NoteUnlogged, "1").Put() // an error is kept
}

// stackTrace is the stack trace of an event as a trace has it, with the locations in the code.
type stackTrace struct {
	frames      []byte // a text of builder.AppendFrame
	annotations []byte // of builder.AppendAnnotation
	count       uint64 // of the annotations
}

// annotate adds an annotation.
func (s *stackTrace) annotate(name string, value []byte) {
	s.annotations = builder.AppendAnnotation(s.annotations, name, value)
	s.count++
}

// maxStacks limits the cache of stack traces in bytes. A program waits at few places again and again.
const maxStacks = 16 << 20

// stackOf returns the stack trace of an event; nil for a line without one.
func (r *reader) stackOf(rec *record) *stackTrace {
	if len(rec.stack) == 0 {
		r.withoutStack++
		return nil
	}
	r.withStack++
	if known, ok := r.stacks.Get(string(rec.stack)); ok {
		return known
	}
	read, sound := r.readStack(rec)
	if sound { // a damaged one is reported each time
		r.stacks.Put(string(rec.stack), read, 2*len(rec.stack)+len(read.frames)+len(read.annotations))
	}
	return read
}

// readStack decodes a stack trace and emits the definitions of its methods. sound is false if it is damaged.
func (r *reader) readStack(rec *record) (read *stackTrace, sound bool) {
	text, next := field(rec.stack, 0)
	depth, err := strconv.Atoi(string(bytes.TrimSpace(text)))
	if err != nil || depth < 0 {
		r.wrong(ruleStack, rec.stackAt, "invalid depth "+sanitize.Quote(text)+
			" of a stack trace: want a decimal number; the event is used without a stack trace")
		return &stackTrace{}, false
	}
	var stack, locations []byte
	frames := 0
	sound = true
	for next < len(rec.stack) || next == len(rec.stack) && frames < depth {
		at := next
		method, locationAt := field(rec.stack, at)
		if locationAt > len(rec.stack) {
			r.wrong(ruleStack, rec.stackAt+at, "the method "+sanitize.Quote(method)+
				" has no location; the stack trace ends before it")
			sound = false
			break
		}
		location, end := field(rec.stack, locationAt)
		id, ok := hexadecimal(method)
		place, ok2 := hexadecimal(location)
		if !ok || !ok2 {
			r.wrong(ruleStack, rec.stackAt+at, "invalid frame "+
				sanitize.Quote(rec.stack[at:min(end-1, len(rec.stack))])+
				": want a method and a location, both hexadecimal; the stack trace ends before it")
			sound = false
			break
		}
		stack = builder.AppendFrame(stack, id, r.methodLine(id, place))
		if frames > 0 {
			locations = append(locations, ' ')
		}
		locations = fmt.Appendf(locations, "%X", place)
		frames++
		next = end
	}
	if frames != depth && sound {
		r.warn(ruleStack, rec.stackAt, fmt.Sprintf("the stack trace claims a depth of %d and has %s; these are used",
			depth, phrase.Count(frames, "frame")))
		sound = false
	}
	read = &stackTrace{frames: stack}
	if len(stack) > 0 {
		read.annotate(trace.NoteStack, stack)
	}
	if frames > 0 || sound { // a sound one without frames is empty
		read.annotate(trace.NoteLocations, locations)
	}
	return read, sound
}

// methodLine returns the line of a location; the first call for a method emits its definition.
func (r *reader) methodLine(id, location uint64) (line int32) {
	if r.metadata == nil {
		return trace.NoLine
	}
	m := r.metadata.methods[id]
	if m == nil {
		r.unknownMethods = true
		return trace.NoLine
	}
	if !m.defined {
		m.defined = true
		r.defineMethod(id, m)
	}
	return m.lineAt(location)
}

// defineMethod emits a methodDef with the id that the method has in the log.
func (r *reader) defineMethod(id uint64, m *method) {
	class := r.out.Class(m.Class)
	e := r.out.Element(trace.MethodDef, r.lines.Offset).Number(trace.AttrMethodID, id).
		Number(trace.AttrClassIDRef, class).Text(trace.AttrName, javaname.TraceMethod(m.Name)).
		TextIfKnown(trace.AttrSignature, m.Signature)
	if first, last, ok := m.bounds(); ok {
		e.Number(trace.AttrStartLineNumber, first).Number(trace.AttrEndLineNumber, last)
	}
	e.Put() // an error is kept
}
