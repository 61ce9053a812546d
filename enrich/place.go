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
	t := event.thread.live
	if t == nil {
		event.thread.lastAt = e.scope.frames.Of(event.Caller)
		return
	}
	t.own = sighting{event.Stack, e.scope.element}
	t.waitsAtOwn = event.Type.IsState() && !event.Type.IsBusy()
	for _, o := range t.held() {
		e.putOwner(o, event.Time, true)
	}
}

// seeOwner keeps where an enter has seen the owner of the object, nil if that is unknown.
func (e *Enricher) seeOwner(event *trace.Event, o *object, owner *incarnation) {
	text, ok := event.Extra.Annotation(trace.NoteOwnerStack)
	if !ok || owner == nil {
		return
	}
	stack := e.stackIn(text)
	if stack == nil {
		return
	}
	e.put(&trace.MonitorOwner{Owner: owner.key, Time: event.Time, Stack: stack})
	t := owner.live
	if t == nil {
		owner.lastAt = e.scope.frames.Of(stack.Caller())
		return
	}
	if t.sampled == nil || len(t.sampled.of) == maxSampled {
		t.sampled = &samples{of: map[*object]sighting{}}
	}
	t.sampled.last = sighting{stack, e.scope.element}
	t.sampled.of[o] = t.sampled.last
}

// samples are where a thread was when it was last sampled as the owner of each object, and of any.
type samples struct {
	last sighting
	of   map[*object]sighting // at most maxSampled
}

const maxSampled = 256

// seen returns where the thread was last seen by any call stack; nil if there was none.
func (t *thread) seen() *trace.Stack {
	if t.sampled != nil && t.sampled.last.element > t.own.element {
		return t.sampled.last.stack
	}
	return t.own.stack
}

// placeIn returns where the thread is, which holds the object. A stack from before it became the holder is a guess,
// unless the thread waits since then.
func (t *thread) placeIn(o *object) (stack *trace.Stack, probable bool) {
	latest := t.latest(o)
	switch {
	case latest.stack == nil || latest.element >= o.heldSince:
		return latest.stack, false
	case t.waitsAtOwn:
		return t.own.stack, false
	}
	return latest.stack, true
}

// latest returns where the thread was seen last, by its own records or as the owner of the object.
func (t *thread) latest(o *object) sighting {
	if t.sampled != nil && t.sampled.of[o].element > t.own.element {
		return t.sampled.of[o]
	}
	return t.own
}

// leaveWait ends the state of the thread: the stack of a wait is a guess from now on where it became the holder later.
func (e *Enricher) leaveWait(t *thread, at trace.Time) {
	if !t.waitsAtOwn {
		return
	}
	t.waitsAtOwn = false
	for _, o := range t.held() {
		if t.latest(o).element < o.heldSince {
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
