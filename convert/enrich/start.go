package enrich

import "github.com/trcx/trcx/trace"

// callStart is a call of Thread.start. The new thread posts its threadStart itself: mostly later, but it may have been
// recorded a little before the call.
func (e *Enricher) callStart(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	c := e.act(t, trace.StartsThread, event, o)
	if o == nil {
		return
	}
	o.isThread = true
	d := o.thread
	if d != nil {
		e.wake(d)
	}
	if d != nil && !d.dead && d.first != nil && !d.first.cause.known() && d.first.at >= event.Time {
		e.bind(c, d, d.first.runningRef)
		return
	}
	found := e.interact(o)
	found.starts = append(found.starts, c)
}

// threadStart is the first event of a thread (JVMTI ThreadStart). It completes an incarnation that other events have
// opened; an id that has had a threadStart, or whose thread is dead, is that of another thread.
func (e *Enricher) threadStart(event *trace.Event) {
	id := event.Thread()
	if !id.Known() || !event.Timed() {
		return
	}
	t := e.scope.thread(id.ID)
	switch {
	case t == nil:
		t = e.newThread(id)
	case t.started || t.dead:
		e.scope.calls.forget(id)
		if !t.dead { // its threadEnd was lost
			e.wake(t)
			t.blockOn(nil)
			e.closeWait(t, false)
		}
		t = e.newThread(id)
	}
	t.started = true
	object := event.Object(trace.AttrObjIDRef)
	description := trace.ModelThread{
		Name: event.Text(trace.AttrThreadName), Group: event.Text(trace.AttrGroupName),
		Parent: event.Text(trace.AttrParentName),
	}
	if description.Name == "" && isVirtual(event) {
		description.Name, description.Unnamed = trace.VirtualName(id), true
	}
	if object.IsObject() {
		description.Object = object
	}
	e.putThread(t, description)
	run := e.append(t, trace.Running, event.Time)
	e.putActivity(t, event.Time)
	if !object.IsObject() {
		return
	}
	t.object = objectNumber(object.ID)
	o := e.scope.object(object.ID)
	if o == nil && t.object != withText {
		e.scope.unused.set(object.ID, t)
		return
	}
	o = e.object(object)
	o.thread, o.isThread = t, true
	if o.interactions != nil && len(o.starts) > 0 {
		e.bind(o.starts[0], t, refOf(run))
		o.starts = removeAt(o.starts, 0)
		e.dropInteractions(o)
	}
}

// isVirtual reports whether a threadStart is that of a virtual thread, by its group or its annotation.
func isVirtual(event *trace.Event) bool {
	if event.Text(trace.AttrGroupName) == trace.VirtualGroup {
		return true
	}
	value, ok := event.Extra.Annotation("virtual")
	return ok && value == "1"
}

// threadEnd is the last event of a thread (JVMTI ThreadEnd). What the thread owned stays its own: the next thread's
// monContendedEntered is often posted after its last owner's end.
func (e *Enricher) threadEnd(event *trace.Event, t *thread) {
	if t.dead {
		return
	}
	e.append(t, trace.Dead, event.Time)
	e.scope.calls.forget(t.ref.ID)
	t.blockOn(nil)
	e.closeWait(t, false)
	t.dead = true
	e.scope.deactivate(t)
	e.dropActivity(t)
	e.scope.dead.unused = append(e.scope.dead.unused, t)
}
