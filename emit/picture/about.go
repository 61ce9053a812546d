package picture

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/timeline"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/emit/internal/theme"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// moment returns a time since the trace's start, for people.
func moment(time int64) string { return wording.Moment(trace.Time(time), 0) }

// aboutPiece returns the tooltip of a piece.
func (p people) aboutPiece(key trace.ThreadKey, piece *piece) string {
	if s := piece.span; s != nil {
		return p.aboutSpan(key, s)
	}
	lines := []string{p.title(key), fmt.Sprintf("%s in %s, from %s on", phrase.Count(piece.count, "interval"),
		phrase.Duration(piece.length()), moment(piece.begin))}
	for state, time := range piece.times {
		if time > 0 {
			lines = append(lines, theme.States[state].Label+" "+phrase.Duration(int64(time)))
		}
	}
	return strings.Join(lines, "\n")
}

func (p people) aboutSpan(key trace.ThreadKey, s *timeline.Span) string {
	length := s.Title() + " for " + phrase.Duration(s.End-s.Begin) + ", from " + moment(s.Begin) + " on"
	switch {
	case s.Open:
		length += ", still at the end"
	case s.TimedOut:
		length += ", timed out"
	}
	lines := []string{p.title(key), length}
	if s.Object.ID != "" {
		lines = append(lines, objectWords(&s.Object))
	}
	if s.Other != 0 {
		lines = append(lines, otherWords[s.State]+p.title(s.Other)+inferredWords[s.Inferred])
	}
	if at := frameWords(&s.Caller); at != "" {
		lines = append(lines, "at "+at)
	}
	if at := frameWords(&s.OtherCaller); at != "" {
		lines = append(lines, "the other thread was last seen at "+at)
	}
	return strings.Join(lines, "\n")
}

// otherWords has the role of a span's other thread, by state.
var otherWords = [timeline.StateCount]string{
	timeline.Running: "made to run by ", timeline.WaitingForObject: "initialised by ", timeline.WaitingForLock: "held by ",
	timeline.WaitingForJoin: "for the end of ",
	timeline.Sleeping:       "with ", timeline.Deadlocked: "held by ", timeline.TimedWaiting: "held by ",
	timeline.Parked: "held by ", timeline.InIO: "with ",
}

var inferredWords = map[bool]string{true: " (concluded, not reported)"}

func objectWords(o *timeline.Object) string {
	if o.Lock != "" {
		lock := trace.ObjectFrom([]byte(o.Lock))
		return isolated(wording.Condition(trace.ObjectFrom([]byte(o.ID)), o.Class, lock, o.LockClass))
	}
	if o.Class == "" {
		return "object " + isolated(shortName(o.ID))
	}
	name := className(o.Class)
	if s, ok := javaname.SynchronizerOf(o.Class); ok {
		name = s.String()
	}
	return isolated(name) + " " + isolated(shortName(o.ID))
}

// frameWords returns a place as Java's stack traces have it, or "" if it is unknown.
func frameWords(f *timeline.Frame) string {
	if f.Method == "" {
		return ""
	}
	name := className(f.Class) + "." + shortName(f.Method)
	file := shortName(f.File)
	switch {
	case file == "" && f.Line < 0:
		return isolated(name)
	case file == "":
		file = "line " + strconv.Itoa(int(f.Line))
	case f.Line >= 0:
		file += ":" + strconv.Itoa(int(f.Line))
	}
	return isolated(name + "(" + file + ")")
}

// className returns a class as Java writes it.
func className(class string) string {
	return sanitize.Short(sanitize.Text(javaname.Class(class)), 80)
}

func (p people) aboutArrow(a *timeline.Arrow) string {
	lines := []string{
		theme.Interactions[a.Type].Label + ", at " + moment(a.From.Time), "from " + p.title(a.From.Thread),
		"to " + p.title(a.To.Thread) + ", running at " + moment(a.To.Time),
	}
	if a.Waited > 0 {
		lines = append(lines, "which had not run for "+phrase.Duration(a.Waited))
	}
	return strings.Join(lines, "\n")
}

func (p people) aboutInstant(key trace.ThreadKey, i *timeline.Instant) string {
	lines := []string{p.title(key), theme.Interactions[i.Type].Label + ", at " + moment(i.Time)}
	if i.Count > 1 {
		lines[1] += fmt.Sprintf(", and %d more", i.Count-1)
	}
	if i.Object.ID != "" {
		lines = append(lines, objectWords(&i.Object))
	}
	return strings.Join(lines, "\n")
}
