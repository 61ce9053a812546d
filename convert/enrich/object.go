package enrich

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// object is an object that threads act on: a monitor, or a java.lang.Thread.
type object struct {
	id       trace.ObjectID
	owner    *thread // holds the monitor, as far as known
	thread   *thread // whose java.lang.Thread object it is
	released bool    // the owner has released it in Object.wait; its wait may be over
	isThread bool    // it is some thread's java.lang.Thread object
	put      bool    // the sink has its description
	notified bool    // it has been notified: causes refer to it
	key      trace.ObjectKey
	class    uint32 // of the description that the sink has, by its number among the names
	blocked  int32  // threads that try to enter it
	outside  int32  // threads that wait on it outside of its wait set, or soon will
	number   uint32 // among the deadObjects; 0 if it has never been one of them
	// contended is the number of open WaitingForLock intervals at it, monitor its key if there are any. An interval
	// lasts until the thread's next state, which need not be an entry.
	contended int32
	monitor   trace.MonitorKey
	waiter    *thread // that waits, if it is the only one; see waiters
	*interactions
}

// interactions are what can still be bound at an object. Few objects have any at a time; the others have a nil pointer.
type interactions struct {
	unclaimedNotifies []cause // notifies that woke no thread: that of their choice returned for another reason
	unboundReturns    []unboundReturn
	starts            []cause  // callStarts without a threadStart
	lock              *object  // of which this is a condition; nil if that is unknown
	waiting           *waitSet // nil unless several threads wait, or have waited since one did
}

// idle reports whether no thread waits on the object, and nothing can be bound at it.
func (o *object) idle() bool {
	return o.waiters() == 0 && (o.interactions == nil ||
		len(o.unclaimedNotifies) == 0 && len(o.unboundReturns) == 0 && len(o.starts) == 0)
}

// interact returns the interactions of the object, to be changed.
func (e *Enricher) interact(o *object) *interactions {
	if o.interactions == nil {
		o.interactions = e.reused.interactions.get()
	}
	return o.interactions
}

// dropInteractions drops the interactions of the object if there are none.
func (e *Enricher) dropInteractions(o *object) {
	i := o.interactions
	if i != nil && i.lock == nil && i.waiting == nil &&
		len(i.unclaimedNotifies) == 0 && len(i.unboundReturns) == 0 && len(i.starts) == 0 {
		e.reused.interactions.put(i)
		o.interactions = nil
	}
}

// dropWaits drops the wait set of the object if no thread waits, and the notifies that were for one that did.
func (e *Enricher) dropWaits(o *object) {
	if o.waiters() > 0 {
		return
	}
	if o.interactions != nil {
		if o.waiting != nil {
			e.reused.waitSets.put(o.waiting)
			o.waiting = nil
		}
		o.unclaimedNotifies = o.unclaimedNotifies[:0]
		e.dropInteractions(o)
	}
}

// object returns what is known of the object of the id, which IsObject.
func (e *Enricher) object(id trace.ObjectID) *object {
	o := e.scope.object(id.ID)
	if o == nil {
		o = &object{id: id}
		e.scope.objects.set(id.ID, o)
	}
	return o
}

// objectOf returns the object of the event's objIdRef, or nil if it names none.
func (e *Enricher) objectOf(event *trace.Event) *object {
	if id := event.Object(trace.AttrObjIDRef); id.IsObject() {
		return e.object(id)
	}
	return nil
}

// setObject makes o the object of a model event, unless it is nil.
func (e *Enricher) setObject(event *trace.ModelEvent, o *object) {
	if o != nil {
		event.Class = e.putObject(o)
		event.Object, event.ObjectKey = o.id, o.key
	}
}

// putObject puts the description of an object, if that is new, and returns its class.
func (e *Enricher) putObject(o *object) (class string) {
	className, described := e.className(o.id), e.describedClass(o)
	if o.put && (described == className || trace.DeclaredClass(className) == "") {
		return described
	}
	e.putSession()
	if !o.put || trace.DeclaredClass(described) != "" {
		e.numbers.objects++
		o.key = e.numbers.objects
	}
	o.put, o.class = true, e.scope.dead.names.classes.of(className)
	e.describe(o)
	return className
}

// describedClass returns the class of the description that the sink has of the object.
func (e *Enricher) describedClass(o *object) string { return e.scope.dead.names.classes.value(o.class) }

// describe puts the description of an object.
func (e *Enricher) describe(o *object) {
	description := trace.ModelObject{ID: o.id, Class: e.describedClass(o), Session: e.session.Index}
	if o.interactions != nil && o.lock != nil {
		description.Lock, description.LockClass = o.lock.id, e.className(o.lock.id)
	}
	e.put(&description)
}

// setLock makes the object a condition of the lock of the id.
func (e *Enricher) setLock(o *object, id trace.ObjectID) {
	if !id.IsObject() || o.interactions != nil && o.lock != nil && o.lock.id == id {
		return
	}
	e.interact(o).lock = e.object(id)
	if o.put {
		e.describe(o)
	}
}

func (e *Enricher) className(id trace.ObjectID) string {
	if c := e.scope.classOf.get(id.ID); c != nil {
		return c.title()
	}
	return ""
}

// objectDefined handles objAlloc and objDef. The id may have been that of another object, which has been collected.
func (e *Enricher) objectDefined(event *trace.Event) {
	id := event.Object(trace.AttrObjID)
	if e.allocations && event.Kind == trace.ObjAlloc {
		e.putAllocation(event)
	}
	if !id.IsObject() {
		return
	}
	e.end(id, e.timeOf(event))
	e.setClass(id, e.class(event.Class(trace.AttrClassIDRef)))
	if o := e.scope.object(id.ID); o != nil && o.put && trace.DeclaredClass(e.describedClass(o)) == "" {
		e.putObject(o)
	}
}

// objFree drops an object that the garbage collector has freed.
func (e *Enricher) objFree(event *trace.Event) {
	id := event.Object(trace.AttrObjIDRef)
	if !id.IsObject() {
		return
	}
	if e.allocations {
		e.put(&trace.Free{Session: e.session.Index, Time: e.timeOf(event), Object: id})
	}
	e.end(id, e.timeOf(event))
	e.scope.classOf.set(id.ID, nil)
	if o := e.scope.object(id.ID); o != nil && o.idle() && o.blocked == 0 && o.outside == 0 && o.contended == 0 {
		e.scope.objects.set(id.ID, nil)
	}
}

// end ends the object of the id: it was freed, or the id is now that of a new object.
func (e *Enricher) end(id trace.ObjectID, at trace.Time) {
	if e.objects && e.scope.object(id.ID) != nil {
		e.put(&trace.ObjectEnd{Object: id})
	}
	e.forget(id, at)
}

// forget drops what was known of the object. Open waits on it stay, and threads that are blocked on it.
func (e *Enricher) forget(id trace.ObjectID, at trace.Time) {
	o := e.scope.object(id.ID)
	if o == nil {
		return
	}
	if o.thread != nil {
		o.thread.object = 0
	}
	forgotten := object{id: id, blocked: o.blocked, outside: o.outside, contended: o.contended, monitor: o.monitor,
		put: o.put, class: o.class, key: o.key, notified: o.notified, waiter: o.waiter}
	e.own(o, nil)
	if o.interactions != nil {
		if o.waiting != nil {
			forgotten.interactions = &interactions{waiting: o.waiting}
		}
		for i := range o.unboundReturns {
			o.unboundReturns[i].unlink()
		}
	}
	*o = forgotten
	e.setOwner(o, nil, at)
}

// objMove moves all that is known of an object to its new id, open waits and blocked threads included.
func (e *Enricher) objMove(event *trace.Event) {
	from, to := event.Object(trace.AttrObjIDRef), event.Object(trace.AttrNewObjID)
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	e.scope.classOf.set(to.ID, e.scope.classOf.get(from.ID))
	e.scope.classOf.set(from.ID, nil)
	o, there := e.scope.object(from.ID), e.scope.object(to.ID)
	if e.allocations || e.objects && o != nil {
		e.put(&trace.Move{Session: e.session.Index, From: from, To: to})
	}
	if there != nil {
		e.forget(to, e.timeOf(event))
	}
	switch {
	case o == nil:
		return
	case there != nil:
		e.merge(there, o, e.timeOf(event))
	}
	if o.id = to; o.thread != nil && o.thread.object == objectNumber(from.ID) {
		o.thread.object = objectNumber(to.ID)
	}
	o.put, o.class = false, 0
	e.scope.objects.set(from.ID, nil)
	e.scope.objects.set(to.ID, o)
}

// timeOf returns the time of the event, or the latest of the trace if it has none.
func (e *Enricher) timeOf(event *trace.Event) trace.Time {
	if event.Timed() {
		return event.Time
	}
	return e.last
}

// merge moves the threads that wait on an object, are blocked on it or were notified on it to another one.
func (e *Enricher) merge(from, to *object, at trace.Time) {
	e.mergeContention(from, to, at) // wakes the threads that refer to the object
	for _, t := range e.scope.active {
		if t.quiet != nil {
			continue
		}
		if t.blocked == from {
			t.blockOn(to)
		}
		if t.wait.outside && t.wait.object == from {
			t.wait.object = to
			from.outside--
			to.outside++
		}
		if c := t.marked().soon; c.object == from {
			c.object = to
			e.expect(t, c)
		}
		for _, run := range []*running{t.first, t.later} {
			if run != nil && run.cause.object == from {
				run.cause.object = to
			}
		}
	}
	if from.waiters() == 0 {
		return
	}
	others := e.waitSet(from)
	for _, t := range others.threads {
		if t == nil {
			continue
		}
		t.wait.object = to
		if t.marked().notifiedBy.known() {
			t.marks.notifiedBy.object = to
		}
	}
	set := e.waitSet(to)
	for _, t := range set.threads {
		if t != nil {
			e.wake(t)
		}
	}
	set.merge(others)
}

// withText is the objectNumber of ids that are no numbers.
const withText = math.MaxUint64

// objectNumber returns the id of an object as a number, from 1 on.
func objectNumber(id trace.ID) uint64 {
	if number, ok := id.Number(); ok {
		return number + 1
	}
	return withText
}

// objectID returns the id of an objectNumber.
func objectID(number uint64) trace.ID { return trace.NumberID(number - 1) }

// useObject makes the java.lang.Thread object of the thread, which is unused, one of the objects.
func (s *scope) useObject(id trace.ID, t *thread) *object {
	s.unused.set(id, nil)
	o := &object{id: trace.ObjectID{ID: id}, thread: t, isThread: true}
	s.objects.set(id, o)
	return o
}

// objectOf returns the java.lang.Thread object of the thread if it is one of the objects; else nil.
func (s *scope) objectOf(t *thread) *object {
	if t.object == 0 || t.object == withText {
		return nil
	}
	if o := s.objects.get(objectID(t.object)); o != nil && o.thread == t {
		return o
	}
	return nil
}
