package monlog

import (
	"github.com/trcx/trcx/convert/builder"
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
	call *builder.Annotations
}

// isJoin and isWait annotate the methods by which a thread waits.
var isJoin, isWait = callOf(trace.CallJoin), callOf(trace.CallWait)

func callOf(method string) *builder.Annotations {
	inside := &builder.Annotations{}
	inside.Add(trace.NoteCall, method)
	return inside
}

// eventKinds are all kinds of events.
var eventKinds = []eventKind{
	{name: "ObjectWait", fields: "thread, object", element: trace.MonWait, operands: 2, begins: waiting, call: isWait},
	{name: "ObjectWaited", fields: "thread, object", element: trace.MonWaited, operands: 2, ends: waiting,
		call: isWait},
	{name: "ObjectNotify", fields: "thread, object", element: trace.CallNotify, operands: 2},
	{name: "ObjectNotifyAll", fields: "thread, object", element: trace.CallNotify, operands: 2, notifyAll: true},
	{name: "ThreadStart", fields: "thread, started thread", element: trace.CallStart, operands: 2},
	{name: "ThreadJoin", fields: "thread, joined thread", element: trace.MonWait, operands: 2, begins: joining,
		call: isJoin},
	{name: "ThreadJoined", fields: "thread, joined thread", element: trace.MonWaited, operands: 2, ends: joining,
		call: isJoin},
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

// shortestName is the length of the shortest name of an event.
const shortestName = len("ObjectWait")

// buckets is the size of byName.
const buckets = 32

// byName has the kinds of events by bucket. A test checks that a bucket has at most two, one whose name is a prefix of
// the other's.
var byName = func() (kinds [buckets][2]*eventKind) {
	for i := range eventKinds {
		at := &kinds[bucket([]byte(eventKinds[i].name))]
		at[1], at[0] = at[0], &eventKinds[i]
	}
	return kinds
}()

// bucket returns the bucket of a name of at least the shortest length; the text may continue after it.
func bucket(text []byte) int { return (int(text[7]) + 17*int(text[9])) % buckets }

// kindAt returns the kind of events whose name and a comma begin the text, or nil.
func kindAt(text []byte) *eventKind {
	if len(text) <= shortestName {
		return nil
	}
	for _, kind := range byName[bucket(text)] {
		if kind != nil && len(text) > len(kind.name) && text[len(kind.name)] == ',' &&
			string(text[:len(kind.name)]) == kind.name {
			return kind
		}
	}
	return nil
}

// kindOf returns the kind of events of the name, or nil.
func kindOf(name []byte) *eventKind {
	if len(name) < shortestName {
		return nil
	}
	for _, kind := range byName[bucket(name)] {
		if kind != nil && kind.name == string(name) {
			return kind
		}
	}
	return nil
}

// ending returns the kind of events that ends the state.
func ending(s state) *eventKind {
	for i := range eventKinds {
		if eventKinds[i].ends == s && s != running {
			return &eventKinds[i]
		}
	}
	return nil
}

// beginning returns the kind of events that begins the state.
func beginning(s state) *eventKind {
	for i := range eventKinds {
		if eventKinds[i].begins == s && s != running {
			return &eventKinds[i]
		}
	}
	return nil
}
