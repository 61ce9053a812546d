package monlog

import (
	"bytes"
	"slices"

	"github.com/trcx/trcx/trace"
)

// state is the state of a thread.
type state uint8

const (
	running state = iota
	waiting
	joining
	sleeping
	blocked
)

// stateVerbs describe the states, for people.
var stateVerbs = [...]string{running: "runs", waiting: "waits on", joining: "joins", sleeping: "sleeps",
	blocked: "is blocked on"}

// eventKind is a kind of events.
type eventKind struct {
	name    string
	fields  string // fields after the time, for messages
	element trace.Kind
	// operands is the number of hash codes after the name.
	operands int
	// begins and ends are the states that the event begins or ends; running if none.
	begins, ends state
	// hasName is set if a thread's name is the rest of the line.
	hasName bool
	// noStack is set if no stack trace follows.
	noStack   bool
	notifyAll bool
	// call is the annotation that lets a trace become the same log again: always for a join; for a wait on a thread's
	// object, which alone would mean a join.
	call string
}

// eventKinds are all kinds of events.
var eventKinds = []eventKind{
	{name: "ObjectWait", fields: "thread, object", element: trace.MonWait, operands: 2, begins: waiting, call: trace.CallWait},
	{name: "ObjectWaited", fields: "thread, object", element: trace.MonWaited, operands: 2, ends: waiting,
		call: trace.CallWait},
	{name: "ObjectNotify", fields: "thread, object", element: trace.CallNotify, operands: 2},
	{name: "ObjectNotifyAll", fields: "thread, object", element: trace.CallNotify, operands: 2, notifyAll: true},
	{name: "ThreadStart", fields: "thread, started thread", element: trace.CallStart, operands: 2},
	{name: "ThreadJoin", fields: "thread, joined thread", element: trace.MonWait, operands: 2, begins: joining,
		call: trace.CallJoin},
	{name: "ThreadJoined", fields: "thread, joined thread", element: trace.MonWaited, operands: 2, ends: joining,
		call: trace.CallJoin},
	{name: "ThreadSleep", fields: "thread", element: trace.MonWait, operands: 1, begins: sleeping},
	{name: "ThreadSlept", fields: "thread", element: trace.MonWaited, operands: 1, ends: sleeping},
	{name: "MonitorContendedEnter", fields: "thread, monitor, owner", element: trace.MonContendedEnter, operands: 3,
		begins: blocked},
	{name: "MonitorContendedEntered", fields: "thread, monitor", element: trace.MonContendedEntered, operands: 2,
		ends: blocked},
	{name: "ThreadStarted", fields: "thread, name", element: trace.ThreadStart, operands: 1, hasName: true,
		noStack: true},
	{name: "ThreadEnded", fields: "thread", element: trace.ThreadEnd, operands: 1, noStack: true},
}

// byName has the kinds of events.
var byName = func() map[string]*eventKind {
	kinds := map[string]*eventKind{}
	for i := range eventKinds {
		kinds[eventKinds[i].name] = &eventKinds[i]
	}
	return kinds
}()

// kindOf returns the kind of events of the name, or nil. Blanks may surround the name.
func kindOf(name []byte) *eventKind { return byName[string(bytes.TrimSpace(name))] }

// ending returns the kind of events that ends a state other than running.
func ending(s state) *eventKind {
	return &eventKinds[slices.IndexFunc(eventKinds, func(e eventKind) bool { return e.ends == s })]
}

// beginning returns the kind of events that begins a state other than running.
func beginning(s state) *eventKind {
	return &eventKinds[slices.IndexFunc(eventKinds, func(e eventKind) bool { return e.begins == s })]
}
