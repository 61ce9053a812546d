package switchlog

import (
	"bytes"
	"strings"

	"github.com/trcx/trcx/trace"
)

// action is what a thread does.
type action struct {
	name string
	kind trace.Kind // Foreign where a trace has no element for it
	// stops says that the acting thread stops running.
	stops bool
	// wakes says that the affected thread may run again because of it.
	wakes bool
	all   bool // it notifies all
}

// actions are all that there are.
var actions = []action{
	{name: "start", kind: trace.CallStart},
	{name: "interrupt", kind: trace.CallInterrupt, wakes: true},
	{name: "join", kind: trace.MonWait, stops: true},
	{name: "sleep", kind: trace.MonWait, stops: true},
	{name: "wait", kind: trace.MonWait, stops: true},
	{name: "notify", kind: trace.CallNotify, wakes: true},
	{name: "notifyAll", kind: trace.CallNotify, wakes: true, all: true},
	{name: "yield"}, {name: "suspend"}, {name: "resume"}, {name: "stop"},
}

// actionOf is the action of the name, in upper or lower case, or nil.
func actionOf(name []byte) *action {
	for i := range actions {
		if bytes.EqualFold(name, []byte(actions[i].name)) {
			return &actions[i]
		}
	}
	return nil
}

// actionNames lists the actions.
func actionNames() string {
	var names []string
	for i := range actions {
		names = append(names, actions[i].name)
	}
	return strings.Join(names, ", ")
}
