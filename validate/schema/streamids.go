package schema

import "github.com/trcx/trcx/trace"

// streamIDs checks the ids of a stream: it has a first and a last line, ids count, and references resolve to earlier
// lines.
type streamIDs struct {
	begun, ended bool
	// cut is set when the input ended inside of a line, which was reported.
	cut bool
	// lost is set when a line could not be read or counted. Findings that depend on counts are then left out.
	lost bool
	// threads is the largest key of a thread, events the largest id of an event, last the id of the last event, and
	// count the number of events.
	threads, events, last, count int64
	// eventRef is the largest reference to an event, which may precede the event.
	eventRef reference
}

// lineKinds are the kinds of lines that have ids or references.
var lineKinds = map[string]func(*stream, value){
	"thread":   (*stream).countThread,
	"event":    (*stream).countEvent,
	"binding":  (*stream).countBinding,
	"deadlock": (*stream).countDeadlock,
	"end":      (*stream).countEnd,
}

// checkIDs checks the ids of a line and its place in the stream.
func (s *stream) checkIDs(v value) {
	kind := v.members["kind"].text
	switch {
	case v.kind == unread:
		s.lost = true
	case !s.begun && !s.lost && kind != "trace":
		s.say(RuleModel, v, nil, `must be of kind "trace", as it is the first`)
	case s.begun && kind == "trace":
		s.say(RuleModel, v, nil, `is of kind "trace", but not the first`)
	case s.ended:
		s.say(RuleModel, v, nil, `comes after that of kind "end"`)
	}
	s.begun = true
	if count := lineKinds[kind]; count != nil {
		count(s, v)
	}
}

func (s *stream) countThread(v value) {
	key, ok := v.integer("key")
	if !ok {
		s.lost = true
	}
	if !s.lost && key > s.threads+1 {
		s.say(RuleModel, v, []string{"key"},
			"is %s, but threads are numbered in their order, and the next one is number %d", shown(v.members["key"]),
			s.threads+1)
	}
	s.threads = max(s.threads, key)
}

func (s *stream) countEvent(v value) {
	id, ok := v.integer("id")
	if !ok {
		s.lost = true
	}
	if !s.lost && id != s.last+1 && id != s.count+1 { // these are equal, unless an earlier id is wrong
		s.say(RuleModel, v, []string{"id"},
			"is %s, but events are numbered in their order, and the next one is number %d", shown(v.members["id"]),
			s.last+1)
	}
	s.count++
	s.last, s.events = min(id, maxID), min(max(s.events, id), maxID)
	var threads reference
	for _, name := range threadKeys {
		s.refer(&threads, v, name)
	}
	s.refer(&threads, v, "thread")
	s.defined(threads)
	s.refer(&s.eventRef, v, "cause")
	s.refer(&s.eventRef, v, "runningEvent")
	s.referAll(&s.eventRef, v, "runningEvents")
}

func (s *stream) countBinding(v value) {
	for _, name := range []string{"cause", "running", "replaces"} {
		s.refer(&s.eventRef, v, name)
	}
}

func (s *stream) countDeadlock(v value) {
	s.sameLength(v)
	var threads reference
	s.referAll(&threads, v, "threadKeys")
	s.defined(threads)
}

// defined reports a reference to a thread that has no line so far.
func (s *stream) defined(thread reference) {
	if !s.lost {
		s.resolve(thread, s.threads, noThread+" so far")
	}
}

func (s *stream) countEnd(v value) {
	s.ended = true
	if events, ok := v.integer("events"); ok && !s.lost && events != s.count {
		s.say(RuleModel, v, []string{"events"}, "is %s, but there are %d lines of kind event",
			shown(v.members["events"]), s.count)
	}
}

// end checks what is left at the end of the input.
func (s *stream) end() {
	if !s.lost {
		s.resolve(s.eventRef, s.events, noEvent)
	}
	if !s.ended && !s.cut {
		s.report(trace.Finding{Rule: trace.RuleTruncated, Severity: trace.Error, Place: s.Place(),
			Message: `the input ends without a line of kind "end"`})
	}
}
