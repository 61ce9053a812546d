package selection

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/trcx/trcx/trace"
)

// Moment is a time of a trace. The zero Moment is none.
type Moment struct {
	known    bool
	relative bool // to the trace's first timed element
	at       trace.Time
}

// ParseMoment reads a time since the trace's start, such as 1.5s or 300ms, or one as traces have it: decimal seconds
// since 1970.
func ParseMoment(text string) (Moment, error) {
	if since, err := time.ParseDuration(text); err == nil && text != "0" {
		return Moment{known: true, relative: true, at: trace.Time(since)}, nil
	}
	at, reading := trace.ParseTime([]byte(text))
	if reading != trace.Exact && reading != trace.Truncated {
		return Moment{},
			fmt.Errorf(
				"%q is no time; write the time since the trace's start, such as 1.5s or 300ms, or one as the trace "+
					"has it, such as 1795248554.25", text)
	}
	return Moment{known: true, at: at}, nil
}

// LooksLikeMoment reports whether a text that may be something else is meant as a time: it begins with a digit or a
// point.
func LooksLikeMoment(text string) bool {
	return strings.TrimLeft(text, "0123456789.+-") != text
}

// Or returns the moment as a time of the trace that starts at start, or the other time if it is none.
func (m Moment) Or(start, other trace.Time) trace.Time {
	switch {
	case !m.known:
		return other
	case m.relative && m.at > math.MaxInt64-max(start, 0):
		return math.MaxInt64
	case m.relative:
		return start + m.at
	}
	return m.at
}

// NotBefore reports whether the moment is certainly not before the other one, so that nothing lies between them.
func (m Moment) NotBefore(other Moment) bool {
	return m.known && other.known && m.relative == other.relative && m.at >= other.at
}

// Known reports whether the moment is one, and not the zero Moment.
func (m Moment) Known() bool { return m.known }
