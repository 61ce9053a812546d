package enrich

import "github.com/trcx/trcx/trace"

// The owner map is object.owner: the thread that holds each monitor, as far as events imply it. Only the owner of a
// monitor may wait on it or notify its waiters (Object.wait and Object.notify throw otherwise), and a thread that has
// entered it, or returned from a wait on it, owns it. Exits that no thread waits for post no event.

// updateOwner sets the owner of the object from the monContendedEnter of a thread, which finds the monitor taken. It
// reports whether the owner is known from the owner map alone.
func (e *Enricher) updateOwner(event *trace.Event, t *thread, o *object) (inferred bool) {
	if event.Has(trace.AttrThreadOwner) {
		var owner *incarnation
		if id := event.ID(trace.AttrThreadOwner); id.Known() {
			if owner = e.scope.incarnation(trace.ThreadID{ID: id}); owner == t.incarnation {
				owner = nil
			}
		}
		e.setOwner(o, owner, event.Time)
		return false
	}
	if owner := o.owner; owner != nil && (owner == t.incarnation || owner.isDead() || owner.waitsOn(o)) {
		e.setOwner(o, nil, event.Time)
	}
	return o.owner != nil
}

// setOwner makes the thread the owner of the object, nil for none, and puts a MonitorOwner if threads are blocked on
// it.
func (e *Enricher) setOwner(o *object, owner *incarnation, at trace.Time) {
	o.owner, o.released = owner, false
	e.putOwner(o, at)
}

// releaseOwner makes the thread, which begins to wait on the object, its last owner: until the next change of the owner
// no thread is known to hold it.
func (e *Enricher) releaseOwner(o *object, owner *incarnation, at trace.Time) {
	o.owner, o.released = owner, true
	e.putOwner(o, at)
}

// holder returns the thread that is known to hold the monitor; nil if none is.
func (o *object) holder() *incarnation {
	if o.released {
		return nil
	}
	return o.owner
}

// putOwner puts a MonitorOwner if threads are blocked on the object.
func (e *Enricher) putOwner(o *object, at trace.Time) {
	if o.contended == 0 {
		return
	}
	e.reused.owner = trace.MonitorOwner{Monitor: o.monitor, Time: at}
	if holder := o.holder(); holder != nil {
		e.reused.owner.Owner, e.reused.owner.Caller = holder.key, e.at(holder)
	}
	e.put(&e.reused.owner)
}

// contend makes the WaitingForLock event one of a thread that is blocked on the object.
func (e *Enricher) contend(t *thread, o *object, blocked *trace.ModelEvent) {
	if o.contended == 0 {
		if free := len(e.numbers.freeMonitors) - 1; free >= 0 {
			o.monitor, e.numbers.freeMonitors = e.numbers.freeMonitors[free], e.numbers.freeMonitors[:free]
		} else {
			e.numbers.monitors++
			o.monitor = e.numbers.monitors
		}
	}
	o.contended++
	t.contends, blocked.Monitor = o, o.monitor
	if holder := o.holder(); holder != nil {
		blocked.HeldBy = holder.key
	}
}

// leaveContention ends the thread's WaitingForLock interval.
func (e *Enricher) leaveContention(t *thread) {
	o := t.contends
	if o == nil {
		return
	}
	t.contends = nil
	if o.contended--; o.contended == 0 {
		e.numbers.freeMonitors = append(e.numbers.freeMonitors, o.monitor)
		o.monitor = 0
	}
}

// mergeContention moves the threads that are blocked on an object to another one.
func (e *Enricher) mergeContention(from, to *object, at trace.Time) {
	for t := range e.scope.live {
		if t.contends == from {
			t.contends = to
		}
	}
	if from.contended == 0 {
		return
	}
	monitor, threads := from.monitor, from.contended
	from.monitor, from.contended = 0, 0
	if to.contended == 0 {
		to.monitor, to.contended = monitor, threads
		e.putOwner(to, at)
		return
	}
	to.contended += threads
	e.put(&trace.MonitorOwner{Monitor: to.monitor, Absorbed: monitor, Time: at})
	e.numbers.freeMonitors = append(e.numbers.freeMonitors, monitor)
}
