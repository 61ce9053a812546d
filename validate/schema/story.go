package schema

import "github.com/trcx/trcx/trace"

// story is what a stream has told so far, for its promises: it begins and ends, its numbers count, and what a line
// names was in a line before.
type story struct {
	begun, ended bool
	// cut says that the input ended inside of a line, which was reported.
	cut bool
	// lost says that a line could not be read or counted. What follows from counting is not said any more.
	lost bool
	// threads is the largest key of a thread, events the largest id of an event, last the last one, and told how many
	// events there have been.
	threads, events, last, told int64
	// eventNamed is the largest id by which an event is named, also before its line.
	eventNamed reference
}

// lineKinds are those of which the story wants to know more than that they are there.
var lineKinds = map[string]func(*stream, value){
	"thread":   (*stream).hearThread,
	"event":    (*stream).hearEvent,
	"binding":  (*stream).hearBinding,
	"deadlock": (*stream).hearDeadlock,
	"end":      (*stream).hearEnd,
}

// hear takes a line.
func (s *stream) hear(v value) {
	kind := v.members["kind"].text
	switch {
	case v.kind == unread:
		s.lost = true
	case !s.begun && !s.lost && kind != "trace":
		s.say(RuleModel, v, nil, `must be of kind "trace", as it is the first`)
	case s.begun && kind == "trace":
		s.say(RuleModel, v, nil, `is of kind "trace", but not the first`)
	case s.ended:
		s.say(RuleModel, v, nil, `stands behind that of kind "end"`)
	}
	s.begun = true
	if tell := lineKinds[kind]; tell != nil {
		tell(s, v)
	}
}

func (s *stream) hearThread(v value) {
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

func (s *stream) hearEvent(v value) {
	id, ok := v.integer("id")
	if !ok {
		s.lost = true
	}
	if !s.lost && id != s.last+1 && id != s.told+1 { // which are the same, unless there was a wrong one before
		s.say(RuleModel, v, []string{"id"},
			"is %s, but events are numbered in their order, and the next one is number %d", shown(v.members["id"]),
			s.last+1)
	}
	s.told++
	s.last, s.events = min(id, mostCounted), min(max(s.events, id), mostCounted)
	var named reference
	for _, name := range threadKeys {
		s.names(&named, v, name)
	}
	s.names(&named, v, "thread")
	s.introduced(named)
	s.names(&s.eventNamed, v, "cause")
	s.names(&s.eventNamed, v, "runningEvent")
	s.namesAll(&s.eventNamed, v, "runningEvents")
}

func (s *stream) hearBinding(v value) {
	for _, name := range []string{"cause", "running", "replaces"} {
		s.names(&s.eventNamed, v, name)
	}
}

func (s *stream) hearDeadlock(v value) {
	s.sameLength(v)
	var named reference
	s.namesAll(&named, v, "threadKeys")
	s.introduced(named)
}

// introduced reports a thread that was not in a line of its own before.
func (s *stream) introduced(named reference) {
	if !s.lost {
		s.leads(named, s.threads, noThread+" so far")
	}
}

func (s *stream) hearEnd(v value) {
	s.ended = true
	if events, ok := v.integer("events"); ok && !s.lost && events != s.told {
		s.say(RuleModel, v, []string{"events"}, "is %s, but there are %d lines of kind event",
			shown(v.members["events"]), s.told)
	}
}

// over is the end of the input.
func (s *stream) over() {
	if !s.lost {
		s.leads(s.eventNamed, s.events, noEvent)
	}
	if !s.ended && !s.cut {
		s.report(trace.Finding{Rule: trace.RuleTruncated, Severity: trace.Error, Place: s.here(),
			Message: `the input ends without a line of kind "end"`})
	}
}
