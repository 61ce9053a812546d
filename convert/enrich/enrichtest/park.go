package enrichtest

import "slices"

// waitsOutside reports whether a monWait is a park, or a wait for input or
// output: "T does not join waitset(obj); owner(obj) stays."
func (e element) waitsOutside() bool {
	_, parks := e.annotation("park")
	return parks || e.operation() != ""
}

// operation returns the word of the annotation io: "read, write, accept,
// connect, select".
func (e element) operation() string {
	for _, a := range e.annotations {
		if a.attr("name") == "io" && slices.Contains([]string{"read", "write", "accept", "connect", "select"}, a.attr("value")) {
			return a.attr("value")
		}
	}
	return ""
}

// wait returns the event of such a monWait: "append WaitingForObject
// (objectRef, timeout, park: true), whatever obj is", or with "io … in its
// place".
func (e element) wait(object string) Event {
	event := Event{Type: WaitingForObject, Timeout: e.timeout(), IO: e.operation()}
	event.Park = event.IO == ""
	if object != sleep {
		event.ObjectRef = object
	}
	return event
}

// explainOutside binds the Running of such a wait's end: without a mark, "to
// during(T), and during(T) and before(T) are used up; else to nothing … No
// other case applies; owner(obj) stays".
func (o *oracle) explainOutside(t *thread, running *Event) {
	interrupt := t.wait.during
	if interrupt == nil {
		o.applied("outside of the wait set")
		return
	}
	o.applied("interrupt outside of the wait set")
	t.wait.during, t.before = nil, nil
	o.bind(interrupt, running)
}
