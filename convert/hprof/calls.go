package hprof

import (
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// calls are the call stacks of the threads of heap dumps, whose frames are roots. They are kept for builder.Heap only.
type calls struct {
	stacks  map[uint32][]frame // by the serial number of the stack trace
	threads map[uint32]uint32  // the stack traces of threads, by serial numbers
}

// keepCalls keeps the frames of a stack trace, innermost first.
func (b *binaryReader) keepCalls(serial uint32, frames []frame) {
	if len(frames) == 0 || !b.reserve("stacks", traceCost+frameCost*len(frames)) {
		return
	}
	b.calls.stacks[serial] = frames
}

// keepStack keeps the stack trace of a thread.
func (b *binaryReader) keepStack(thread, stack uint32) {
	if _, known := b.calls.stacks[stack]; known {
		b.calls.threads[thread] = stack
	}
}

// callOf returns the call that has a root, in words; "" if it is unknown, or the root is no local variable.
func (b *binaryReader) callOf(tag byte, head []byte) string {
	if tag != tagRootJNILocal && tag != tagRootJavaFrame {
		return ""
	}
	stack, known := b.calls.threads[u4(head[1+b.ids:])]
	if !known {
		return ""
	}
	frames, place := b.calls.stacks[stack], u4(head[5+b.ids:])
	if uint64(place) >= uint64(len(frames)) {
		return ""
	}
	f := &frames[place]
	method := trace.ModelMethod{Class: b.nameOf(f.class), Name: javaname.TraceMethod(b.names[f.name])}
	return phrase.Call(method.Title(), b.names[f.source], int(f.line))
}
