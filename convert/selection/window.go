package selection

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/trcx/trcx/trace"
)

// Window is a part of a trace's time: from Since, inclusive, to Until, exclusive. Both count from the trace's start; an
// Until of 0 is the trace's end. The zero Window is the whole trace.
type Window struct {
	Since, Until time.Duration
}

// IsEverything reports whether the window is the whole trace.
func (w Window) IsEverything() bool { return w == Window{} }

// Bounds returns the bounds as times of a trace that starts at start. An open bound is the least or largest time.
func (w Window) Bounds(start trace.Time) (since, until trace.Time) {
	since, until = math.MinInt64, math.MaxInt64
	if w.Since != 0 {
		since = later(start, w.Since)
	}
	if w.Until != 0 {
		until = later(start, w.Until)
	}
	return since, until
}

// later returns the time plus the duration, at most the largest time.
func later(at trace.Time, by time.Duration) trace.Time {
	if by > 0 && at > math.MaxInt64-trace.Time(by) {
		return math.MaxInt64
	}
	return at + trace.Time(by)
}

// ParseTime reads a moment of a trace, counted from its start, or a length of time: 0 or more, with a unit, such as
// 1.5s, 250ms or 2m.
func ParseTime(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	number, notNumber := strconv.ParseFloat(text, 64)
	switch {
	case notNumber == nil && number >= 0 && number < secondsSince1970:
		return 0, fmt.Errorf("invalid value %q: a time has a unit; did you mean %ss?", text, text)
	case notNumber == nil && number >= 0:
		return 0, fmt.Errorf("invalid value %q: want the time since the trace's start, such as 1.5s", text)
	case err != nil || d < 0:
		return 0, fmt.Errorf("invalid value %q: want a time with its unit, such as 1.5s, 250ms or 2m", text)
	}
	return d, nil
}

// secondsSince1970 is the least number that is taken for a time of day, in seconds since 1970.
const secondsSince1970 = 1e8
