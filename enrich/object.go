package enrich

import (
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// object is an object that threads act on: a monitor, or a java.lang.Thread.
type object struct {
	id     trace.ObjectID
	owner  *incarnation // the last known owner, who hands the monitor over; nil if unknown
	heldBy *incarnation // holds the monitor, or did so when it ended; see holder
	// heldSince is the number of the element that made heldBy the holder.
	heldSince uint64
	isThread  bool // it is some thread's java.lang.Thread object
	put       bool // the sink has its description
	peerPut   bool // the sink has the peer, if it is a socket
	key       trace.ObjectKey
	class     string  // in the description that the sink has
	lock      *object // the lock whose condition this is; nil if unknown
	waiting   waitSet
	blocked   int32 // threads that try to enter it
	outside   int32 // threads that wait on it outside of its wait set, or soon will
	// contended is the number of open WaitingForLock intervals at the object; monitor is its key while there are any.
	// An interval lasts until the thread's next state, which need not be an entry.
	contended int32
	monitor   trace.MonitorKey
}

// isUsed reports whether a thread waits on the object or tries to enter it.
func (o *object) isUsed() bool {
	return !o.waiting.isEmpty() || o.blocked > 0 || o.outside > 0 || o.contended > 0
}

// object returns the known object of the id; nil if it is unknown.
func (s *scope) object(id trace.ObjectID) *object {
	o := s.objects.get(id.ID)
	if o == nil && s.threadsOf.get(id.ID) != 0 {
		o = &object{id: id, isThread: true}
		s.objects.set(id.ID, o)
	}
	return o
}

// object returns the object of the id, which IsObject, and makes a new one if it is unknown.
func (e *Enricher) object(id trace.ObjectID) *object {
	o := e.scope.object(id)
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

// putObject puts the description of an object if it has changed, and returns the object's class.
func (e *Enricher) putObject(o *object) (class string) {
	class = e.className(o.id)
	if o.put && (o.class == class || javaname.DeclaredClass(class) == "") {
		return o.class
	}
	e.putSession()
	if !o.put || javaname.DeclaredClass(o.class) != "" {
		e.numbers.objects++
		o.key = e.numbers.objects
	}
	o.put, o.class = true, class
	e.describe(o)
	return class
}

// describe puts the description of an object.
func (e *Enricher) describe(o *object) {
	description := trace.ModelObject{ID: o.id, Class: o.class, Session: e.session.Index}
	if o.lock != nil {
		description.Lock, description.LockClass = o.lock.id, e.className(o.lock.id)
	}
	e.put(&description)
}

// setLock makes the object a condition of the lock of the id.
func (e *Enricher) setLock(o *object, id trace.ObjectID) {
	if !id.IsObject() || o.lock != nil && o.lock.id == id {
		return
	}
	if o.lock = e.object(id); o.put {
		e.describe(o)
	}
}

func (e *Enricher) className(id trace.ObjectID) string {
	if c := e.scope.classOf.get(id.ID); c != nil {
		return c.title()
	}
	return ""
}

// objectDefined handles objAlloc and objDef. The id may have named another object, which has been collected.
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
	if o := e.scope.object(id); o != nil && o.put && javaname.DeclaredClass(o.class) == "" {
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
	if o := e.scope.object(id); o != nil && !o.isUsed() {
		e.scope.objects.set(id.ID, nil)
	}
}

// end ends the object of the id: it was freed, or the id now names a new object.
func (e *Enricher) end(id trace.ObjectID, at trace.Time) {
	if e.objects && e.scope.objects.get(id.ID) != nil {
		e.put(&trace.ObjectEnd{Object: id})
	}
	e.forget(id, at)
}

// forget drops what was known of the object. Open waits on it stay, and threads that are blocked on it.
func (e *Enricher) forget(id trace.ObjectID, at trace.Time) {
	e.scope.threadsOf.set(id.ID, 0)
	o := e.scope.objects.get(id.ID)
	if o == nil {
		return
	}
	e.scope.dropReturns(o)
	delete(e.scope.unclaimed, o)
	delete(e.scope.starts, o)
	o.isThread, o.lock = false, nil
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
	o, there := e.scope.object(from), e.scope.object(to)
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
	e.scope.threadsOf.set(to.ID, e.scope.threadsOf.get(from.ID))
	e.scope.threadsOf.set(from.ID, 0)
	o.id, o.put, o.class = to, false, ""
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
	e.mergeContention(from, to, at)
	for t := range e.scope.live {
		if t.blocked == from {
			t.blockOn(to)
		}
		if t.wait.outside && t.wait.object == from {
			t.wait.object = to
			from.outside--
			to.outside++
		}
		if soon := t.soon; soon.object == from {
			soon.object = to
			e.expect(t, soon)
		}
		for _, run := range []*running{&t.first, &t.later} {
			if run.cause.object == from {
				run.cause.object = to
			}
		}
	}
	for t := range from.waiting.all {
		if t.wait.object = to; t.notifiedBy.known() {
			t.notifiedBy.object = to
		}
	}
	to.waiting.merge(&from.waiting)
}
