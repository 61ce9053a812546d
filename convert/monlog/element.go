package monlog

import (
	"fmt"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// take makes elements of a line, and keeps what they do to threads.
func (r *reader) take(rec *record) error {
	var inside *builder.Annotations
	if !rec.event.bare {
		inside = r.inside(rec)
	}
	if rec.event.named {
		return r.started(rec)
	}
	t := r.threadOf(rec)
	var owner uint64
	if rec.event.begins == blocked {
		owner = r.ownerOf(rec, t)
	}
	if rec.event.kind == trace.CallStart {
		r.named.add(rec.object, 0)
	}
	switch e := rec.event; {
	case t.inner != running && e.ends == t.inner && t.state == running && t.innerObject == rec.object:
		t.inner = running
		return r.putLine(rec)
	case e.begins == blocked && (t.state == waiting || t.state == joining):
		t.inner, t.innerObject = t.state, t.object
		r.putEnd(t, rec)
		t.taken = taken{}
	}
	err := r.put(rec, t, owner, inside)
	t.did(rec, r.lines.Number)
	if rec.event.kind == trace.ThreadEnd {
		r.ended(t)
	}
	return err
}

// did keeps what the event does to the thread's state.
func (t *thread) did(rec *record, line int) {
	e := rec.event
	t.waited = e.ends == waiting
	switch {
	case e.begins != running:
		if t.taken.state == e.begins && t.taken.object == rec.object {
			t.taken = taken{} // what ends from here on is this
		}
		t.state, t.object, t.since = e.begins, rec.object, line
	case e.ends != running:
		t.state, t.object = running, rec.object
	}
	if e.begins != blocked && e.ends != blocked {
		t.inner = running
	}
}

// started makes the element of a ThreadStarted.
func (r *reader) started(rec *record) error {
	if lines := r.living(rec.thread); len(lines) > 0 {
		r.wrong(RuleCollision, 0,
			fmt.Sprintf(
				"two threads have the hash code %08X: one begins here, and one has been there since line %d "+
					"without a ThreadEnded; "+
					"from here on an event is taken for that of the one that can have done it", rec.thread,
				lines[len(lines)-1]))
	}
	r.gone.forget(rec.thread)
	t := r.began(rec.thread)
	e := r.out.Element(trace.ThreadStart, r.lines.Offset).Number(trace.AttrThreadID, t.id).At(rec.time)
	return text(e, trace.AttrThreadName, rec.name).Number(trace.AttrObjIDRef, t.hash).Put()
}

// put puts the element of an event, which its thread can have done.
func (r *reader) put(rec *record, t *thread, owner uint64, inside *builder.Annotations) error {
	kind := rec.event.kind
	e := r.out.Element(kind, r.lines.Offset).Raw(kind.Element().Thread(), t.idText)
	if rec.timeText != nil {
		e.AtText(rec.time, rec.timeText)
	} else {
		e.At(rec.time)
	}
	switch kind {
	case trace.ThreadEnd:
		return e.Put()
	case trace.MonWait, trace.MonWaited:
		r.waits++
	case trace.CallNotify:
		e.Flag(trace.AttrIsNotifyAll, rec.event.all)
	case trace.MonContendedEnter:
		if owner != 0 {
			e.Number(trace.AttrThreadOwner, owner)
		}
	}
	object(e, rec.event.operands == 1, rec.object)
	e.AddAll(inside)
	if call := rec.event.call; call != nil && (call == isJoin || r.isThread(rec.object)) {
		e.AddAll(call)
	}
	return e.Put()
}

// isThread says whether the object is known to be that of a thread.
func (r *reader) isThread(object uint64) bool {
	_, known := r.named.find(object)
	return known
}

var sleepObject = []byte("-1")

// object sets the object of a wait, or of a sleep.
func object(e builder.Element, sleeps bool, hash uint64) {
	if sleeps {
		e.Raw(trace.AttrObjIDRef, sleepObject)
		return
	}
	e.Number(trace.AttrObjIDRef, hash)
}

// putUnseen puts the beginning of a thread that the log does not have: it was there before, and is seen first in the
// event.
func (r *reader) putUnseen(t *thread, rec *record) {
	r.nameless++
	e := r.out.Element(trace.ThreadStart, r.lines.Offset).Number(trace.AttrThreadID, t.id).At(rec.time).
		Number(trace.AttrObjIDRef, t.hash)
	e.Inferred().Annotate(trace.UnloggedAnnotation, "1").Put() // an error is kept
}

// putBegin puts what has to come before the event where that ends a state of which the log does not have the beginning.
func (r *reader) putBegin(t *thread, rec *record) {
	if rec.event.ends == running {
		return
	}
	r.putMissing(beginning(rec.event.ends), t, rec.object, rec.time)
	t.state, t.object, t.since = rec.event.ends, rec.object, r.lines.Number
}

// putEnd puts the end of what the thread does, which the event does not allow any more.
func (r *reader) putEnd(t *thread, rec *record) {
	r.putMissing(ending(t.state), t, t.object, rec.time)
	t.taken = taken{t.state, t.object, t.since, r.lines.Number}
	t.state = running
}

func (r *reader) putMissing(event *eventKind, t *thread, of uint64, at trace.Time) {
	e := r.out.Element(event.kind, r.lines.Offset).Number(trace.AttrThreadIDRef, t.id).At(at)
	object(e, event.operands == 1, of)
	e.Inferred().Annotate(trace.UnloggedAnnotation, "1").Put() // an error is kept
}

var lineAnnotation = []byte(trace.LineAnnotation)

// text sets an attribute to what the log says.
func text(e builder.Element, a trace.Attr, value []byte) builder.Element {
	for _, c := range value {
		if c < ' ' || c > '~' || c == '\\' {
			return e.Text(a, string(value))
		}
	}
	return e.Raw(a, value)
}

// putLine puts the line among the events.
func (r *reader) putLine(rec *record) error {
	e := r.out.Element(trace.Annotation, r.lines.Offset).Raw(trace.AttrName, lineAnnotation)
	return text(e, trace.AttrValue, rec.line).Put()
}
