package critical

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// waitIn adds a wait, and the Running event after it, in a call stack of the methods.
func waitIn(r *Recorder, methods ...string) {
	stack := &trace.Stack{}
	for _, name := range methods {
		stack.Frames = append(stack.Frames, trace.Frame{Method: &trace.ModelMethod{Class: "app/Main", Name: name}, Line: 1})
	}
	s := trace.SegmentID(r.count()) + 1
	for i, typ := range []trace.ModelType{trace.WaitingForObject, trace.Running} {
		e := &trace.ModelEvent{Type: typ, Time: trace.Time(s), Segment: s + trace.SegmentID(i)}
		e.Thread.Key = 1
		if typ != trace.Running {
			e.Stack, e.Caller = stack, stack.Frames[0]
		}
		r.Put(e)
	}
}

// TestStacksAreKeptUpToALimit: equal stacks are one; a running thread has the stack in which it waited; beyond the
// limit only the caller is kept.
func TestStacksAreKeptUpToALimit(t *testing.T) {
	r := NewRecorder()
	r.KeepStacks()
	r.stacks.limit = 5
	r.Put(&trace.ModelThread{Key: 1})
	waitIn(r, "lock", "run")
	waitIn(r, "lock", "run")
	waitIn(r, "take", "loop", "run")
	waitIn(r, "put", "run")
	for s, want := range []int{2, 2, 2, 2, 3, 3, 1, 1} {
		if got := len(r.Frames(r.Stack(trace.SegmentID(s + 1)))); got != want {
			t.Errorf("segment %d has %d frames, want %d", s+1, got, want)
		}
	}
	if r.Stack(1) != r.Stack(3) || r.Stack(1) == r.Stack(5) || r.ShortenedStacks() != 1 {
		t.Errorf("stacks %d, %d and %d; %d shortened", r.Stack(1), r.Stack(3), r.Stack(5), r.ShortenedStacks())
	}
}
