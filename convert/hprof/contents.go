package hprof

import (
	"bytes"
	"hash/maphash"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// container describes a class that is a container, with the offsets of its fields in an instance, plus 1; 0 for missing
// fields.
type container struct {
	described         *builder.Container // nil if the class is not a container
	elements, storage uint32
	elementsKind      byte
	shared            bool // strings share arrays, as up to JDK 6: the array is not the string
}

// field notes the field of a container at the offset.
func (c *container) field(name string, kind byte, at int) {
	switch {
	case c.described == nil:
	case name == c.described.Elements:
		c.elements, c.elementsKind = uint32(at)+1, kind
	case name == c.described.Storage && kind == kindObject:
		c.storage = uint32(at) + 1
	case name == "offset" && c.described.Class == builder.StringContainer:
		c.shared = true
	}
}

// below returns the container of a subclass, whose instances have these fields after own bytes of its own.
func (c container) below(own int) container {
	if c.elements > 0 {
		c.elements += uint32(own)
	}
	if c.storage > 0 {
		c.storage += uint32(own)
	}
	return c
}

// held passes on the content of a container.
func (b *binaryReader) held(c *class, values []byte) {
	k := &c.container
	if b.details == nil || b.err != nil || k.described == nil || k.storage == 0 || k.shared {
		return
	}
	h := builder.Held{Class: c.number, Size: b.instanceSize(c), Container: k.described,
		Storage: b.id(values[k.storage-1:])}
	switch {
	case k.elements == 0: // String of JDK 8, which has no coder
	case k.elementsKind == kindInt:
		h.Elements = int32(u4(values[k.elements-1:]))
	case k.elementsKind == kindByte:
		h.Elements = int32(values[k.elements-1])
	}
	b.err = b.details.Container(h)
}

// elements reads the elements of an array, of size bytes in all. It emits references, and passes on the content.
func (b *binaryReader) elements(a builder.Array, size int64, kind byte) bool {
	element := b.sizeOf(kind)
	b.hash.Reset()
	b.head = b.head[:0]
	for left := size; left > 0 && b.err == nil; {
		if !b.have(element) {
			b.truncatedInside("a heap dump")
			return false
		}
		values := b.window()
		values = values[:min(int64(len(values)/element*element), left)]
		if b.details != nil {
			b.hash.Write(values)
			a.Filled += filled(values, element)
			b.head = append(b.head, values[:min(len(values), builder.MaxHead-len(b.head))]...)
		}
		if kind == kindObject {
			b.emitElements(a.ID, values)
		}
		b.consume(len(values))
		left -= int64(len(values))
	}
	if a.Hash, a.Head = b.hash.Sum64(), b.head; b.details != nil && b.err == nil {
		b.err = b.details.Array(a)
	}
	return true
}

// filled counts the elements other than 0.
func filled(values []byte, size int) (n uint32) {
	if size == 1 {
		return uint32(len(values) - bytes.Count(values, []byte{0}))
	}
	var zero [8]byte
	for ; len(values) >= size; values = values[size:] {
		if !bytes.Equal(values[:size], zero[:size]) {
			n++
		}
	}
	return n
}

// contentReader has the state of reading contents.
type contentReader struct {
	details builder.Contents // nil if they are not asked for
	hash    maphash.Hash
	head    []byte
}

// calls has the call stacks of the threads of heap dumps, whose frames are roots. They are kept only for builder.Heap.
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

// callOf returns the call that has a root, in words; "" if it is unknown or the root is not a local variable.
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
