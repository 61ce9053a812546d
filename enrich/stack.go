package enrich

import (
	"bytes"
	"iter"

	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// stacks caches call stacks by their texts: a program waits at few places, again and again.
type stacks struct {
	known      map[string]*trace.Stack // nil where no method of the stack is defined
	size       int                     // of the cache, in bytes
	incomplete bool                    // a method or class that they name is not defined yet
}

const (
	// maxStack limits the names of one stack, in bytes, as long as an attribute's value can be.
	maxStack = 1 << 20
	// maxStacks limits the size of the cache, in bytes.
	maxStacks = 16 << 20
	// frameSize is the size of a frame without its names.
	frameSize = 64
)

// reset empties the cache, after a definition has changed.
func (s *stacks) reset() { *s = stacks{} }

// resetIncomplete empties the cache if a new definition can complete a stack.
func (s *stacks) resetIncomplete() {
	if s.incomplete {
		s.reset()
	}
}

// keep adds a stack of a size in bytes.
func (s *stacks) keep(text []byte, stack *trace.Stack, size int, complete bool) {
	size = 2*(size+frameSize) + len(text) // because sinks keep their own form of it
	if s.size += size; s.size > maxStacks || s.known == nil {
		*s = stacks{known: map[string]*trace.Stack{}, size: size}
	}
	s.known[string(text)] = stack
	s.incomplete = s.incomplete || !complete
}

// setStack sets the call stack of the current element in the first event that it has appended, but not in the timeout
// that precedes the end of a wait.
func (e *Enricher) setStack(event *trace.Event) {
	for _, p := range e.pending {
		if p.Type != trace.WaitTimeoutExceed {
			e.setCaller(p, event)
			return
		}
	}
}

// setCaller sets the call stack of the event, and the caller.
func (e *Enricher) setCaller(event *pendingEvent, element *trace.Event) {
	if element.Extra != nil {
		event.Stack = e.stackOf(element)
	}
	waits := !event.Type.IsBusy() // a thread that runs again is where it waited
	if event.Stack == nil && e.follows == WholeStacks && waits {
		event.Stack = e.openStack(event.thread)
	}
	switch {
	case event.Stack != nil:
		event.Caller = event.Stack.Caller()
		e.seeSelf(event)
	case e.follows == CallersOnly && waits:
		event.Caller = e.openCaller(event.thread)
	}
}

// stackOf returns the call stack of the element, or nil.
func (e *Enricher) stackOf(event *trace.Event) *trace.Stack {
	for _, text := range event.Extra.Stacks {
		if stack, ok := e.stackText(text); ok {
			return stack
		}
	}
	return nil
}

// stackText returns the call stack of a text, nil if none of its methods is defined; ok is false if it is malformed.
func (e *Enricher) stackText(text []byte) (stack *trace.Stack, ok bool) {
	if stack, ok := e.scope.stacks.known[string(text)]; ok {
		return stack, true
	}
	if !trace.IsStack(text) {
		return nil, false
	}
	return e.stack(text, framesIn(text), bytes.Count(text, []byte{' '})+1), true
}

// framesIn returns the methods and lines of a text that trace.IsStack.
func framesIn(text []byte) iter.Seq2[threadstate.Key, int32] {
	return func(yield func(threadstate.Key, int32) bool) {
		for id, line := range trace.Frames(text) {
			if !yield(threadstate.KeyOf(id), line) {
				return
			}
		}
	}
}

// stack returns a stack of the given number of frames, cached by the key; nil if none of its methods is defined.
func (e *Enricher) stack(key []byte, frames iter.Seq2[threadstate.Key, int32], count int) *trace.Stack {
	stack := &trace.Stack{Frames: make([]trace.Frame, 0, min(count, maxStack/frameSize))}
	size, known, complete := 0, false, true
	for id, line := range frames {
		if stack.Omitted > 0 {
			stack.Omitted++
			continue
		}
		m := e.scope.methods[id]
		described, whole := m.describe(&e.methods)
		size += frameSize + len(described.Class) + len(described.Name) + len(described.File)
		if size > maxStack && len(stack.Frames) > 0 {
			stack.Omitted++
			continue
		}
		known, complete = known || m != nil, complete && whole
		stack.Frames = append(stack.Frames, trace.Frame{Method: described, Line: line})
	}
	stack.Site, stack.Inner, stack.Library = siteOf(stack.Frames, e.skips)
	stack.Outer = e.outers.of(stack.Frames, stack.Site, e.skips)
	stack.Idle = idleIn(stack.Frames)
	if !known {
		stack, size = nil, 0
	}
	e.scope.stacks.keep(key, stack, size, complete)
	return stack
}
