package jfr

import (
	"fmt"
	"strconv"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// telling tells deeds as elements.
type telling struct {
	*builder.Transcript
	names       *names
	finding     finder
	threads     crowd[*living]
	open        *rests
	objects     objects
	collections int                              // that go on
	last        struct{ id, used, total uint64 } // the heap after the last collection
	summed      bool                             // that is known
	id          []byte
	unseen      uint64 // deeds of threads for which there was no room
	err         error
}

// living is a thread.
type living struct {
	presence
	name               string
	number             uint64     // of its object
	reported           trace.Time // when its start will be reported
	at                 *object    // for which it rests; nil for a sleep
	inflatedAt         trace.Time // when a monitor was inflated for it
	inflated           uint32     // why
	group, parent      uint32
	class              uint32 // of its object; 0 if it is not known
	defined            bool   // that class has been told
	told               bool   // its threadStart
	virtual, willStart bool
}

func newTelling(t *builder.Transcript, n *names, finding finder, spaces map[uint32]space, room int) *telling {
	told := &telling{Transcript: t, names: n, finding: finding, objects: newObjects(spaces)}
	told.threads = newCrowd(room, func() *living { return &living{number: told.objects.next()} })
	return told
}

// finder reports what is wrong.
type finder func(rule string, severity trace.Severity, place int64, format string, arguments ...any)

// begins tells a deed.
func (t *telling) begins(d *deed, open *rests) error {
	t.open = open
	tell := tellers[d.kind]
	if tell.nobody != nil && (d.thread == 0 || tell.thread == nil) {
		tell.nobody(t, d)
		return t.err
	}
	if tell.thread == nil || d.thread == 0 {
		return t.err
	}
	l, ok := t.threads.find(threadID{d.scope, d.thread})
	if !ok {
		t.noRoom(d)
		return t.err
	}
	tell.thread(t, l, d)
	return t.err
}

// noRoom reports, once, that a deed is left out since there is no room for its thread.
func (t *telling) noRoom(d *deed) {
	if t.unseen == 0 {
		t.finding(RuleTooLarge, trace.Error, d.place,
			"more threads wait at the same time than there is room for, %d bytes; what others do from here on is "+
				"left out as long as that is so", t.threads.room)
	}
	t.unseen++
}

// reportForgotten says what the bound on threads has cost.
func (t *telling) reportForgotten(place int64) {
	if t.threads.forgot {
		t.finding(RuleTooLarge, trace.Warning, place,
			"more threads live at the same time, or have ends that were not recorded, than there is room for, %d "+
				"bytes; those that did nothing for longest were forgotten, and start anew should they do something",
			t.threads.room)
	}
	if t.unseen > 1 {
		t.finding(RuleTooLarge, trace.Error, place,
			"%d things that threads did are left out, for there was no room for more threads", t.unseen)
	}
}

// tellers has how the deeds are told: of those of a thread, and of those of nobody.
var tellers = [deedKinds]struct {
	thread func(*telling, *living, *deed)
	nobody func(*telling, *deed)
}{
	known: {thread: (*telling).known}, ofClass: {thread: (*telling).ofClass}, started: {thread: (*telling).started},
	callsStart:  {thread: (*telling).callsStart},
	callsNotify: {thread: (*telling).callsNotify}, inflates: {thread: (*telling).inflates},
	heapIs:    {nobody: (*telling).heapIs},
	allocates: {thread: (*telling).allocates, nobody: (*telling).allocated}, notifies: {thread: (*telling).notifies},
	enters: {thread: (*telling).enters}, waits: {thread: (*telling).waits}, sleeps: {thread: (*telling).sleeps},
	parks:    {thread: (*telling).parks},
	collects: {nobody: (*telling).collects}, ended: {thread: (*telling).ended},
}

// put gives an element on, and keeps an error.
func (t *telling) put(e builder.Element) {
	if err := e.Put(); err != nil {
		t.err = err
	}
}

// thread sets an attribute to a thread's id.
func (t *telling) with(e builder.Element, a trace.Attr, scope uint32, number uint64) builder.Element {
	t.id = threadID{scope, number}.append(t.id[:0])
	return e.Raw(a, t.id)
}

// by says who brought the element about.
func (t *telling) by(e builder.Element, scope uint32, number uint64) builder.Element {
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
func (t *telling) known(l *living, d *deed) {
	if l.dead {
		t.revive(l)
	}
	if !l.told {
		t.threads.charge(l, len(d.name)-len(l.name))
		l.name, l.group, l.parent, l.virtual = d.name, d.group, d.parent, d.flags&virtual != 0
		l.willStart, l.reported = d.flags&willStart != 0, d.reported
	}
}

// revive makes a thread that was dead another one, of the same name.
func (t *telling) revive(l *living) {
	*l = living{presence: l.presence, name: l.name, group: l.group, parent: l.parent, virtual: l.virtual,
		number: t.objects.next()}
	l.dead = false
}

func (t *telling) ofClass(l *living, d *deed) {
	if !l.told && l.class == 0 {
		l.class = d.class
	}
}

// start tells that a thread starts.
func (t *telling) start(l *living, d *deed, id uint64, at trace.Time) builder.Element {
	l.told = true
	t.define(l, d, at)
	e := t.with(t.Element(trace.ThreadStart, d.place), trace.AttrThreadID, d.scope, id).At(at).
		Text(trace.AttrThreadName, l.name)
	if l.group != 0 {
		e.Text(trace.AttrGroupName, t.names.class[l.group])
		e.Text(trace.AttrParentName, t.names.class[l.parent])
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
	id := t.Class(builder.Class{Name: class})
	t.put(t.Element(trace.ObjAlloc, d.place).Number(trace.AttrObjID, number).Number(trace.AttrClassIDRef, id).At(at))
}

// acts sees to it that the thread of a deed has started and lives.
func (t *telling) acts(l *living, d *deed) {
	if l.dead {
		t.revive(l)
	}
	t.mustRun(l, d, d.thread)
}

// mustRun tells the start of a thread that acts, where it has not been told: it was there before the recording, or its
// start is reported later.
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

func (t *telling) started(l *living, d *deed) {
	if l.dead {
		t.revive(l)
	}
	if !l.told {
		t.put(t.start(l, d, d.thread, d.begin))
	}
}

func (t *telling) ended(l *living, d *deed) {
	if l.dead {
		return // JDK 21 tells each end twice
	}
	t.mustRun(l, d, d.thread)
	t.rush(l, d.begin)
	t.put(t.with(t.Element(trace.ThreadEnd, d.place), trace.AttrThreadIDRef, d.scope, d.thread).At(d.begin))
	t.threads.died(threadID{d.scope, d.thread})
}

func (l *living) called() string { return fmt.Sprintf("%q", l.name) }

// callsStart: the other thread's start tells of it.
func (t *telling) callsStart(l *living, d *deed) {
	t.acts(l, d)
	child, ok := t.threads.find(threadID{d.scope, d.other})
	if !ok || l.rest != nil || child.told && !child.dead {
		return
	}
	if child.dead {
		t.revive(child)
	}
	t.define(child, d, d.begin)
	stack := t.stack(d)
	t.put(t.with(t.Element(trace.CallStart, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).
		Number(trace.AttrObjIDRef, child.number).Stack(stack))
}

// callsNotify: the other thread's wait tells of it.
func (t *telling) callsNotify(l *living, d *deed) {
	waiter := t.threads.of[threadID{d.scope, d.other}]
	if waiter == nil || waiter.rest == nil || waiter.at == nil || l.dead || l.rest != nil {
		return
	}
	t.acts(l, d)
	number := waiter.at.number
	e := t.with(t.Element(trace.CallNotify, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).
		Number(trace.AttrObjIDRef, number)
	if d.flags&joins != 0 {
		e = e.Flag(trace.AttrIsNotifyAll, true) // so do JVMs when a thread ends
	}
	t.put(e.Inferred())
}

// inflates is kept for what the thread does next with the monitor.
func (t *telling) inflates(l *living, d *deed) {
	t.acts(l, d)
	l.inflated, l.inflatedAt = d.cause, d.begin
}

func (t *telling) heapIs(d *deed) {
	t.last.id, t.last.used, t.last.total, t.summed = d.id, d.size, d.total, true
}

// mostCollections is how many collections go on at the same time, at most: a JVM has a young one within an old one.
const mostCollections = 64

func (t *telling) collects(d *deed) {
	if t.collections == mostCollections {
		t.finding(RuleOverlap, trace.Warning, d.place, "%d collections go on already; this one is left out",
			mostCollections)
		return
	}
	t.collections++
	t.open.add(d)
	t.objects.collected()
	t.put(t.Element(trace.GCStart, d.place).At(d.begin))
}

func (t *telling) allocates(l *living, d *deed) {
	if l.dead || l.rest != nil {
		t.allocated(d)
	} else if d.class != 0 {
		t.acts(l, d)
		stack := t.stack(d)
		t.put(t.weighed(t.with(t.allocation(d), trace.AttrThreadIDRef, d.scope, d.thread).Stack(stack), d))
	}
}

// allocated tells of an allocation without its thread.
func (t *telling) allocated(d *deed) {
	if d.class != 0 {
		t.put(t.weighed(t.allocation(d), d))
	}
}

func (t *telling) allocation(d *deed) builder.Element {
	class := t.names.class[d.class]
	id := t.Class(builder.Class{Name: class})
	return t.Element(trace.ObjAlloc, d.place).Number(trace.AttrClassIDRef, id).Flag(trace.AttrIsArray, class[0] == '[').
		At(d.begin)
}

func (t *telling) weighed(e builder.Element, d *deed) builder.Element {
	return e.Annotate("weight", strconv.FormatUint(d.size, 10))
}

func (t *telling) notifies(l *living, d *deed) {
	t.acts(l, d)
	if l.rest != nil {
		t.overlap(l, d)
		return
	}
	stack, at := t.stack(d), t.find(l, d)
	e := t.with(t.Element(trace.CallNotify, d.place), trace.AttrThreadID, d.scope, d.thread).At(d.begin).
		Number(trace.AttrObjIDRef, at.number)
	if d.flags&(all|one) != 0 {
		e = e.Flag(trace.AttrIsNotifyAll, d.flags&all != 0)
	}
	t.put(e.Stack(stack))
}

// find is the object of a deed, defined.
func (t *telling) find(l *living, d *deed) *object {
	if d.address == 0 {
		return &object{}
	}
	s := spot{d.scope, d.address}
	anew := l.inflated != 0 && (t.objects.at[s] == nil || l.inflatedAt > t.objects.at[s].seen)
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
	joined, ok := t.threads.find(threadID{d.scope, d.other})
	if !ok {
		return nil
	}
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

// rests lets the thread of a deed rest, unless it does so already. Where both cannot be, the one that ends later goes
// on.
func (t *telling) rests(l *living, d *deed) (ok bool) {
	t.acts(l, d)
	if l.rest != nil && l.rest.end() < d.end() {
		t.rush(l, d.begin)
	}
	if l.rest != nil {
		if !l.rest.nests(d) {
			t.overlap(l, d)
		}
		return false
	}
	l.rest, l.at = t.open.add(d), nil
	return true
}

// overlap reports what a thread cannot have done at that time.
func (t *telling) overlap(l *living, d *deed) {
	t.finding(RuleOverlap, trace.Warning, d.place,
		"the thread %s did this while it was waiting, sleeping or blocked, as the event at %d says; it is left out",
		l.called(), l.rest.place)
}

// rush ends what the thread rests in before its time, for it does something else.
func (t *telling) rush(l *living, at trace.Time) {
	if r := l.rest; r != nil {
		t.over(l, r, min(at, r.end()))
		t.open.remove(r)
	}
}

// begun begins the element by which a thread comes to rest.
func (t *telling) begun(l *living, d *deed, kind trace.Kind, object uint64) builder.Element {
	stack := t.stack(d)
	e := t.with(t.Element(kind, d.place), trace.AttrThreadIDRef, d.scope, d.thread).At(d.begin)
	if d.kind == sleeps {
		e = e.Raw(trace.AttrObjIDRef, sleepObject)
	} else {
		e = e.Number(trace.AttrObjIDRef, object)
	}
	e = e.Stack(stack)
	if l.inflated != 0 {
		e, l.inflated = e.Annotate("inflated", t.names.class[l.inflated]), 0
	}
	return e
}

func (t *telling) enters(l *living, d *deed) {
	if t.rests(l, d) {
		t.restsAt(l, t.find(l, d))
		t.put(t.begun(l, d, trace.MonContendedEnter, l.at.number))
	}
}

func (t *telling) restsAt(l *living, at *object) {
	l.at = at
	at.open++
}

func (t *telling) waits(l *living, d *deed) {
	if !t.rests(l, d) {
		return
	}
	at := t.joined(d)
	if at == nil {
		at = t.find(l, d)
	}
	t.restsAt(l, at)
	e := t.timeout(t.begun(l, d, trace.MonWait, at.number), d)
	if d.flags&unbegun != 0 {
		e = e.Annotate("began", "unknown")
	}
	t.put(e)
}

func (t *telling) sleeps(l *living, d *deed) {
	if t.rests(l, d) {
		t.put(t.timeout(t.begun(l, d, trace.MonWait, 0), d))
	}
}

func (t *telling) parks(l *living, d *deed) {
	if t.rests(l, d) {
		t.restsAt(l, t.find(l, d))
		t.put(t.timeout(t.begun(l, d, trace.MonWait, l.at.number), d).Annotate(trace.ParkAnnotation, d.parking()))
	}
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
func (t *telling) timeout(e builder.Element, d *deed) builder.Element {
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

// ends tells that a rest is over.
func (t *telling) ends(r *rest) error {
	if r.kind == collects {
		t.finish(r)
	} else if l := t.threads.of[threadID{r.scope, r.thread}]; l != nil && l.rest == r {
		t.over(l, r, r.end())
	}
	return t.err
}

func (t *telling) finish(r *rest) {
	t.collections--
	t.objects.collected()
	e := t.Element(trace.GCFinish, r.place).At(r.end())
	if id := r.other; t.summed && t.last.id == id {
		e = e.Number(trace.AttrUsedObjSpace, t.last.used).Number(trace.AttrTotalObjSpace, t.last.total)
	}
	t.put(e)
}

// over ends what the thread rests in.
func (t *telling) over(l *living, r *rest, end trace.Time) {
	kind := trace.MonWaited
	if r.kind == enters {
		kind = trace.MonContendedEntered
	}
	number := uint64(0)
	if l.at != nil {
		number = l.at.number
		l.at.open--
		l.at.epoch, l.at.seen = t.objects.epoch, end
	}
	l.rest, l.at = nil, nil
	e := t.with(t.Element(kind, r.place), trace.AttrThreadIDRef, r.scope, r.thread).At(end)
	if r.kind == sleeps {
		e = e.Raw(trace.AttrObjIDRef, sleepObject)
	} else {
		e = e.Number(trace.AttrObjIDRef, number)
	}
	if kind == trace.MonWaited {
		e = e.Number(trace.AttrTimeout, uint64(end-r.begin)/nanosPerMilli)
	}
	if r.kind == waits {
		e = e.Flag(trace.AttrIsTimedOut, r.flags&timedOut != 0)
	}
	t.put(t.by(e, r.scope, r.other))
}

// sleepObject stands for the object of a sleep, which has none.
var sleepObject = []byte("-1")
