package theme

import "github.com/trcx/trcx/trace"

// Terminal has the colours of the states' words on a terminal, as parameters of an escape sequence. A terminal has 16
// colours, whose shades the user chooses. The worst state is red, a harmless wait has the palest colour.
var Terminal = map[string]string{
	trace.StateRunnable.String():     "32", // green
	trace.StateBlocked.String():      "31", // red
	trace.StateWaiting.String():      "33", // yellow
	trace.StateTimedWaiting.String(): "33",
	trace.StateParked.String():       "33",
	trace.StateJoining.String():      "36", // cyan
	trace.StateSleeping.String():     "90", // grey
	trace.StateInIO.String():         "94", // bright blue: the dark one is hard to read on black
	trace.StateDeadlocked.String():   "1;31",
	trace.StateTerminated.String():   "90",
	"STARTING":                       "35", // magenta
	"INITIALISING":                   "31",
}
