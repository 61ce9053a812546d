package enrich

import "github.com/trcx/trcx/trace"

// Call stacks show where the holder of a monitor is while others are blocked on it: the stacks of the holder's own
// records, and those that a sampler has read.

// sighting is a call stack, and the element that has it.
type sighting struct {
	stack   *trace.Stack // may be nil
	element uint64
}

// seeSelf keeps the event's stack, which shows where the event's own thread is.
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

// seeOwner keeps where an enter has seen the owner of the object; nil if the owner is unknown.
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

// samples are the thread's latest samples: as the owner of each object, and of any.
type samples struct {
	last sighting
	of   map[*object]sighting // at most maxSampled
}

const maxSampled = 256

// seen returns the latest call stack of the thread, of any kind; nil if it has none.
func (t *thread) seen() *trace.Stack {
	if t.sampled != nil && t.sampled.last.element > t.own.element {
		return t.sampled.last.stack
	}
	return t.own.stack
}

// placeIn returns where the thread, which holds the object, is. A stack from before it became the holder is a guess,
// unless the thread has been waiting since.
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

// latest returns the latest stack of the thread's own records or of its samples as the owner of the object.
func (t *thread) latest(o *object) sighting {
	if t.sampled != nil && t.sampled.of[o].element > t.own.element {
		return t.sampled.of[o]
	}
	return t.own
}

// leaveWait ends the wait of the thread. From now on, the stack of the wait is a guess for objects held since.
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

// putFirstPlace puts the holder's place when the first thread is blocked on a monitor.
func (e *Enricher) putFirstPlace(at trace.Time) {
	o := e.contended
	if e.contended = nil; o == nil || o.holder() == nil {
		return
	}
	if stack, _ := o.holder().live.placeIn(o); stack != nil {
		e.putOwner(o, at, true)
	}
}
