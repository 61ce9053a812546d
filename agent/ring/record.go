package ring

import "encoding/binary"

// Record is a decoded ring buffer record.
type Record struct {
	Kind   Kind
	Flags  uint8
	Thread int64 // Java's id of the thread whose event it is, for a virtual thread the virtual thread id; 0 for none
	Time   int64 // nanoseconds of the monotonic clock
	Object int64
	// Argument depends on the Kind.
	Argument int64
	// Payload has the bytes that follow the record, nil for most. It is valid until Ring.Consume.
	Payload []byte
}

// ThreadInfo is the payload of a ThreadStart. Names are in Java's modified UTF-8.
type ThreadInfo struct {
	// JavaThread is the address of the JVM's structure of the thread, StackLow and StackHigh are the limits of its
	// stack; 0 if unknown. Some JVMs name the owner of a monitor by an address in one of them.
	JavaThread, StackLow, StackHigh uint64
	Name, Group, Parent             []byte
}

// ClassInfo is the payload of a DefineClass. Names are in Java's modified UTF-8. Name has slashes, such as
// java/lang/Object or [I. Source is empty if unknown.
type ClassInfo struct{ Name, Source []byte }

// MethodInfo is the payload of a DefineMethod. Names are in Java's modified UTF-8.
type MethodInfo struct {
	Name, Signature []byte
	lines           []byte
}

// ParkInfo is the beginning of the payload of a Park.
type ParkInfo struct {
	Owner int64 // Java's id of the thread that owns the blocker; 0 for none or unknown
	Lock  int64 // of a ConditionObject, the object id of its lock; 0 for none
}

// CollectionInfo is the payload of a GCFinish.
type CollectionInfo struct {
	// Number is the number of the pause's collection, from 1; 0 if unknown.
	Number int64
	// Full is the number of the full collection that the pause is part of, 0 for none, negative if unknown.
	Full int64
}

// CallsInfo is the payload of a CallTree: the number of calls, and times in nanoseconds. Least is negative if no call
// ended.
type CallsInfo struct{ Calls, Base, Cumulative, Least, Most int64 }

// Calls decodes the payload of a CallTree.
func (r *Record) Calls() CallsInfo {
	p := payload(r.Payload)
	return CallsInfo{int64(p.uint64()), int64(p.uint64()), int64(p.uint64()), int64(p.uint64()), int64(p.uint64())}
}

// Took decodes the payload of a LeftOut: the nanoseconds that a call took.
func (r *Record) Took() int64 {
	p := payload(r.Payload)
	return int64(p.uint64())
}

// Collection decodes the payload of a GCFinish.
func (r *Record) Collection() CollectionInfo {
	if len(r.Payload) == 0 {
		return CollectionInfo{Full: -1}
	}
	p := payload(r.Payload)
	return CollectionInfo{Number: int64(p.uint64()), Full: int64(p.uint64())}
}

// CutClass decodes the class's id at the beginning of an Allocated's payload and cuts it off, which leaves the stack.
func (r *Record) CutClass() int64 {
	p := payload(r.Payload)
	class := int64(p.uint64())
	r.Payload = p
	return class
}

// Frame is a frame of a stack trace: a method and the offset in its bytecode, which is NoLocation in Native methods.
type Frame struct {
	Method   int64
	Location uint16
}

// ThreadInfo decodes the payload of a ThreadStart.
func (r *Record) ThreadInfo() ThreadInfo {
	p := payload(r.Payload)
	return ThreadInfo{p.uint64(), p.uint64(), p.uint64(), p.text(), p.text(), p.text()}
}

// ClassInfo decodes the payload of a DefineClass.
func (r *Record) ClassInfo() ClassInfo {
	p := payload(r.Payload)
	return ClassInfo{p.text(), p.text()}
}

// MethodInfo decodes the payload of a DefineMethod.
func (r *Record) MethodInfo() MethodInfo {
	p := payload(r.Payload)
	return MethodInfo{p.text(), p.text(), p}
}

// CutParkInfo decodes the beginning of a Park's payload and cuts it off, which leaves the stack.
func (r *Record) CutParkInfo() ParkInfo {
	p := payload(r.Payload)
	info := ParkInfo{int64(p.uint64()), int64(p.uint64())}
	r.Payload = p
	return info
}

// CutWaiters decodes the ids of threads at the beginning of the payload of a CallNotify with Seen, appends them to
// waiters and cuts them off, which leaves the stack.
func (r *Record) CutWaiters(waiters []int64) []int64 {
	p := payload(r.Payload)
	for n := p.uint64(); n > 0 && len(p) >= 8; n-- {
		waiters = append(waiters, int64(p.uint64()))
	}
	r.Payload = p
	return waiters
}

// Lines iterates over the method's line table: each line with the location at which its code begins.
func (m *MethodInfo) Lines(yield func(location, line uint32) bool) {
	for p := payload(m.lines); len(p) >= 8; {
		if !yield(p.uint32(), p.uint32()) {
			return
		}
	}
}

// Frames appends the frames of the record's stack, innermost first.
func (r *Record) Frames(frames []Frame) []Frame {
	for p := payload(r.Payload); len(p) >= 8; {
		frame := p.uint64()
		frames = append(frames, Frame{int64(frame >> 16), uint16(frame)})
	}
	return frames
}

// payload is read from its beginning. Values beyond its end are 0 or empty.
type payload []byte

func (p *payload) uint32() uint32 {
	if len(*p) < 4 {
		*p = nil
		return 0
	}
	value := binary.LittleEndian.Uint32(*p)
	*p = (*p)[4:]
	return value
}

func (p *payload) uint64() uint64 {
	if len(*p) < 8 {
		*p = nil
		return 0
	}
	value := binary.LittleEndian.Uint64(*p)
	*p = (*p)[8:]
	return value
}

// text reads a text, which is preceded by its length.
func (p *payload) text() []byte {
	n := p.uint32()
	if uint64(n) > uint64(len(*p)) {
		*p = nil
		return nil
	}
	text := (*p)[:n:n]
	*p = (*p)[n:]
	return text
}
