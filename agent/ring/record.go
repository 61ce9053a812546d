package ring

import "encoding/binary"

// Record is what a producer has published, decoded.
type Record struct {
	Kind   Kind
	Flags  uint8
	Thread int64 // Java's id of the thread that acts; 0 for none
	Time   int64 // nanoseconds of the monotonic clock
	Object int64
	// Argument means what the Kind says.
	Argument int64
	// Payload is what follows the record, nil for most. It is valid until the record is consumed.
	Payload []byte
}

// ThreadInfo is the payload of a ThreadStart. Names are in Java's modified UTF-8.
type ThreadInfo struct {
	// JavaThread is the address of the JVM's own thread structure, StackLow and StackHigh bound its stack; 0 where they
	// are not known. Owners of monitors are given by them in JVMs that know owners by address.
	JavaThread, StackLow, StackHigh uint64
	Name, Group, Parent             []byte
}

// ClassInfo is the payload of a DefineClass. Names are in Java's modified UTF-8; the class's has slashes, such as
// java/lang/Object or [I; the source file's is empty where it is not known.
type ClassInfo struct{ Name, Source []byte }

// MethodInfo is the payload of a DefineMethod. Names are in Java's modified UTF-8.
type MethodInfo struct {
	Name, Signature []byte
	lines           []byte
}

// Frame is one frame of a stack: a method and how far it was, in bytes of its code; NoLocation in native methods.
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

// Lines calls yield for each entry of the method's line table: from the location on, the code is of the line.
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

// payload is read from its beginning. Where it is too short, what is missing is 0 or empty.
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

// text reads bytes with their number before them.
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
