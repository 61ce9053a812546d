package perfetto

import (
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// style is the appearance of a mark. The first ones belong to the model's types.
type style uint8

// Styles without a model type.
const (
	timedWaiting style = style(trace.ModelTypeCount) + iota
	parked
	inIO
	deadlocked
	deadlockLoop
	latency
	unknown
	paused
	styleCount
)

// styles are the titles of marks, their categories, and the names of colors in Trace Event viewers ("": the viewer's
// choice). States have the names and about the colors of the page: green, red, yellow, grey.
var styles = [styleCount]struct {
	name     string
	category category
	color    string
}{
	style(trace.Running):             {trace.StateRunnable.String(), states, "thread_state_running"},
	style(trace.WaitingForObject):    {trace.StateWaiting.String(), states, "yellow"},
	style(trace.WaitingForLock):      {trace.StateBlocked.String(), states, "terrible"},
	style(trace.Sleeping):            {trace.StateSleeping.String(), states, "grey"},
	style(trace.WaitingForJoin):      {trace.StateJoining.String(), states, "olive"},
	style(trace.DeadLock):            {"deadlock", deadlocks, "black"},
	style(trace.StartsThread):        {"start", interactions, ""},
	style(trace.HandoffLock):         {"hand-off", interactions, ""},
	style(trace.InterruptThread):     {"interrupt", interactions, ""},
	style(trace.NotifyAll):           {"notifyAll", interactions, ""},
	style(trace.Notify):              {"notify", interactions, ""},
	style(trace.DeadAndNotifyJoined): {"join", interactions, ""},
	style(trace.WaitTimeoutExceed):   {"timeout", interactions, ""},
	timedWaiting:                     {trace.StateTimedWaiting.String(), states, "yellow"},
	parked:                           {trace.StateParked.String(), states, "yellow"},
	inIO:                             {trace.StateInIO.String(), states, "thread_state_iowait"},
	deadlocked:                       {trace.StateDeadlocked.String(), states, "black"},
	deadlockLoop:                     {"deadlock", deadlocks, "black"},
	latency:                          {"latency", pathPieces, "thread_state_runnable"},
	unknown:                          {critical.Unknown.Words(), pathPieces, "grey"},
	paused:                           {critical.Paused.Words(), pathPieces, "black"},
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

// styleOf is the style of an interval.
func styleOf(s *trace.Interval) style { return styleOfState(s.State(), s.Type) }

// styleOfState returns the style of a state. of is the type of the state's event.
func styleOfState(state trace.State, of trace.ModelType) style {
	switch state {
	case trace.StateDeadlocked:
		return deadlocked
	case trace.StateParked:
		return parked
	case trace.StateInIO:
		return inIO
	case trace.StateTimedWaiting:
		return timedWaiting
	}
	return style(of)
}
