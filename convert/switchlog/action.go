package switchlog

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/trace"
)

// action is an action of a thread.
type action struct {
	name      string
	kind      trace.Kind // Foreign if a trace has no element for it
	suspends  bool       // the acting thread stops running
	notifyAll bool
}

// actions are all actions.
var actions = []action{
	{name: "start", kind: trace.CallStart},
	{name: "interrupt", kind: trace.CallInterrupt},
	{name: "join", kind: trace.MonWait, suspends: true},
	{name: "sleep", kind: trace.MonWait, suspends: true},
	{name: "wait", kind: trace.MonWait, suspends: true},
	{name: "notify", kind: trace.CallNotify},
	{name: "notifyAll", kind: trace.CallNotify, notifyAll: true},
	{name: "yield"}, {name: "suspend"}, {name: "resume"}, {name: "stop"},
}

// actionOf returns the action of the name, in upper or lower case, or nil.
func actionOf(name []byte) *action {
	for i := range actions {
		if bytes.EqualFold(name, []byte(actions[i].name)) {
			return &actions[i]
		}
	}
	return nil
}

// actionNames returns the names of all actions.
func actionNames() string {
	var names []string
	for i := range actions {
		names = append(names, actions[i].name)
	}
	return strings.Join(names, ", ")
}
