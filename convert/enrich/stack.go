package enrich

import (
	"bytes"

	"github.com/trcx/trcx/trace"
)

// stacks has the call stacks that came before by their texts, for a program waits at few places and comes back to them.
type stacks struct {
	known map[string]*trace.Stack // nil where the stack says nothing
	size  int                     // bytes that they take
	vague bool                    // a method or class that they name is not defined yet
}

const (
	// mostStack is how many bytes the names of one stack may have: as many as the value of an attribute.
	mostStack = 1 << 20
	// mostStacks is how many bytes are kept of stacks that came before.
	mostStacks = 16 << 20
	// frameSize is what a frame takes besides its names.
	frameSize = 64
)

// forget drops what is kept because a definition that it rests on has changed.
func (s *stacks) forget() { *s = stacks{} }

// learn drops what is kept if a new definition can complete it.
func (s *stacks) learn() {
	if s.vague {
		s.forget()
	}
}

// keep keeps a stack that takes so many bytes.
func (s *stacks) keep(text []byte, stack *trace.Stack, size int, complete bool) {
	size = 2*(size+frameSize) + len(text) // sinks keep their own form of it
	if s.size += size; s.size > mostStacks || s.known == nil {
		*s = stacks{known: map[string]*trace.Stack{}, size: size}
	}
	s.known[string(text)] = stack
	s.vague = s.vague || !complete
}

// locate gives the call stack of the element at hand to the event that the element has brought about: the first one, except that the timeout of a
// wait may stand before the end of the wait.
func (e *Enricher) locate(event *trace.Event) {
	for i := range e.pending {
		if e.pending[i].Type != trace.WaitTimeoutExceed {
			e.pending[i].Stack = e.scope.stackOf(event)
			return
		}
	}
}

// stackOf is the call stack of the element, or nil.
func (s *scope) stackOf(event *trace.Event) *trace.Stack {
	for _, text := range event.Extra.Stacks {
		if stack, ok := s.stacks.known[string(text)]; ok {
			return stack
		}
		if trace.IsStack(text) {
			return s.stack(text)
		}
	}
	return nil
}

// stack makes a call stack of its text, or nil if the trace has defined none of its methods.
func (s *scope) stack(text []byte) *trace.Stack {
	stack := &trace.Stack{Frames: make([]trace.Frame, 0, min(bytes.Count(text, []byte{' '})+1, mostStack/frameSize))}
	size, known, complete := 0, false, true
	for id, line := range trace.Frames(text) {
		if stack.Omitted > 0 {
			stack.Omitted++
			continue
		}
		m := s.methods.get(trace.IDFrom(id))
		described, whole := m.describe()
		size += frameSize + len(described.Class) + len(described.Name) + len(described.File)
		if size > mostStack && len(stack.Frames) > 0 {
			stack.Omitted++
			continue
		}
		known, complete = known || m != nil, complete && whole
		stack.Frames = append(stack.Frames, trace.Frame{Method: described, Line: line})
	}
	if !known {
		stack, size = nil, 0
	}
	s.stacks.keep(text, stack, size, complete)
	return stack
}
