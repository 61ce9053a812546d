package enrich

import "github.com/trcx/trcx/trace"

// Call stacks tell where the holder of a monitor is while others are blocked on it: those of its own records, and those
// that a sampler has read.

// sighting is a call stack, and the element that told it.
type sighting struct {
	stack   *trace.Stack // nil if there is none
	element uint64
}

// seeSelf keeps the stack of the event, by which its thread tells where it is.
func (e *Enricher) seeSelf(event *pendingEvent) {
	e.see(event.thread, event.Stack)
	t := event.thread.live
	if t == nil {
		return
	}
	t.own = sighting{event.Stack, e.scope.element}
	t.waitsAtOwn = event.Type.IsState() && !event.Type.IsBusy()
	for _, o := range t.held() {
		e.putOwner(o, event.Time, true)
	}
}

// seeOwner keeps where an enter of the thread has seen the owner, nil if that is unknown.
func (e *Enricher) seeOwner(event *trace.Event, t *thread, o *object, owner *incarnation) {
	text, ok := event.Extra.Annotation(trace.NoteOwnerStack)
	if !ok || owner == nil {
		return
	}
	stack := e.stackIn(text)
	if stack == nil {
		return
	}
	e.see(owner, stack)
	if owner != t.incarnation {
		o.sampled = &sighting{stack, e.scope.element}
	}
}

// placeIn returns where the thread is, which holds the object. A stack from before it became the holder is a guess,
// unless the thread waits since then.
func (t *thread) placeIn(o *object) (stack *trace.Stack, probable bool) {
	latest := &t.own
	if o.sampled != nil && o.sampled.element > latest.element {
		latest = o.sampled
	}
	switch {
	case latest.stack != nil && latest.element >= o.heldSince:
		return latest.stack, false
	case t.waitsAtOwn:
		return t.own.stack, false
	}
	return t.seen, t.seen != nil
}

// leaveWait ends the state of the thread: the stack of a wait is a guess from now on where it became the holder later.
func (e *Enricher) leaveWait(t *thread, at trace.Time) {
	if !t.waitsAtOwn {
		return
	}
	t.waitsAtOwn = false
	for _, o := range t.held() {
		if t.own.element < o.heldSince {
			e.putOwner(o, at, true)
		}
	}
}

// putFirstPlace puts where the holder of a monitor is when the first thread is blocked on it.
func (e *Enricher) putFirstPlace(at trace.Time) {
	o := e.contended
	if e.contended = nil; o == nil || o.holder() == nil {
		return
	}
	if stack, _ := o.holder().live.placeIn(o); stack != nil {
		e.putOwner(o, at, true)
	}
}
