package enrichtest

import "strings"

// waitsOutside reports whether a monWait is a park, or a wait for input, output
// or the initialisation of a class: "T does not join waitset(obj); owner(obj)
// stays."
func (e element) waitsOutside() bool {
	_, parks := e.annotation("park")
	return parks || !e.waitsParked()
}

// joins reports whether the event says that its wait is a join.
func (e element) joins() bool {
	call, _ := e.annotation("call")
	return call == "join"
}

// waitsParked reports whether a monWait outside is a park.
func (e element) waitsParked() bool { return e.operation() == "" && e.initialiser() == "" }

// initialiser returns the id of the thread "who initialises the class obj".
func (e element) initialiser() string { return e.word("init") }

// operation returns the word of the annotation io: "read, write, accept,
// connect, select".
func (e element) operation() string {
	return e.word("io", "read", "write", "accept", "connect", "select")
}

// wait returns the event of such a monWait: "append WaitingForObject
// (objectRef, timeout, park: true), whatever obj is", or with "io … in its
// place", or "init = P in its place".
func (o *oracle) wait(e element, object string) Event {
	event := Event{Type: WaitingForObject, Timeout: e.timeout(), Park: e.waitsParked()}
	if event.Init = e.initialiser(); event.Init == "" {
		event.IO = e.operation()
	} else if p := o.incarnated[event.Init]; p != nil {
		o.applied("init")
		event.InitKey = p.Key
	}
	if object != sleep {
		event.ObjectRef = object
	}
	return event
}

// explainOutside binds the Running of such a wait's end "to mark(T); with
// lockFrom = P, known and not T, that Running has reacquired from P. Without a
// mark, to during(T), and during(T) and before(T) are used up; else to nothing
// … No other case applies; owner(obj) stays".
func (o *oracle) explainOutside(t *thread, running *Event, e element) {
	mark, interrupt := t.wait.mark, t.wait.during
	switch {
	case mark != nil:
		o.applied("unpark")
		o.bind(mark, running)
		o.unparked[running] = true
		if from := o.named(e, "lockFrom"); from != nil && from != t {
			o.applied("lockFrom")
			o.reacquired[running] = from
			o.namedFor[running] = true
		}
	case interrupt != nil:
		o.applied("interrupt outside of the wait set")
		t.wait.during, t.before = nil, nil
		o.bind(interrupt, running)
	default:
		o.applied("outside of the wait set")
	}
}

// named returns the known thread that the first annotation of the name with a value names.
func (o *oracle) named(e element, name string) *thread { return o.incarnated[e.word(name)] }

// again reports whether a monContendedEnter reports no new enter: "an again with another value or without park is as if
// absent".
func (e element) again() bool {
	_, parks := e.annotation("park")
	return parks && e.word("again", "1") != ""
}

// again "counts only … with an objIdRef, when blocked(T) = obj and the time is
// not before T's WaitingForLock": "if threadOwner is a known thread other than
// T that is neither dead nor itself blocked on obj, owner(obj) = it; otherwise
// owner(obj) stays, for the hand-off …, and Who held a monitor has from then on
// that blocked thread, which has just got in, or nobody."
func (o *oracle) again(t *thread, object string, e element) {
	if object == "" || t.blocked == nil || t.blocked.object != object || o.now < t.blocked.at {
		o.applied("again too late")
		return
	}
	o.applied("again")
	o.sample(object, e)
	switch p := o.incarnated[e.attr("threadOwner")]; {
	case p == nil, p.dead:
		o.hold(object, nil)
	case p.blocked != nil && p.blocked.object == object:
		o.applied("again of a thread that has got in")
		o.hold(object, p)
	default:
		o.assign(object, p)
	}
}

// causedBy: "monContendedEntered with causedBy = P, a known thread other than
// T: owner(obj) = P before step 2, and the HandoffLock is not inferred."
func (o *oracle) causedBy(t *thread, object string, e element) bool {
	p := o.named(e, "causedBy")
	if p == nil || p == t {
		return false
	}
	o.applied("causedBy")
	o.assign(object, p)
	return true
}

// gaveUp returns the first value of the annotation that is one of its words.
func (e element) gaveUp() (reason string, ok bool) {
	reason = e.word("gaveUp", "timeout", "interrupt")
	return reason, reason != ""
}

// giveUp: "timeout appends WaitTimeoutExceed (objectRef = obj), then either
// appends Running; interrupt binds it to before(T), which is used up;
// blocked(T) = none, no hand-off, owner(obj) as it was." Without an object
// nothing is bound.
func (o *oracle) giveUp(t *thread, object, reason string) {
	o.applied("gave up: " + reason)
	t.blocked = nil
	if reason == "timeout" {
		o.append(t, Event{Type: WaitTimeoutExceed, ObjectRef: object})
	}
	running := o.append(t, Event{Type: Running})
	if interrupt := t.before; reason == "interrupt" && object != "" && interrupt != nil {
		t.before = nil
		o.bind(interrupt, running)
	}
}

// markSoon: "If soon(T) names obj, mark(T) is that notification." A wait for input or output is never marked.
func (o *oracle) markSoon(t *thread, soon *Event, e element) {
	if soon != nil && e.waitsParked() && t.wait.object != "" && o.notified[soon] == t.wait.object {
		o.applied("soon")
		t.wait.mark = soon
	}
}

// wakes returns the ids of the first annotation wakes.
func (e element) wakes() (ids []string, seen bool) {
	value, seen := e.annotation("wakes")
	return strings.FieldsFunc(value, func(r rune) bool { return r == ' ' }), seen
}

// wakeParked "marks each named thread that has an open park wait on obj; for
// another known one soon(T) = (obj, this), until T's next state event."
func (o *oracle) wakeParked(notification *Event, object string, ids []string) {
	for _, id := range ids {
		switch t := o.incarnated[id]; {
		case t == nil:
		case t.waitsOn(object) && t.wait.outside && t.wait.parked:
			t.wait.mark = notification
		default:
			t.soon = notification
		}
	}
}

// wakeWaiters "marks each named thread that has an open monitor wait on obj,
// and takes it out of waitset(obj), and no other".
func (o *oracle) wakeWaiters(notification *Event, object string, ids []string) {
	o.applied("wakes of a monitor")
	for _, id := range ids {
		if t := o.incarnated[id]; t != nil && t.waitsOn(object) && !t.wait.outside {
			t.wait.mark = notification
		}
	}
}
