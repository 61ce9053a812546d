package enrich

import "github.com/trcx/trcx/trace"

// object is an object that threads act on: a monitor, or a java.lang.Thread.
type object struct {
	id       trace.ObjectID
	owner    *thread // holds the monitor, as far as known
	thread   *thread // whose Thread object it is
	isThread bool    // it is some thread's Thread object
	named    bool    // the sink knows it
	told     string  // with this class
	key      trace.ObjectKey
	blocked  int // threads that try to enter it
	*traffic
}

// traffic is what goes on at an object. The objects of dead threads, which stay known, have none as long as nobody
// comes by.
type traffic struct {
	waiting queue   // the threads that wait on it
	loose   []cause // notifies whose marked thread turned out to have left for another reason
	woken   []woken // returns from waits that nothing explains yet
	starts  []cause // callStarts that no thread has answered yet
}

// idle says whether nothing goes on at the object.
func (o *object) idle() bool {
	return o.traffic == nil || o.waiting.size == 0 && len(o.loose) == 0 && len(o.woken) == 0 && len(o.starts) == 0
}

// rest drops the traffic of a dead thread's object when it is idle.
func (o *object) rest() {
	if o.thread != nil && o.thread.dead && o.idle() {
		o.traffic = nil
	}
}

// woken is a return from a wait that nothing explains yet.
type woken struct {
	thread  *thread
	running appended
	at      trace.Time // of the Running
	began   trace.Time // the wait
	dated   bool       // that is known
}

// disorder is how far the times of real traces go back.
const disorder = 2_000_000 // ns

// object is what is known of the object of the id, which IsObject.
func (e *Enricher) object(id trace.ObjectID) *object {
	o := e.scope.objects.get(id.ID)
	if o == nil {
		o = &object{id: id}
		e.scope.objects.set(id.ID, o)
	}
	if o.traffic == nil {
		o.traffic = &traffic{}
	}
	return o
}

// objectOf is the object of the event's objIdRef, or nil if it names none.
func (e *Enricher) objectOf(event *trace.Event) *object {
	if id := event.Object(trace.AttrObjIDRef); id.IsObject() {
		return e.object(id)
	}
	return nil
}

// name makes o the object of a model event, if it is one.
func (e *Enricher) name(event *trace.ModelEvent, o *object) {
	if o != nil {
		e.tellObject(o)
		event.Object, event.Class, event.ObjectKey = o.id, o.told, o.key
	}
}

// tellObject tells the sink of an object, if it does not know it as it is.
func (e *Enricher) tellObject(o *object) {
	className := e.className(o.id)
	if o.named && (o.told == className || className == "") {
		return
	}
	e.tellSession()
	if !o.named || o.told != "" {
		e.objects++
		o.key = e.objects
	}
	o.named, o.told = true, className
	e.put(&trace.ModelObject{ID: o.id, Class: className, Session: e.session.Index})
}

func (e *Enricher) className(id trace.ObjectID) string {
	if c := e.scope.classOf.get(id.ID); c != nil {
		return c.name
	}
	return ""
}

// objectDefined is objAlloc and objDef: whatever had the id before is another object.
func (e *Enricher) objectDefined(event *trace.Event) {
	id := event.Object(trace.AttrObjID)
	if !id.IsObject() {
		return
	}
	e.forget(id)
	e.scope.classOf.set(id.ID, e.class(event.Class(trace.AttrClassIDRef)))
	if o := e.scope.objects.get(id.ID); o != nil && o.named && o.told == "" {
		e.tellObject(o)
	}
}

func (e *Enricher) objFree(event *trace.Event) {
	id := event.Object(trace.AttrObjIDRef)
	if !id.IsObject() {
		return
	}
	e.forget(id)
	e.scope.classOf.set(id.ID, nil)
	if o := e.scope.objects.get(id.ID); o != nil && o.idle() && o.blocked == 0 {
		e.scope.objects.set(id.ID, nil)
	}
}

// forget drops what was known of the object. Open waits on it stay, and threads that are blocked on it.
func (e *Enricher) forget(id trace.ObjectID) {
	o := e.scope.objects.get(id.ID)
	if o == nil {
		return
	}
	if o.thread != nil {
		o.thread.object = nil
	}
	forgotten := object{id: id, blocked: o.blocked, named: o.named, told: o.told, key: o.key}
	if o.traffic != nil {
		for _, w := range o.woken {
			w.thread.unlist(w.running.id)
		}
		forgotten.traffic = &traffic{waiting: o.waiting}
	}
	*o = forgotten
}

// unlist notes that the Running event is no entry of a woken any more.
func (t *thread) unlist(id trace.EventID) {
	if t.activity == nil {
		return
	}
	for _, r := range []*running{&t.first, &t.last} {
		if r.id == id {
			r.woken = nil
		}
	}
}

// objMove: all that is known moves to the new id, open waits and blocked threads included.
func (e *Enricher) objMove(event *trace.Event) {
	from, to := event.Object(trace.AttrObjIDRef), event.Object(trace.AttrNewObjID)
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	e.scope.classOf.set(to.ID, e.scope.classOf.get(from.ID))
	e.scope.classOf.set(from.ID, nil)
	o, there := e.scope.objects.get(from.ID), e.scope.objects.get(to.ID)
	if there != nil {
		e.forget(to)
	}
	switch {
	case o == nil:
		return
	case there != nil:
		e.merge(there, o)
	}
	o.id = to
	o.named, o.told = false, ""
	e.scope.objects.set(from.ID, nil)
	e.scope.objects.set(to.ID, o)
}

// merge makes the threads that wait on one object, are blocked on it or were notified on it, so of another.
func (e *Enricher) merge(from, to *object) {
	for _, t := range e.scope.active {
		if t.blocked == from {
			t.blockOn(to)
		}
		for _, c := range []*cause{&t.first.cause, &t.last.cause} {
			if c.object == from {
				c.object = to
			}
		}
	}
	if from.traffic == nil {
		return
	}
	if to.traffic == nil {
		to.traffic = &traffic{}
	}
	for _, t := range from.waiting.threads {
		if t == nil {
			continue
		}
		t.wait.object = to
		if t.mark.known() {
			t.mark.object = to
		}
	}
	to.waiting.merge(&from.waiting)
}

// explained drops the entry of woken that has got a cause.
func (o *object) explained(id trace.EventID) {
	for i := range o.woken {
		if o.woken[i].running.id == id {
			o.woken = removeAt(o.woken, i)
			return
		}
	}
}

// maxUnbound is how many entries of woken and of loose an object has. More than a few only happen in traces that are
// made to be hostile; of those the oldest are dropped.
const maxUnbound = 1024

// wake adds an entry to woken.
func (o *object) wake(w woken, latest trace.Time) {
	for len(o.woken) > 0 && (o.woken[0].at < latest-disorder || len(o.woken) >= maxUnbound) {
		o.woken[0].thread.unlist(o.woken[0].running.id)
		o.woken = o.woken[1:]
	}
	o.woken = append(o.woken, w)
}

// expire drops the entries of woken that are too old to be explained.
func (o *object) expire(latest trace.Time) {
	kept := o.woken[:0]
	for _, w := range o.woken {
		if w.at < latest-disorder {
			w.thread.unlist(w.running.id)
			continue
		}
		kept = append(kept, w)
	}
	o.woken = kept
}
