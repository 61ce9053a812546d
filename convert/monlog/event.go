package monlog

import (
	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// state is what a thread does.
type state uint8

const (
	running state = iota
	waiting
	joining
	sleeping
	blocked
)

// doing says what a thread in the state does.
var doing = [...]string{running: "runs", waiting: "waits on", joining: "joins", sleeping: "sleeps",
	blocked: "is blocked on"}

// eventKind is a kind of events.
type eventKind struct {
	name   string
	fields string // behind the time, as a message names them
	kind   trace.Kind
	// operands are how many hash codes follow the name.
	operands int
	// begins and ends are the states that it begins or ends; running if it does not.
	begins, ends state
	// named says that a thread's name is the rest of the line.
	named bool
	// bare says that no call stack follows.
	bare bool
	// all says that it notifies all.
	all bool
	// call is what a monWait has inside for the log to say: that of a join always, that of a wait where the element
	// alone would be one of a join.
	call *builder.Annotations
}

// The methods by which a thread waits.
var isJoin, isWait = callOf(trace.CallJoin), callOf(trace.CallWait)

func callOf(method string) *builder.Annotations {
	inside := &builder.Annotations{}
	inside.Add(trace.CallAnnotation, method)
	return inside
}

// eventKinds are all that are known.
var eventKinds = []eventKind{
	{name: "ObjectWait", fields: "thread, object", kind: trace.MonWait, operands: 2, begins: waiting, call: isWait},
	{name: "ObjectWaited", fields: "thread, object", kind: trace.MonWaited, operands: 2, ends: waiting, call: isWait},
	{name: "ObjectNotify", fields: "thread, object", kind: trace.CallNotify, operands: 2},
	{name: "ObjectNotifyAll", fields: "thread, object", kind: trace.CallNotify, operands: 2, all: true},
	{name: "ThreadStart", fields: "thread, started thread", kind: trace.CallStart, operands: 2},
	{name: "ThreadJoin", fields: "thread, joined thread", kind: trace.MonWait, operands: 2, begins: joining,
		call: isJoin},
	{name: "ThreadJoined", fields: "thread, joined thread", kind: trace.MonWaited, operands: 2, ends: joining,
		call: isJoin},
	{name: "ThreadSleep", fields: "thread", kind: trace.MonWait, operands: 1, begins: sleeping},
	{name: "ThreadSlept", fields: "thread", kind: trace.MonWaited, operands: 1, ends: sleeping},
	{name: "MonitorContendedEnter", fields: "thread, monitor, owner", kind: trace.MonContendedEnter, operands: 3,
		begins: blocked},
	{name: "MonitorContendedEntered", fields: "thread, monitor", kind: trace.MonContendedEntered, operands: 2,
		ends: blocked},
	{name: "ThreadStarted", fields: "thread, name", kind: trace.ThreadStart, operands: 1, named: true, bare: true},
	{name: "ThreadEnded", fields: "thread", kind: trace.ThreadEnd, operands: 1, bare: true},
}

// shortestName is the length of the shortest name of an event.
const shortestName = len("ObjectWait")

// places is how many there are in byName.
const places = 32

// byName finds the kinds of events by their names; see place. A test sees to it that in no place are more than two, of
// which one is named like the other with something behind it.
var byName = func() (kinds [places][2]*eventKind) {
	for i := range eventKinds {
		at := &kinds[place([]byte(eventKinds[i].name))]
		at[1], at[0] = at[0], &eventKinds[i]
	}
	return kinds
}()

// place is where in byName the kinds stand whose names begin like the text, which has the length of the shortest at
// least.
func place(text []byte) int { return (int(text[7]) + 17*int(text[9])) % places }

// kindAt is the kind of events whose name and a comma the text begins with, or nil.
func kindAt(text []byte) *eventKind {
	if len(text) <= shortestName {
		return nil
	}
	for _, kind := range byName[place(text)] {
		if kind != nil && len(text) > len(kind.name) && text[len(kind.name)] == ',' &&
			string(text[:len(kind.name)]) == kind.name {
			return kind
		}
	}
	return nil
}

// kindOf is the kind of events of the name, or nil.
func kindOf(name []byte) *eventKind {
	if len(name) < shortestName {
		return nil
	}
	for _, kind := range byName[place(name)] {
		if kind != nil && kind.name == string(name) {
			return kind
		}
	}
	return nil
}

// ending is the kind of events that ends the state.
func ending(s state) *eventKind {
	for i := range eventKinds {
		if eventKinds[i].ends == s && s != running {
			return &eventKinds[i]
		}
	}
	return nil
}

// beginning is the kind of events that begins the state.
func beginning(s state) *eventKind {
	for i := range eventKinds {
		if eventKinds[i].begins == s && s != running {
			return &eventKinds[i]
		}
	}
	return nil
}
