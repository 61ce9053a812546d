package enrich

import "github.com/trcx/trcx/trace"

// The owner map is object.owner: the thread that holds each monitor, as far as events imply it. Only the owner of a
// monitor may wait on it or notify its waiters (Object.wait and Object.notify throw otherwise), and a thread that has
// entered it, or returned from a wait on it, owns it. Exits that no thread waits for post no event.

// updateOwner sets the owner of the object from the monContendedEnter of a thread, which finds the monitor taken. It
// reports whether the owner is known from the owner map alone.
func (e *Enricher) updateOwner(event *trace.Event, t *thread, o *object) (inferred bool) {
	if event.Has(trace.AttrThreadOwner) {
		var owner *thread
		if id := event.ID(trace.AttrThreadOwner); id.Known() {
			if owner = e.scope.thread(id); owner == t {
				owner = nil
			}
		}
		e.setOwner(o, owner, event.Time)
		return false
	}
	if owner := o.owner; owner != nil && (owner == t || owner.dead || owner.waitsOn(o)) {
		e.setOwner(o, nil, event.Time)
	}
	return o.owner != nil
}

// setOwner makes the thread the owner of the object, nil for none, and puts a MonitorOwner if threads are blocked on
// it.
func (e *Enricher) setOwner(o *object, t *thread, at trace.Time) {
	e.own(o, t)
	o.released = false
	e.putOwner(o, at)
}

// releaseOwner makes the thread, which begins to wait on the object, its last owner: until the next change of the owner
// no thread is known to hold it.
func (e *Enricher) releaseOwner(o *object, t *thread, at trace.Time) {
	e.own(o, t)
	o.released = true
	e.putOwner(o, at)
}

// own makes the thread the object's owner, nil for none.
func (e *Enricher) own(o *object, t *thread) {
	if last := o.owner; last != nil {
		if last.owns--; last.dead {
			e.scope.dead.unused = append(e.scope.dead.unused, last)
		}
	}
	if o.owner = t; t != nil {
		t.owns++
	}
}

// holder returns the thread that is known to hold the monitor; nil if none is.
func (o *object) holder() *thread {
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
		e.reused.owner.Owner, e.reused.owner.Caller = holder.ref.Key, e.at(holder)
	}
	e.put(&e.reused.owner)
}

// contend makes the WaitingForLock event one of a thread that is blocked on the object.
func (e *Enricher) contend(t *thread, o *object, blocked *trace.ModelEvent) {
	if o.contended == 0 {
		if free := len(e.reused.monitors) - 1; free >= 0 {
			o.monitor, e.reused.monitors = e.reused.monitors[free], e.reused.monitors[:free]
		} else {
			e.numbers.monitors++
			o.monitor = e.numbers.monitors
		}
	}
	o.contended++
	t.contends, blocked.Monitor = o, o.monitor
	if holder := o.holder(); holder != nil {
		blocked.HeldBy = holder.ref.Key
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
		e.reused.monitors = append(e.reused.monitors, o.monitor)
		o.monitor = 0
		e.release(o)
	}
}

// mergeContention moves the threads that are blocked on an object to another one.
func (e *Enricher) mergeContention(from, to *object, at trace.Time) {
	for _, t := range e.scope.active {
		if t.quiet != nil && t.quiet.object == from {
			e.wake(t)
		}
		if t.activity != nil && t.contends == from {
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
	e.reused.monitors = append(e.reused.monitors, monitor)
}
