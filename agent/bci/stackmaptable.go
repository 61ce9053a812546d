package bci

import (
	"errors"
	"fmt"
	"math"
)

// Frame types of a StackMapTable. Those from sameLocals1End to sameLocals1Extended are reserved.
const (
	sameEnd             = 64 // first after same_frame, which has offset_delta in its type
	sameLocals1End      = 128
	sameLocals1Extended = 247
	chopEnd             = 250
	sameExtended        = 251
	appendEnd           = 254
	fullFrame           = 255
)

const (
	typeUninitializedThis = 6
	typeObject            = 7 // Object_variable_info, followed by a class
	typeUninitialized     = 8 // Uninitialized_variable_info, followed by the offset of the new instruction
)

// frames moves the offsets of a StackMapTable.
type frames struct {
	layout *layout
	in     *cursor
	out    []byte
	err    error
	old    int // old offset of the previous frame, -1 before the first
	now    int // its new offset
}

// moveFrames moves the offsets of a StackMapTable. A frame has the difference to the previous frame's offset, so a
// frame may need its extended form.
func moveFrames(l *layout, body []byte) ([]byte, error) {
	f := &frames{layout: l, in: &cursor{data: body}, out: make([]byte, 0, len(body)+len(body)/8), old: -1, now: -1}
	count := f.in.u2()
	f.out = append2(f.out, count)
	for ; count > 0 && !f.in.short && f.err == nil; count-- {
		f.frame()
	}
	if f.err == nil {
		f.err = f.in.done()
	}
	if t := l.tail; t != nil && f.err == nil {
		if count := get2(body) + t.handlers(); count <= math.MaxUint16 {
			put2(f.out, count)
			f.out = t.frame(f.out, f.now, l.size())
		} else {
			f.err = errors.New("it has too many frames")
		}
	}
	return f.out, f.err
}

// frame moves a stack map frame.
func (f *frames) frame() {
	switch kind := f.in.u1(); {
	case kind < sameEnd:
		f.place(kind, 0, sameExtended)
	case kind < sameLocals1End:
		f.place(kind-sameEnd, sameEnd, sameLocals1Extended)
		f.types(1)
	case kind < sameLocals1Extended:
		f.err = fmt.Errorf("unknown frame_type %d", kind)
	case kind == sameLocals1Extended:
		f.place(f.in.u2(), sameEnd, sameLocals1Extended)
		f.types(1)
	case kind == sameExtended:
		f.place(f.in.u2(), 0, sameExtended)
	case kind <= chopEnd:
		f.place(f.in.u2(), -1, kind)
	case kind <= appendEnd:
		f.place(f.in.u2(), -1, kind)
		f.types(kind - sameExtended)
	default:
		f.place(f.in.u2(), -1, fullFrame)
		f.counted()
		f.counted()
	}
}

// place writes a frame's type and offset_delta. short is the first type of the frame's short form, -1 without one.
func (f *frames) place(distance, short, long int) {
	old := f.old + 1 + distance
	now, err := f.layout.branch(old)
	if err != nil {
		f.err = err
		return
	}
	distance = now - f.now - 1
	f.old, f.now = old, now
	if short >= 0 && distance < sameEnd {
		f.out = append(f.out, byte(short+distance))
	} else {
		f.out = append2(append(f.out, byte(long)), distance)
	}
}

// counted moves a list of types that follows its length.
func (f *frames) counted() {
	count := f.in.u2()
	f.out = append2(f.out, count)
	f.types(count)
}

// types moves verification types of local variables or of the operand stack.
func (f *frames) types(count int) {
	for ; count > 0 && !f.in.short && f.err == nil; count-- {
		kind := f.in.u1()
		f.out = append(f.out, byte(kind))
		if t := f.layout.tail; kind == typeUninitializedThis && t != nil && f.old >= t.uninitializedUntil {
			f.err = errors.New("it is a constructor with this uninitialized after a call of another one")
		}
		switch {
		case kind == typeUninitialized:
			var at int
			at, f.err = move(f.layout.instructions, f.in.u2())
			f.out = append2(f.out, at)
		case kind == typeObject:
			f.out = append2(f.out, f.in.u2())
		case kind > typeUninitialized:
			f.err = fmt.Errorf("unknown verification type %d", kind)
		}
	}
}
