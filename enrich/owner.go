package enrich

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trcx/trcx/trace"
)

// The owner map is object.owner: the thread that had each monitor last, as far as events imply it. Only the owner of a
// monitor may wait on it or notify its waiters (Object.wait and Object.notify throw otherwise). A thread that has
// entered the monitor, or returned from a wait on it, owns it. An exit posts no event if no thread waits for the
// monitor.

// updateOwner sets the owner of the object from the monContendedEnter of a thread, which finds the monitor taken. It
// reports whether the owner is known from the owner map alone.
func (e *Enricher) updateOwner(event *trace.Event, t *thread, o *object) (inferred bool) {
	if event.Has(trace.AttrThreadOwner) {
		owner := e.scope.threadOwner(event)
		e.seeOwner(event, o, owner)
		if owner == t.incarnation {
			owner = nil
		}
		e.setOwner(o, owner, event.Time)
		return false
	}
	if owner := o.owner; owner != nil && (owner == t.incarnation || owner.isDead() || owner.waitsOn(o)) {
		e.setOwner(o, nil, event.Time)
	}
	return o.owner != nil
}

// threadOwner returns the thread that the element names as the owner; nil if it names no known thread.
func (s *scope) threadOwner(event *trace.Event) *incarnation {
	if id := event.ID(trace.AttrThreadOwner); id.Known() {
		return s.incarnation(trace.ThreadID{ID: id})
	}
	return nil
}

// sampleOwner takes the owner from an enter that IsAgain. A sampler reads the owner at any time. A sampled owner that
// is blocked on the object has just entered it; without an owner, the sampler came between a release and the next
// entry. In both cases the previous owner hands the object over.
func (e *Enricher) sampleOwner(event *trace.Event, o *object) {
	owner := e.scope.threadOwner(event)
	e.seeOwner(event, o, owner)
	if owner == nil || owner.isDead() || owner.live.blocked == o {
		e.setHolder(o, owner, event.Time)
		return
	}
	e.setOwner(o, owner, event.Time)
}

// setOwner makes the thread, nil for none, the owner of the object, which holds the monitor.
func (e *Enricher) setOwner(o *object, owner *incarnation, at trace.Time) {
	o.owner = owner
	e.setHolder(o, owner, at)
}

// setHolder sets the thread that is known to hold the monitor, nil for none, and puts a MonitorOwner if threads are
// blocked on the object. The owner is unchanged: it handed the monitor over, or will.
func (e *Enricher) setHolder(o *object, holder *incarnation, at trace.Time) {
	before := o.holder()
	o.unlinkHolder()
	o.heldBy = holder
	o.linkHolder()
	if o.holder() != before {
		o.heldSince = e.scope.element
	}
	e.putOwner(o, at, false)
}

// holder returns the thread that is known to hold the monitor, or nil. A thread that has ended holds nothing.
func (o *object) holder() *incarnation {
	if i := o.heldBy; i != nil && i.live != nil && !i.live.dead && !i.live.lost {
		return i
	}
	return nil
}

// linkHolder adds a contended object to its holder's holds.
func (o *object) linkHolder() {
	i := o.holder()
	if i == nil || o.contended == 0 {
		return
	}
	if i.live.holds == nil {
		i.live.holds = map[*object]struct{}{}
	}
	i.live.holds[o] = struct{}{}
}

// unlinkHolder removes the object from its holder's holds.
func (o *object) unlinkHolder() {
	if o.heldBy != nil && o.heldBy.live != nil {
		delete(o.heldBy.live.holds, o)
	}
}

// endHolds ends what the thread, which has ended, is known to hold.
func (e *Enricher) endHolds(t *thread, at trace.Time) {
	for _, o := range t.held() {
		e.setHolder(o, nil, at)
	}
}

// held returns the contended objects that the thread holds, in the order of their monitors.
func (t *thread) held() []*object {
	if len(t.holds) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(t.holds), func(a, b *object) int { return cmp.Compare(a.monitor, b.monitor) })
}

// putOwner puts a MonitorOwner if threads are blocked on the object. With stays, only the owner's place has changed.
func (e *Enricher) putOwner(o *object, at trace.Time, stays bool) {
	if o.contended == 0 {
		return
	}
	r := &e.reused.owner
	*r = trace.MonitorOwner{Monitor: o.monitor, Time: at, Stays: stays}
	if holder := o.holder(); holder != nil {
		r.Owner = holder.key
		r.Stack, r.Probable = holder.live.placeIn(o)
	}
	e.put(r)
}

// contend notes that the thread of the WaitingForLock event is blocked on the object.
func (e *Enricher) contend(t *thread, o *object, blocked *trace.ModelEvent) {
	if o.contended == 0 {
		if free := len(e.numbers.freeMonitors) - 1; free >= 0 {
			o.monitor, e.numbers.freeMonitors = e.numbers.freeMonitors[free], e.numbers.freeMonitors[:free]
		} else {
			e.numbers.monitors++
			o.monitor = e.numbers.monitors
		}
	}
	if o.contended++; o.contended == 1 {
		e.contended = o
	}
	o.linkHolder()
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
		o.unlinkHolder()
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
	from.unlinkHolder()
	if to.contended == 0 {
		to.monitor, to.contended = monitor, threads
		to.linkHolder()
		e.putOwner(to, at, false)
		return
	}
	to.contended += threads
	e.put(&trace.MonitorOwner{Monitor: to.monitor, Absorbed: monitor, Time: at})
	e.numbers.freeMonitors = append(e.numbers.freeMonitors, monitor)
}
