package enrich

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// callStart is a call of Thread.start. The new thread posts its threadStart itself: mostly later, but it may have been
// recorded a little before the call.
func (e *Enricher) callStart(event *trace.Event, t *thread) {
	o := e.objectOf(event)
	c := e.act(t, trace.StartsThread, event, o)
	if o == nil {
		return
	}
	o.isThread = true
	d := e.scope.threadOf(o)
	if d != nil && !d.isDead() {
		if first := &d.live.first; first.id != 0 && !first.cause.known() && first.at >= event.Time {
			e.bind(c, d, first.runningRef)
			e.put(&trace.Start{Thread: d.key, By: c.Thread, Time: c.Time, End: first.at})
			return
		}
	}
	e.scope.starts[o] = append(e.scope.starts[o], c)
}

// threadStart is the first event of a thread (JVMTI ThreadStart). It completes an incarnation that other events have
// opened. If the id has had a threadStart already, or its thread is dead, the event belongs to a new thread.
func (e *Enricher) threadStart(event *trace.Event) {
	id := event.Thread()
	if !id.Known() || !event.Timed() {
		return
	}
	i := e.scope.incarnation(id)
	if i == nil || i.isDead() || i.live.started {
		if i != nil {
			e.scope.calls.forget(id)
			e.loseEnd(i, event.Time)
		}
		i = e.newThread(id).incarnation
	}
	t := i.live
	t.started = true
	object := event.Object(trace.AttrObjIDRef)
	description := trace.ModelThread{
		Name: event.Text(trace.AttrThreadName), Group: event.Text(trace.AttrGroupName),
		Parent: event.Text(trace.AttrParentName), Virtual: isVirtual(event),
	}
	if carrier, ok := event.Extra.Annotation(trace.NoteCarrier); ok {
		description.Carrier = trace.ThreadFrom([]byte(carrier))
	}
	if description.Name == "" && description.Virtual {
		description.Name, description.Unnamed = threads.VirtualName(id), true
	}
	if object.IsObject() {
		description.Object = object
	}
	if description.Name == "DestroyJavaVM" {
		e.scope.destroyer = t.incarnation
	}
	e.putThread(t, description)
	run := e.appendState(t, trace.Running, event.Time)
	e.putActivity(t, event.Time)
	if !object.IsObject() {
		return
	}
	e.scope.threadsOf.set(object.ID, t.key)
	o := e.scope.objects.get(object.ID)
	if o == nil {
		return
	}
	o.isThread = true
	if starts := e.scope.starts[o]; len(starts) > 0 {
		c := starts[0]
		e.bind(c, t.incarnation, refOf(run))
		e.put(&trace.Start{Thread: t.key, By: c.Thread, Time: c.Time, End: run.Time})
		keep(e.scope.starts, o, removeAt(starts, 0))
	}
}

// putOpenStarts puts the starts in the recording that no thread has answered, if the object is no known thread's.
func (e *Enricher) putOpenStarts() {
	var open []cause
	for o, starts := range e.scope.starts {
		if e.scope.threadOf(o) == nil {
			open = append(open, starts...)
		}
	}
	slices.SortFunc(open, func(a, b cause) int { return cmp.Compare(a.ID, b.ID) })
	for _, c := range open {
		e.put(&trace.Start{By: c.Thread, Time: c.Time, End: e.last, Open: true})
	}
}

// loseEnd ends the states of a thread whose id begins anew: if the thread is alive, its threadEnd was lost.
func (e *Enricher) loseEnd(i *incarnation, at trace.Time) {
	if !i.isDead() {
		i.live.blockOn(nil)
		e.closeWait(i.live, false)
		i.live.lost = true
		e.endHolds(i.live, at)
	}
}

// isVirtual reports whether a threadStart announces a virtual thread, by its group or its annotation.
func isVirtual(event *trace.Event) bool {
	if event.Text(trace.AttrGroupName) == "VirtualThreads" {
		return true
	}
	value, ok := event.Extra.Annotation(trace.NoteVirtual)
	return ok && value == "1"
}

// threadEnd is the last event of a thread (JVMTI ThreadEnd). The thread stays the owner of its monitors: the next
// thread's monContendedEntered is often posted after its last owner's end.
func (e *Enricher) threadEnd(event *trace.Event, t *thread) {
	if t.dead {
		return
	}
	e.appendState(t, trace.Dead, event.Time)
	e.scope.calls.forget(t.id)
	t.blockOn(nil)
	e.closeWait(t, false)
	e.bury(t)
	e.endHolds(t, event.Time)
}
