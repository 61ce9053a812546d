package jfr

import (
	"fmt"

	"github.com/trcx/trcx/convert/transcript"
	"github.com/trcx/trcx/trace"
)

// telling tells deeds as elements.
type telling struct {
	*transcript.Transcript
	names   *names
	finding func(rule string, severity trace.Severity, place int64, format string, arguments ...any)
	threads map[threadID]*living
	dead    deadThreads
	objects objects
	last    struct{ id, used, total uint64 } // the heap after the last collection
	summed  bool                             // that is known
	id      []byte
	err     error
}

// living is a thread.
type living struct {
	name, group, parent string
	number              uint64 // of its object
	class               uint32 // of that; 0 if it is not known
	defined             bool   // that class has been told
	virtual             bool
	told                bool // its threadStart
	dead                bool
	willStart           bool
	reported            trace.Time // when its start will be reported
	rests               bool       // it waits, sleeps, or is blocked
	doing               deed       // likewise
	at                  *object    // likewise; nil for a sleep
	inflated            string     // why a monitor was inflated for it
	inflatedAt          trace.Time
}

func (t *telling) of(d *deed) *living { return t.thread(threadID{d.scope, d.thread}) }

// thread is the thread of the id, which may be new.
func (t *telling) thread(id threadID) *living {
	l := t.threads[id]
	if l == nil {
		l = &living{number: t.objects.next()}
		t.threads[id] = l
	}
	return l
}

// begins tells a deed.
func (t *telling) begins(d *deed) (goesOn bool, err error) {
	return tellers[d.kind](t, d), t.err
}

// tellers has how the deeds are told; each says whether its deed goes on.
var tellers = [deedKinds]func(*telling, *deed) bool{
	known: (*telling).known, ofClass: (*telling).ofClass, started: (*telling).started, callsStart: (*telling).callsStart, callsNotify: (*telling).callsNotify,
	inflates: (*telling).inflates, heapIs: (*telling).heapIs, allocates: (*telling).allocates, notifies: (*telling).notifies,
	enters: (*telling).enters, waits: (*telling).waits, sleeps: (*telling).sleeps, parks: (*telling).parks, collects: (*telling).collects, ended: (*telling).ended,
}

// put gives an element on, and keeps an error.
func (t *telling) put(e transcript.Element) {
	if err := e.Put(); err != nil {
		t.err = err
	}
}

// thread sets an attribute to a thread's id.
func (t *telling) with(e transcript.Element, a trace.Attr, scope uint32, number uint64) transcript.Element {
	t.id = threadID{scope, number}.append(t.id[:0])
	return e.Raw(a, t.id)
}

// by says who brought the element about.
func (t *telling) by(e transcript.Element, scope uint32, number uint64) transcript.Element {
	if number == 0 {
		return e
	}
	t.id = threadID{scope, number}.append(t.id[:0])
	return e.By(trace.ThreadFrom(t.id))
}

// stack is the deed's call stack, with its methods defined.
func (t *telling) stack(d *deed) []byte {
	if d.stack == 0 {
		return nil
	}
	return t.names.text(d.stack, t.Transcript)
}

// known: what is told of a thread later gives it its name.
func (t *telling) known(d *deed) bool {
	l := t.of(d)
	if l.dead {
		*l = living{number: t.objects.next()}
	}
	if !l.told {
		l.name, l.group, l.parent, l.virtual = d.name, d.group, d.parent, d.flags&virtual != 0
		l.willStart, l.reported = d.flags&willStart != 0, d.reported
	}
	return false
}

func (t *telling) ofClass(d *deed) bool {
	if l := t.of(d); !l.told && l.class == 0 {
		l.class = d.class
	}
	return false
}

// start tells that a thread starts.
func (t *telling) start(l *living, d *deed, id uint64, at trace.Time) transcript.Element {
	l.told = true
	t.define(l, d, at)
	e := t.with(t.Element(trace.ThreadStart, d.place), trace.AttrThreadID, d.scope, id).At(at).Text(trace.AttrThreadName, l.name)
	if l.group != "" {
		e.Text(trace.AttrGroupName, l.group)
		e.Text(trace.AttrParentName, l.parent)
	}
	return e.Number(trace.AttrObjIDRef, l.number)
}

// define names the class of a thread's object, once, where that is known.
func (t *telling) define(l *living, d *deed, at trace.Time) {
	if l.defined {
		return
	}
	class := t.names.class[l.class]
	if class == "" && l.virtual {
		class = virtualClass
	}
	if class != "" {
		t.object(l.number, class, d, at)
		l.defined = true
	}
}

const virtualClass = "java/lang/VirtualThread"

// object names the class of an object.
func (t *telling) object(number uint64, class string, d *deed, at trace.Time) {
	id := t.Class(transcript.Class{Name: class})
	t.put(t.Element(trace.ObjAlloc, d.place).Number(trace.AttrObjID, number).Number(trace.AttrClassIDRef, id).At(at))
}

// acting is the thread of a deed, which runs, so that it has started.
func (t *telling) acting(d *deed) *living {
	l := t.of(d)
	if l.dead {
		*l = living{name: l.name, group: l.group, parent: l.parent, virtual: l.virtual, number: t.objects.next()}
	}
	t.mustRun(l, d, d.thread)
	return l
}

// mustRun tells the start of a thread that acts, where it has not been told: it was there before the recording, or its start is reported later.
func (t *telling) mustRun(l *living, d *deed, id uint64) {
	if l.told {
		return
	}
	e := t.start(l, d, id, d.begin)
	if l.willStart {
		e = e.Annotate("reported", l.reported.String())
	} else {
		e = e.Inferred()
	}
	t.put(e)
}

func (t *telling) started(d *deed) bool {
	l := t.of(d)
	if l.dead {
		*l = living{name: l.name, group: l.group, parent: l.parent, virtual: l.virtual, number: t.objects.next()}
	}
	if !l.told {
		t.put(t.start(l, d, d.thread, d.begin))
	}
	return false
}

func (t *telling) ended(d *deed) bool {
	l := t.of(d)
	if l.dead {
		t.finding(RuleImpossible, trace.Warning, d.place, "the thread %s ends for the second time; this is left out", l.called())
		return false
	}
	t.mustRun(l, d, d.thread)
	t.rush(l)
	t.put(t.with(t.Element(trace.ThreadEnd, d.place), trace.AttrThreadIDRef, d.scope, d.thread).At(d.begin))
	l.dead = true
	if old, full := t.dead.add(threadID{d.scope, d.thread}); full && t.threads[old] != nil && t.threads[old].dead {
		delete(t.threads, old)
	}
	return false
}

func (l *living) called() string { return fmt.Sprintf("%q", l.name) }

// callsStart: the other thread's start tells of it.
func (t *telling) callsStart(d *deed) bool {
	child := t.thread(threadID{d.scope, d.other})
	l := t.acting(d)
	if l.rests || child.told && !child.dead {
		return false
	}
	if child.dead {
		*child = living{name: child.name, group: child.group, parent: child.parent, virtual: child.virtual, number: t.objects.next()}
	}
	stack := t.stack(d)
	t.put(t.with(t.Element(trace.CallStart, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).Number(trace.AttrObjIDRef, child.number).Stack(stack))
	return false
}

// callsNotify: the other thread's wait tells of it.
func (t *telling) callsNotify(d *deed) bool {
	waiter := t.threads[threadID{d.scope, d.other}]
	if waiter == nil || !waiter.rests || waiter.at == nil {
		return false
	}
	if l := t.threads[threadID{d.scope, d.thread}]; l == nil || l.dead || l.rests {
		return false
	}
	t.acting(d)
	number := waiter.at.number
	e := t.with(t.Element(trace.CallNotify, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).Number(trace.AttrObjIDRef, number)
	if d.flags&joins != 0 {
		e = e.Flag(trace.AttrIsNotifyAll, true) // so do JVMs when a thread ends
	}
	t.put(e.Inferred())
	return false
}

// inflates is kept for what the thread does next with the monitor.
func (t *telling) inflates(d *deed) bool {
	if d.thread == 0 {
		return false
	}
	l := t.acting(d)
	l.inflated, l.inflatedAt = d.name, d.begin
	return false
}

func (t *telling) heapIs(d *deed) bool {
	t.last.id, t.last.used, t.last.total, t.summed = d.id, d.size, d.total, true
	return false
}

func (t *telling) collects(d *deed) bool {
	t.objects.collected()
	t.put(t.Element(trace.GCStart, d.place).At(d.begin))
	return true
}

func (t *telling) allocates(d *deed) bool {
	if d.class == 0 {
		return false
	}
	class := t.names.class[d.class]
	id, stack := t.Class(transcript.Class{Name: class}), []byte(nil)
	acting := d.thread != 0 && !t.of(d).dead && !t.of(d).rests
	if acting {
		t.acting(d)
		stack = t.stack(d)
	}
	e := t.Element(trace.ObjAlloc, d.place).Number(trace.AttrClassIDRef, id).Flag(trace.AttrIsArray, class[0] == '[').At(d.begin)
	if acting {
		e = t.with(e, trace.AttrThreadIDRef, d.scope, d.thread)
	}
	t.put(e.Stack(stack).Annotate("weight", fmt.Sprint(d.size)))
	return false
}

func (t *telling) notifies(d *deed) bool {
	l := t.acting(d)
	if l.rests {
		t.overlap(l, d)
		return false
	}
	stack, at := t.stack(d), t.find(l, d)
	e := t.with(t.Element(trace.CallNotify, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).Number(trace.AttrObjIDRef, at.number)
	if d.flags&(all|one) != 0 {
		e = e.Flag(trace.AttrIsNotifyAll, d.flags&all != 0)
	}
	t.put(e.Stack(stack))
	return false
}

// find is the object of a deed, defined.
func (t *telling) find(l *living, d *deed) *object {
	if d.address == 0 {
		return &object{}
	}
	s := spot{d.scope, d.address}
	anew := l.inflated != "" && (t.objects.at[s] == nil || l.inflatedAt > t.objects.at[s].seen)
	at, isNew := t.objects.find(s, d.class, anew)
	at.seen = d.begin
	if isNew && d.class != 0 {
		t.object(at.number, t.names.class[d.class], d, d.begin)
	}
	return at
}

// joined is the object of the thread whose end a deed waits for; nil if it waits for something else.
func (t *telling) joined(d *deed) *object {
	if d.flags&joins == 0 {
		return nil
	}
	joined := t.thread(threadID{d.scope, d.other})
	if joined.class == 0 {
		joined.class = d.class
	}
	t.define(joined, d, d.begin) // the start of the thread may be told later
	number, s := joined.number, spot{d.scope, d.address}
	at := t.objects.at[s]
	if at == nil || at.number != number {
		at = &object{number: number, class: d.class}
	}
	if at.seen = d.begin; d.address != 0 {
		t.objects.put(s, at)
	}
	return at
}

// rest lets the thread of a deed rest, unless it does so already.
func (t *telling) rest(d *deed) (l *living, ok bool) {
	l = t.acting(d)
	if l.rests && l.doing.end() < d.end() {
		t.rush(l)
	}
	if l.rests {
		t.overlap(l, d)
		return l, false
	}
	l.rests, l.doing, l.at = true, *d, nil
	return l, true
}

// overlap reports what a thread cannot have done at that time.
func (t *telling) overlap(l *living, d *deed) {
	t.finding(RuleOverlap, trace.Warning, d.place, "the thread %s did this while it was waiting, sleeping or blocked, as the event at %d says; it is left out", l.called(), l.doing.place)
}

// rush ends what the thread rests in before its time, for it does something else.
func (t *telling) rush(l *living) {
	if l.rests {
		d := l.doing
		t.over(l, &d)
	}
}

// begun begins the element by which a thread comes to rest.
func (t *telling) begun(l *living, d *deed, kind trace.Kind, object uint64) transcript.Element {
	stack := t.stack(d)
	e := t.with(t.Element(kind, d.place), trace.AttrThreadIDRef, d.scope, d.thread).At(d.begin)
	if d.kind == sleeps {
		e = e.Raw(trace.AttrObjIDRef, []byte("-1"))
	} else {
		e = e.Number(trace.AttrObjIDRef, object)
	}
	e = e.Stack(stack)
	if l.inflated != "" {
		e, l.inflated = e.Annotate("inflated", l.inflated), ""
	}
	return e
}

func (t *telling) enters(d *deed) bool {
	l, ok := t.rest(d)
	if !ok {
		return false
	}
	l.at = t.find(l, d)
	l.at.open++
	t.put(t.begun(l, d, trace.MonContendedEnter, l.at.number))
	return true
}

func (t *telling) waits(d *deed) bool {
	l, ok := t.rest(d)
	if !ok {
		return false
	}
	if l.at = t.joined(d); l.at == nil {
		l.at = t.find(l, d)
	}
	l.at.open++
	t.put(t.timeout(t.begun(l, d, trace.MonWait, l.at.number), d))
	return true
}

func (t *telling) sleeps(d *deed) bool {
	l, ok := t.rest(d)
	if ok {
		t.put(t.timeout(t.begun(l, d, trace.MonWait, 0), d))
	}
	return ok
}

func (t *telling) parks(d *deed) bool {
	l, ok := t.rest(d)
	if !ok {
		return false
	}
	l.at = t.find(l, d)
	l.at.open++
	t.put(t.timeout(t.begun(l, d, trace.MonWait, l.at.number), d).Annotate("park", d.parking()))
	return true
}

// parking says in words how a thread parks.
func (d *deed) parking() string {
	switch {
	case d.flags&until != 0:
		return "until " + (d.begin + trace.Time(d.timeout)).String()
	case d.timeout == notTimed:
		return "for ever"
	}
	return fmt.Sprintf("for %d ns", d.timeout)
}

// timeout says how long a thread will wait at most, in milliseconds: 0 is for ever, so less than one is one.
func (t *telling) timeout(e transcript.Element, d *deed) transcript.Element {
	switch d.timeout {
	case unknownTimeout:
		return e
	case notTimed:
		return e.Number(trace.AttrTimeout, 0)
	}
	millis := uint64(d.timeout) / nanosPerMilli
	if uint64(d.timeout)%nanosPerMilli > 0 {
		millis++
	}
	if millis == 0 && d.kind == parks {
		millis = 1
	}
	return e.Number(trace.AttrTimeout, millis)
}

// ends tells that a deed is over.
func (t *telling) ends(d *deed) error {
	if d.kind == collects {
		t.finish(d)
		return t.err
	}
	if l := t.threads[threadID{d.scope, d.thread}]; l != nil && l.rests && l.doing.order == d.order {
		t.over(l, d)
	}
	return t.err
}

func (t *telling) finish(d *deed) {
	t.objects.collected()
	e := t.Element(trace.GCFinish, d.place).At(d.end())
	if t.summed && t.last.id == d.id {
		e = e.Number(trace.AttrUsedObjSpace, t.last.used).Number(trace.AttrTotalObjSpace, t.last.total)
	}
	t.put(e)
}

// over ends what the thread rests in.
func (t *telling) over(l *living, d *deed) {
	kind := trace.MonWaited
	if d.kind == enters {
		kind = trace.MonContendedEntered
	}
	number := uint64(0)
	if l.at != nil {
		number = l.at.number
		l.at.open--
		l.at.epoch, l.at.seen = t.objects.epoch, d.end()
	}
	l.rests, l.at = false, nil
	e := t.with(t.Element(kind, d.place), trace.AttrThreadIDRef, d.scope, d.thread).At(d.end())
	if d.kind == sleeps {
		e = e.Raw(trace.AttrObjIDRef, []byte("-1"))
	} else {
		e = e.Number(trace.AttrObjIDRef, number)
	}
	if kind == trace.MonWaited {
		e = e.Number(trace.AttrTimeout, uint64(d.length)/nanosPerMilli)
	}
	if d.kind == waits {
		e = e.Flag(trace.AttrIsTimedOut, d.flags&timedOut != 0)
	}
	if d.flags&timedOut == 0 {
		e = t.by(e, d.scope, d.other)
	}
	t.put(e)
}
