package switchlog

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/trace"
)

// action is an action of a thread.
type action struct {
	name string
	kind trace.Kind // Foreign if a trace has no element for it
	// suspends is set if the acting thread stops running.
	suspends bool
	// wakes is set if the affected thread may run again.
	wakes     bool
	notifyAll bool
}

// actions are all actions.
var actions = []action{
	{name: "start", kind: trace.CallStart},
	{name: "interrupt", kind: trace.CallInterrupt, wakes: true},
	{name: "join", kind: trace.MonWait, suspends: true},
	{name: "sleep", kind: trace.MonWait, suspends: true},
	{name: "wait", kind: trace.MonWait, suspends: true},
	{name: "notify", kind: trace.CallNotify, wakes: true},
	{name: "notifyAll", kind: trace.CallNotify, wakes: true, notifyAll: true},
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
