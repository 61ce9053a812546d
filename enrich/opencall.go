package enrich

import (
	"encoding/binary"
	"iter"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Calls selects what records report of the open calls of their threads, if the trace has methodEntry and methodExit but
// no stack traces.
type Calls uint8

// Each choice costs more than the one before.
const (
	NoCalls     Calls = iota // nothing
	CallersOnly              // Caller and OtherCaller
	WholeStacks              // also Stack
)

// String names what is reported.
func (c Calls) String() string {
	return [...]string{NoCalls: "no calls", CallersOnly: "callers", WholeStacks: "whole stacks"}[c]
}

// openCalls has the open calls of all threads of a recording.
type openCalls struct {
	threads threadstate.Table[threadstate.Calls]
	kept    int                      // calls of all threads
	callers *[1 << callerBits]caller // a cache for openCaller; nil until it is used
}

// caller is a method that is the program's own.
type caller struct {
	key    threadstate.Key
	method *trace.ModelMethod
}

const callerBits = 12

// cached returns the place of the method in the cache.
func (o *openCalls) cached(k threadstate.Key) *caller {
	if o.callers == nil {
		o.callers = new([1 << callerBits]caller)
	}
	return &o.callers[uint64(k)*0x9E3779B97F4A7C15>>(64-callerBits)]
}

// redefine removes the method, whose definition has changed, from the cache.
func (o *openCalls) redefine(k threadstate.Key) {
	if o.callers != nil {
		*o.cached(k) = caller{}
	}
}

const (
	// maxCalls is how many open calls of all threads together are kept.
	maxCalls = 1 << 22
	// maxFrames limits the innermost open calls of a thread that are searched and make a stack trace.
	maxFrames = 1 << 10
	// unnamed is the Key of a method without an id. No text has it.
	unnamed threadstate.Key = 1
)

// threadKey returns the Key of a thread's id.
func threadKey(id trace.ThreadID) threadstate.Key {
	var text [20]byte
	return threadstate.KeyOf(id.AppendTo(text[:0]))
}

// methodKey returns the Key of the method that the event enters or leaves.
func methodKey(event *trace.Event) threadstate.Key {
	if k := threadstate.KeyOf(event.Value(trace.AttrMethodIDRef)); k != threadstate.None {
		return k
	}
	return unnamed
}

// forget drops the calls of the thread.
func (o *openCalls) forget(id trace.ThreadID) {
	const maxReused = 1 << 8 // calls
	k := threadKey(id)
	if calls := o.threads.Get(k); calls != nil {
		o.kept -= calls.Len()
		o.threads.Remove(k, calls.Cap() <= maxReused)
	}
}

// of returns the calls of the thread; nil if it has none, or its innermost calls are not kept.
func (o *openCalls) of(i *incarnation) *threadstate.Calls {
	var calls *threadstate.Calls
	if i.live != nil {
		calls = o.threads.Get(i.live.calls)
	} else {
		calls = o.threads.Get(threadKey(i.id))
	}
	if calls == nil || calls.Len() == 0 || !calls.Complete() {
		return nil
	}
	return calls
}

// methodEntry opens a call.
func (e *Enricher) methodEntry(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	id := threadstate.KeyOf(event.Value(trace.AttrThreadIDRef))
	if id == threadstate.None {
		return
	}
	open := &e.scope.calls
	calls := open.threads.Get(id)
	if calls == nil {
		calls = open.threads.Add(id)
		calls.Reset()
	}
	if calls.Push(threadstate.None, methodKey(event), open.kept < maxCalls) {
		open.kept++
	}
}

// methodExit closes the innermost call of the method, and the calls inside it: an exception ends several calls at once,
// and some agents post no methodExit for these.
func (e *Enricher) methodExit(event *trace.Event) {
	if e.follows == NoCalls {
		return
	}
	open := &e.scope.calls
	calls := open.threads.Get(threadstate.KeyOf(event.Value(trace.AttrThreadIDRef)))
	if calls == nil {
		return
	}
	if ended := calls.Pop(threadstate.None, methodKey(event)); ended > 0 {
		open.kept -= ended
	}
}

// whereabouts returns the call of the program in which the thread was last seen.
func (e *Enricher) whereabouts(i *incarnation) trace.Frame {
	if frame := e.openCaller(i); frame.Method != nil {
		return frame
	}
	return e.at(i)
}

// openCaller returns the thread's innermost open call of the program's own code; the zero Frame if it has none.
func (e *Enricher) openCaller(i *incarnation) trace.Frame {
	if e.follows == NoCalls {
		return trace.Frame{}
	}
	calls := e.scope.calls.of(i)
	if calls == nil {
		return trace.Frame{}
	}
	var inner *trace.ModelMethod // the innermost call that is no way to wait
	for k := range calls.Innermost(maxFrames) {
		cached := e.scope.calls.cached(k)
		if cached.key == k {
			return trace.Frame{Method: cached.method, Line: trace.NoLine, Inner: inner}
		}
		m := e.scope.methods[k]
		if m == nil {
			break
		}
		described, complete := m.describe(&e.methods)
		switch {
		case m.waits:
			continue
		case !m.foreign && (e.skips == nil || !e.skips(described)):
			if complete {
				*cached = caller{k, described}
			}
			return trace.Frame{Method: described, Line: trace.NoLine, Inner: inner}
		case inner == nil:
			inner = described
		}
	}
	if inner == nil {
		return trace.Frame{}
	}
	return trace.Frame{Method: inner, Line: trace.NoLine}
}

// openStack returns a stack trace of the open calls of the thread, or nil if they are unknown.
func (e *Enricher) openStack(i *incarnation) *trace.Stack {
	calls := e.scope.calls.of(i)
	if calls == nil {
		return nil
	}
	e.text = append(e.text[:0], 0) // no text of a stack trace has this byte
	for k := range calls.Innermost(maxFrames) {
		if k == unnamed {
			return nil
		}
		e.text = binary.LittleEndian.AppendUint64(e.text, uint64(k))
	}
	if stack, ok := e.scope.stacks.known[string(e.text)]; ok {
		return stack
	}
	return e.stack(e.text, framesOf(calls), len(e.text)/8)
}

// framesOf returns the methods of the innermost calls, with no lines.
func framesOf(calls *threadstate.Calls) iter.Seq2[threadstate.Key, int32] {
	return func(yield func(threadstate.Key, int32) bool) {
		for k := range calls.Innermost(maxFrames) {
			if !yield(k, trace.NoLine) {
				return
			}
		}
	}
}
