package jfr

import (
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// threadKnown sets the properties of a thread, unless its start is already emitted.
func (m *emitter) threadKnown(t *thread, e *event) {
	if t.dead {
		m.restart(t)
	}
	if !t.started {
		m.threads.charge(t, len(e.name)-len(t.name))
		t.name, t.group, t.virtual = e.name, e.group, e.flags&flagVirtual != 0
		t.startReported, t.reported = e.flags&flagStartReported != 0, e.reported
	}
}

// threadClass sets the class of a thread's object.
func (m *emitter) threadClass(t *thread, e *event) {
	if !t.started && t.class == 0 {
		t.class = e.class
	}
}

// restart replaces a dead thread by a new one of the same id and name.
func (m *emitter) restart(t *thread) {
	*t = thread{cachedThread: t.cachedThread, name: t.name, group: t.group, virtual: t.virtual,
		number: m.objects.next()}
	t.dead = false
}

// ensureStarted restarts the thread of an event if it is dead, and emits its start if that is missing: the thread was
// there before the recording, or its start event follows.
func (m *emitter) ensureStarted(t *thread, e *event) {
	if t.dead {
		m.restart(t)
	}
	if t.started {
		return
	}
	start := m.startElement(t, e)
	if t.startReported {
		start = start.Annotate(trace.NoteReported, t.reported.String())
	} else {
		start = start.Inferred()
	}
	m.put(start)
}

// startElement begins the threadStart of an event's thread.
func (m *emitter) startElement(t *thread, e *event) builder.Element {
	t.started = true
	m.defineObject(t, e)
	start := m.threadAttr(m.Element(trace.ThreadStart, e.offset), trace.AttrThreadID, e.jvm, e.thread).At(e.begin).
		Text(trace.AttrThreadName, t.name)
	if t.group.name != 0 {
		start.Text(trace.AttrGroupName, m.symbols.names[t.group.name])
		start.Text(trace.AttrParentName, m.symbols.names[t.group.parent])
	}
	return start.Number(trace.AttrObjIDRef, t.number)
}

// defineObject emits the class of a thread's object, once, if it is known.
func (m *emitter) defineObject(t *thread, e *event) {
	if t.defined {
		return
	}
	class := m.symbols.names[t.class]
	if class == "" && t.virtual {
		class = virtualThreadClass
	}
	if class != "" {
		m.objAlloc(t.number, class, e.offset, e.begin)
		t.defined = true
	}
}

const virtualThreadClass = "java/lang/VirtualThread"

func (m *emitter) threadStart(t *thread, e *event) {
	if t.dead {
		m.restart(t)
	}
	if !t.started {
		m.put(m.startElement(t, e))
	}
}

func (m *emitter) threadEnd(t *thread, e *event) {
	if t.dead {
		return // JDK 21 reports each end twice
	}
	m.ensureStarted(t, e)
	m.endEarly(t, e.begin)
	m.put(m.threadAttr(m.Element(trace.ThreadEnd, e.offset), trace.AttrThreadIDRef, e.jvm, e.thread).At(e.begin))
	m.threads.end(threadID{e.jvm, e.thread})
}

// startCall emits the call of Thread.start inferred from the other thread's start.
func (m *emitter) startCall(t *thread, e *event) {
	m.ensureStarted(t, e)
	child, ok := m.threads.get(threadID{e.jvm, e.other})
	if !ok || t.interval != nil || child.started && !child.dead {
		return
	}
	if child.dead {
		m.restart(child)
	}
	m.defineObject(child, e)
	stack := m.stack(e)
	m.put(m.threadAttr(m.Element(trace.CallStart, e.offset), trace.AttrThreadID, e.jvm, e.thread).At(e.begin).
		Number(trace.AttrObjIDRef, child.number).Stack(stack))
}

// notifyCall emits the call of notify inferred from the other thread's wait.
func (m *emitter) notifyCall(t *thread, e *event) {
	waiter := m.threads.threads[threadID{e.jvm, e.other}]
	if waiter == nil || waiter.interval == nil || waiter.at == nil || t.dead || t.interval != nil {
		return
	}
	m.ensureStarted(t, e)
	number := waiter.at.number
	call := m.threadAttr(m.Element(trace.CallNotify, e.offset), trace.AttrThreadID, e.jvm, e.thread).At(e.begin).
		Number(trace.AttrObjIDRef, number)
	if e.flags&flagJoin != 0 {
		call = call.Flag(trace.AttrIsNotifyAll, true) // as JVMs do when a thread ends
	}
	m.put(call.Inferred())
}

func (m *emitter) notify(t *thread, e *event) {
	m.ensureStarted(t, e)
	if t.interval != nil {
		m.reportOverlap(t, e)
		return
	}
	stack, at := m.stack(e), m.object(t, e)
	call := m.threadAttr(m.Element(trace.CallNotify, e.offset), trace.AttrThreadID, e.jvm, e.thread).At(e.begin).
		Number(trace.AttrObjIDRef, at.number)
	if e.flags&(flagNotifyAll|flagNotify) != 0 {
		call = call.Flag(trace.AttrIsNotifyAll, e.flags&flagNotifyAll != 0)
	}
	m.put(call.Stack(stack))
}
