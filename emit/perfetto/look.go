package perfetto

import "github.com/trcx/trcx/trace"

// look is what a mark looks like. The first ones are those of the model's types.
type look uint8

// The looks that no model type has.
const (
	timedWaiting look = look(trace.ModelTypeCount) + iota
	deadlocked
	deadlockLoop
	latency
	lookCount
)

// looks say how marks are named for people, in which category viewers file them, and in which of the colours that Trace
// Event viewers know by name they are drawn ("": the viewer's choice). Running is a quiet colour: what keeps threads
// from running is to strike the eye.
var looks = [lookCount]struct {
	name     string
	category category
	color    string
}{
	look(trace.Running):             {"running", states, "thread_state_running"},
	look(trace.WaitingForObject):    {"waiting", states, "thread_state_sleeping"},
	look(trace.WaitingForLock):      {"blocked", states, "terrible"},
	look(trace.Sleeping):            {"sleeping", states, "grey"},
	look(trace.WaitingForJoin):      {"joining", states, "thread_state_iowait"},
	look(trace.DeadLock):            {"deadlock", deadlocks, "black"},
	look(trace.StartsThread):        {"start", interactions, ""},
	look(trace.HandoffLock):         {"hand-off", interactions, ""},
	look(trace.InterruptThread):     {"interrupt", interactions, ""},
	look(trace.NotifyAll):           {"notifyAll", interactions, ""},
	look(trace.Notify):              {"notify", interactions, ""},
	look(trace.DeadAndNotifyJoined): {"join", interactions, ""},
	look(trace.WaitTimeoutExceed):   {"timeout", interactions, ""},
	timedWaiting:                    {"timed waiting", states, "thread_state_sleeping"},
	deadlocked:                      {"deadlocked", states, "black"},
	deadlockLoop:                    {"deadlock", deadlocks, "black"},
	latency:                         {"latency", pathPieces, "yellow"},
}

// category is how viewers file a mark.
type category uint8

// The categories.
const (
	states category = iota
	interactions
	deadlocks
	pathPieces
	categoryCount
)

var categories = [categoryCount]string{states: "state", interactions: "interaction", deadlocks: "deadlock",
	pathPieces: "path"}

// argument is what can be said of a mark.
type argument uint8

// The arguments, in the order in which they are written.
const (
	eventArgument argument = iota + 1
	pieceArgument
	threadArgument
	threadsArgument
	monitorArgument
	objectArgument
	classArgument
	ownerArgument
	joinedArgument
	receiverArgument
	callerArgument
	ownerCallerArgument
	timeoutArgument
	timedOutArgument
	inferredArgument
	openArgument
	stackArgument
	argumentCount
)

// form is how the value of an argument is written.
type form uint8

const (
	number form = iota
	text
	flag // there is no value: the argument is true
)

// arguments are named as in the JSON model, where that has them.
var arguments = [argumentCount]struct {
	name string
	form form
}{
	eventArgument:       {"event", number},
	pieceArgument:       {"piece", number},
	threadArgument:      {"thread", text},
	threadsArgument:     {"threads", text},
	monitorArgument:     {"monitor", text},
	objectArgument:      {"object", text},
	classArgument:       {"class", text},
	ownerArgument:       {"owner", text},
	joinedArgument:      {"joined", text},
	receiverArgument:    {"receiver", text},
	callerArgument:      {"caller", text},
	ownerCallerArgument: {"ownerCaller", text},
	timeoutArgument:     {"timeout", number}, // milliseconds
	timedOutArgument:    {"timedOut", flag},
	inferredArgument:    {"inferred", flag},
	openArgument:        {"open", flag},
	stackArgument:       {"stack", text},
}

// lookOf is the look of an interval.
func lookOf(s *trace.Interval) look {
	switch {
	case s.Deadlocked:
		return deadlocked
	case s.Type == trace.WaitingForObject && s.Timeout > 0:
		return timedWaiting
	}
	return look(s.Type)
}
