package jfr

import (
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// inflate keeps the cause of a monitor's inflation for the thread's next interval.
func (m *emitter) inflate(t *thread, e *event) {
	m.ensureStarted(t, e)
	t.inflated, t.inflatedAt = e.text, e.begin
}

// monitorEnter emits the begin of a block.
func (m *emitter) monitorEnter(t *thread, e *event) {
	if m.openInterval(t, e) {
		m.setObject(t, m.object(t, e))
		m.put(m.beginElement(t, e, trace.MonContendedEnter, t.at.number))
	}
}

// monitorWait emits the begin of a wait for a notification, or of the join of a thread.
func (m *emitter) monitorWait(t *thread, e *event) {
	if !m.openInterval(t, e) {
		return
	}
	at := m.joinedObject(e)
	if at == nil {
		at = m.object(t, e)
	}
	m.setObject(t, at)
	wait := timeoutAttr(m.beginElement(t, e, trace.MonWait, at.number), e)
	if e.flags&flagEndOnly != 0 {
		wait = wait.Annotate(trace.NoteBegan, trace.BeganUnknown)
	}
	m.put(wait)
}

func (m *emitter) sleep(t *thread, e *event) {
	if m.openInterval(t, e) {
		m.put(timeoutAttr(m.beginElement(t, e, trace.MonWait, 0), e))
	}
}

// park emits the begin of a park. It is a wait, or a block on an owned lock whose owner is unknown.
func (m *emitter) park(t *thread, e *event) {
	if !m.openInterval(t, e) {
		return
	}
	m.setObject(t, m.blocker(t, e))
	var park builder.Element
	if e.flags&flagLock != 0 {
		park = m.beginElement(t, e, trace.MonContendedEnter, t.at.number).Raw(trace.AttrThreadOwner, noOwner).
			Park(trace.ParkLock)
	} else {
		park = timeoutAttr(m.beginElement(t, e, trace.MonWait, t.at.number), e).Park(trace.ParkWait)
	}
	switch {
	case e.flags&flagUntil != 0:
		park = park.Annotate(trace.NoteUntil, (e.begin + trace.Time(e.timeout)).String())
	case e.timeout != noTimeout:
		park = park.Annotate(trace.NoteTimeoutNanos, strconv.FormatInt(e.timeout, 10))
	}
	m.put(park)
}

// noOwner is the threadOwner of a lock without a known owner. Without the attribute, enrich would conclude an owner
// from the order of events.
var noOwner = []byte("0")

// blocker returns the object of a park: the thread's permit if the event names none.
func (m *emitter) blocker(t *thread, e *event) *object {
	if e.address != 0 || e.class != 0 {
		return m.object(t, e)
	}
	if t.permit == 0 {
		t.permit = m.objects.next()
		m.objAlloc(t.permit, javaname.PermitClass, e.offset, e.begin)
	}
	return &object{number: t.permit}
}

// openInterval opens the interval of an event and reports whether the thread is in it. If it overlaps an open interval
// of the thread, the one that ends later wins.
func (m *emitter) openInterval(t *thread, e *event) (ok bool) {
	m.ensureStarted(t, e)
	if t.interval != nil && t.interval.end() < e.end() {
		m.endEarly(t, e.begin)
	}
	if t.interval != nil {
		if !t.interval.covers(e) {
			m.reportOverlap(t, e)
		}
		return false
	}
	t.interval, t.at = m.open.add(e), nil
	return true
}

// reportOverlap reports an event during an interval of its thread.
func (m *emitter) reportOverlap(t *thread, e *event) {
	m.finding(ruleOverlap, trace.Warning, e.offset,
		"thread %q waits, sleeps or is blocked at this time, by the event at %d; this event is skipped", t.name,
		t.interval.offset)
}

// endEarly ends the thread's interval, if it is in one, before its recorded end.
func (m *emitter) endEarly(t *thread, at trace.Time) {
	if i := t.interval; i != nil {
		m.endAt(t, i, min(at, i.end()))
		m.open.remove(i)
	}
}

// setObject sets the object of the thread's interval.
func (m *emitter) setObject(t *thread, at *object) {
	t.at = at
	at.waiters++
}

// object returns the object of an event. It emits the object's class if the object is new.
func (m *emitter) object(t *thread, e *event) *object {
	if e.address == 0 {
		return &object{}
	}
	key := objectKey{e.jvm, e.address}
	inflated := t.inflated != 0 && (m.objects.objects[key] == nil || t.inflatedAt > m.objects.objects[key].seen)
	at, isNew := m.objects.lookup(key, e.class, inflated)
	at.seen = e.begin
	if isNew && e.class != 0 {
		m.objAlloc(at.number, m.symbols.names[e.class], e.offset, e.begin)
	}
	return at
}

// joinedObject returns the object of the thread that a join waits for, or nil for other waits.
func (m *emitter) joinedObject(e *event) *object {
	if e.flags&flagJoin == 0 {
		return nil
	}
	joined, ok := m.threads.get(threadID{e.jvm, e.other})
	if !ok {
		return nil
	}
	if joined.class == 0 {
		joined.class = e.class
	}
	m.defineObject(joined, e) // its threadStart may follow
	number, key := joined.number, objectKey{e.jvm, e.address}
	at := m.objects.objects[key]
	if at == nil || at.number != number {
		at = &object{number: number, class: e.class}
	}
	if at.seen = e.begin; e.address != 0 {
		m.objects.put(key, at)
	}
	return at
}

// beginElement begins the element at the begin of an interval.
func (m *emitter) beginElement(t *thread, e *event, kind trace.Kind, object uint64) builder.Element {
	stack := m.stack(e)
	begin := objectAttr(m.threadElement(kind, e), e.kind, object)
	if len(stack) > 0 {
		begin = begin.Encoded(stack, m.symbols.stackNote(e.stack), 1)
	}
	if t.inflated != 0 {
		begin, t.inflated = begin.Annotate(trace.NoteInflated, m.symbols.names[t.inflated]), 0
	}
	return begin
}

// endAt emits the element at the end of the thread's interval.
func (m *emitter) endAt(t *thread, i *interval, at trace.Time) {
	kind := trace.MonWaited
	if i.kind == kindEnter || i.flags&flagLock != 0 {
		kind = trace.MonContendedEntered
	}
	number := uint64(0)
	if t.at != nil {
		number = t.at.number
		t.at.waiters--
		t.at.epoch, t.at.seen = m.objects.epoch, at
	}
	t.interval, t.at = nil, nil
	e := m.threadAttr(m.Element(kind, i.offset), trace.AttrThreadIDRef, i.jvm, i.thread).At(at)
	e = objectAttr(e, i.kind, number)
	if kind == trace.MonWaited {
		e = e.Number(trace.AttrTimeout, uint64(at-i.begin)/nanosPerMilli)
	}
	if i.flags&flagDumped != 0 {
		m.put(e.Inferred())
		return
	}
	if i.kind == kindWait {
		e = e.Flag(trace.AttrIsTimedOut, i.flags&flagTimedOut != 0)
	}
	if i.flags&flagLock != 0 && i.flags&flagTimedOut != 0 {
		e = e.GaveUp(trace.GaveUpTimeout)
	}
	m.put(m.by(e, i.jvm, i.other))
}

// objectAttr sets the object of an interval.
func objectAttr(e builder.Element, kind eventKind, number uint64) builder.Element {
	if kind == kindSleep {
		return e.Raw(trace.AttrObjIDRef, sleepObject)
	}
	return e.Number(trace.AttrObjIDRef, number)
}

// sleepObject is the object id of a sleep, which has no object.
var sleepObject = []byte("-1")

// timeoutAttr sets the timeout in milliseconds, rounded up since 0 means no timeout.
func timeoutAttr(begin builder.Element, e *event) builder.Element {
	switch e.timeout {
	case unknownTimeout:
		return begin
	case noTimeout:
		return begin.Number(trace.AttrTimeout, 0)
	}
	millis := uint64(e.timeout) / nanosPerMilli
	if uint64(e.timeout)%nanosPerMilli > 0 {
		millis++
	}
	if millis == 0 && e.kind == kindPark {
		millis = 1
	}
	return begin.Number(trace.AttrTimeout, millis)
}

// threadKnown sets the properties of a thread, unless its start is already emitted.
func (m *emitter) threadKnown(t *thread, e *event) {
	if t.dead {
		m.restart(t)
	}
	if !t.started && (t.name == "" || e.flags&flagDumped == 0) {
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

// ensureStarted restarts the event's thread if it is dead, and emits its start if that is missing: the thread is older
// than the recording, or its start event follows.
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
	start := m.threadElement(trace.ThreadStart, e).Text(trace.AttrThreadName, t.name)
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
	m.put(m.threadElement(trace.ThreadEnd, e))
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
	m.put(m.threadElement(trace.CallStart, e).Number(trace.AttrObjIDRef, child.number).Stack(stack))
}

// notifyCall emits the call of notify inferred from the other thread's wait.
func (m *emitter) notifyCall(t *thread, e *event) {
	waiter, ok := m.threads.find(threadID{e.jvm, e.other})
	if !ok || waiter.interval == nil || waiter.at == nil || t.dead || t.interval != nil {
		return
	}
	m.ensureStarted(t, e)
	call := m.threadElement(trace.CallNotify, e).Number(trace.AttrObjIDRef, waiter.at.number)
	if e.flags&flagJoin != 0 {
		call = call.Flag(trace.AttrIsNotifyAll, true) // a JVM calls notifyAll when a thread ends
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
	call := m.threadElement(trace.CallNotify, e).Number(trace.AttrObjIDRef, at.number)
	if e.flags&(flagNotifyAll|flagNotify) != 0 {
		call = call.Flag(trace.AttrIsNotifyAll, e.flags&flagNotifyAll != 0)
	}
	m.put(call.Stack(stack))
}
