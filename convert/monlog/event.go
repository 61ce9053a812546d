package monlog

import (
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
var doing = [...]string{running: "runs", waiting: "waits on", joining: "joins", sleeping: "sleeps", blocked: "is blocked on"}

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
	// call is what the log says of a monWait that the element alone does not.
	call string
}

// eventKinds are all that are known.
var eventKinds = []eventKind{
	{name: "ObjectWait", fields: "thread, object", kind: trace.MonWait, operands: 2, begins: waiting},
	{name: "ObjectWaited", fields: "thread, object", kind: trace.MonWaited, operands: 2, ends: waiting},
	{name: "ObjectNotify", fields: "thread, object", kind: trace.CallNotify, operands: 2},
	{name: "ObjectNotifyAll", fields: "thread, object", kind: trace.CallNotify, operands: 2, all: true},
	{name: "ThreadStart", fields: "thread, started thread", kind: trace.CallStart, operands: 2},
	{name: "ThreadJoin", fields: "thread, joined thread", kind: trace.MonWait, operands: 2, begins: joining, call: trace.CallJoin},
	{name: "ThreadJoined", fields: "thread, joined thread", kind: trace.MonWaited, operands: 2, ends: joining, call: trace.CallJoin},
	{name: "ThreadSleep", fields: "thread", kind: trace.MonWait, operands: 1, begins: sleeping},
	{name: "ThreadSlept", fields: "thread", kind: trace.MonWaited, operands: 1, ends: sleeping},
	{name: "MonitorContendedEnter", fields: "thread, monitor, owner", kind: trace.MonContendedEnter, operands: 3, begins: blocked},
	{name: "MonitorContendedEntered", fields: "thread, monitor", kind: trace.MonContendedEntered, operands: 2, ends: blocked},
	{name: "ThreadStarted", fields: "thread, name", kind: trace.ThreadStart, operands: 1, named: true, bare: true},
	{name: "ThreadEnded", fields: "thread", kind: trace.ThreadEnd, operands: 1, bare: true},
}

const places = 32

// byName finds the kinds of events by their names; see place. A test sees to it that each has a place of its own.
var byName = func() (kinds [places]*eventKind) {
	for i := range eventKinds {
		kinds[place([]byte(eventKinds[i].name))] = &eventKinds[i]
	}
	return kinds
}()

// place is where in byName a kind stands whose name is the text, of ten bytes or more.
func place(name []byte) int { return (3*len(name) + int(name[7]) + int(name[9])) % places }

// kindOf is the kind of events of the name, or nil.
func kindOf(name []byte) *eventKind {
	if len(name) < 10 {
		return nil
	}
	if found := byName[place(name)]; found != nil && found.name == string(name) {
		return found
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
