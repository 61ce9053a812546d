package enrich

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// Calls says what events tell of the calls that their threads were in, where the trace has methodEntry and methodExit but no call stacks.
type Calls uint8

// What there is to choose from; each costs more than the one before.
const (
	NoCalls     Calls = iota // nothing
	CallersOnly              // Caller and OtherCaller
	WholeStacks              // also Stack
)

// FollowCalls says what is told of open calls, from here on. Without it nothing is.
func (e *Enricher) FollowCalls(calls Calls) { e.follows = calls }

// openCalls are the calls that a thread has entered and not left.
type openCalls struct {
	methods []trace.ID // outermost first
	beyond  int        // calls inside these that are not kept
}

const (
	mostOpenCalls = 1 << 16 // of a thread that are kept
	mostFrames    = 1 << 10 // of them, the innermost, that are looked at and make a stack
)

// innermost are the calls that are looked at, outermost first.
func (c *openCalls) innermost() []trace.ID {
	return c.methods[max(0, len(c.methods)-mostFrames):]
}

// methodEntry opens a call.
func (e *Enricher) methodEntry(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	id := event.Thread()
	if !id.Known() {
		return
	}
	calls := e.scope.calls.get(id.ID)
	if calls == nil {
		calls = &openCalls{}
		e.scope.calls.set(id.ID, calls)
	}
	if len(calls.methods) >= mostOpenCalls || calls.beyond > 0 {
		calls.beyond++
		return
	}
	calls.methods = append(calls.methods, event.ID(trace.AttrMethodIDRef))
}

// methodExit closes the innermost call of the method, and those inside it, which an exception may have ended without a word.
func (e *Enricher) methodExit(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	calls := e.scope.calls.get(event.Thread().ID)
	switch {
	case calls == nil:
		return
	case calls.beyond > 0:
		calls.beyond--
		return
	}
	method, innermost := event.ID(trace.AttrMethodIDRef), calls.innermost()
	for i, open := range slices.Backward(innermost) {
		if open == method {
			calls.methods = calls.methods[:len(calls.methods)-len(innermost)+i]
			return
		}
	}
}

// whereabouts is the call of the program in which the thread was last seen.
func (e *Enricher) whereabouts(t *thread) trace.Frame {
	if frame := e.openCaller(t.ref.ID); frame.Method != nil {
		return frame
	}
	return t.at
}

// openCaller is the innermost open call of the thread that the program itself has made, or none.
func (e *Enricher) openCaller(id trace.ThreadID) trace.Frame {
	if e.follows == NoCalls {
		return trace.Frame{}
	}
	calls := e.scope.calls.get(id.ID)
	if calls == nil {
		return trace.Frame{}
	}
	for _, method := range slices.Backward(calls.innermost()) {
		m := e.scope.methods.get(method)
		if m == nil {
			break
		}
		if described, _ := m.describe(&e.methods); !trace.IsWayToWait(described.Class) {
			return trace.Frame{Method: described, Line: trace.NoLine}
		}
	}
	return trace.Frame{}
}

// openStack makes a call stack of the open calls of the thread, or nil.
func (e *Enricher) openStack(id trace.ThreadID) *trace.Stack {
	calls := e.scope.calls.get(id.ID)
	if calls == nil || len(calls.methods) == 0 {
		return nil
	}
	e.text = e.text[:0]
	for _, method := range slices.Backward(calls.innermost()) {
		if len(e.text) > 0 {
			e.text = append(e.text, ' ')
		}
		e.text = method.AppendTo(e.text)
	}
	return e.stackFrom(e.text)
}
