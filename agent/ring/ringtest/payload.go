package ringtest

import (
	"encoding/binary"

	"github.com/trcx/trcx/agent/ring"
)

// ThreadInfo encodes the payload of a ThreadStart.
func ThreadInfo(info ring.ThreadInfo) []byte {
	var p []byte
	for _, address := range []uint64{info.JavaThread, info.StackLow, info.StackHigh} {
		p = binary.LittleEndian.AppendUint64(p, address)
	}
	return texts(p, info.Name, info.Group, info.Parent)
}

// Named returns the payload of a ThreadStart without addresses.
func Named(name, group, parent string) []byte {
	return ThreadInfo(ring.ThreadInfo{Name: []byte(name), Group: []byte(group), Parent: []byte(parent)})
}

// ClassInfo encodes the payload of a DefineClass.
func ClassInfo(name, source string) []byte { return texts(nil, []byte(name), []byte(source)) }

// Line is an entry of a line table.
type Line struct{ Location, Line uint32 }

// MethodInfo encodes the payload of a DefineMethod.
func MethodInfo(name, signature string, lines ...Line) []byte {
	p := texts(nil, []byte(name), []byte(signature))
	for _, line := range lines {
		p = binary.LittleEndian.AppendUint32(p, line.Location)
		p = binary.LittleEndian.AppendUint32(p, line.Line)
	}
	return p
}

// ParkInfo encodes the payload of a Park, with a stack trace, innermost frame first.
func ParkInfo(info ring.ParkInfo, frames ...ring.Frame) []byte {
	p := binary.LittleEndian.AppendUint64(nil, uint64(info.Owner))
	p = binary.LittleEndian.AppendUint64(p, uint64(info.Lock))
	return append(p, Stack(frames...)...)
}

// Allocation encodes the payload of an Allocated: the class's id, and a stack trace, innermost frame first.
func Allocation(class int64, frames ...ring.Frame) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(class)), Stack(frames...)...)
}

// Collection encodes the payload of a GCFinish.
func Collection(number, full int64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(number)), uint64(full))
}

// Stack encodes the payload with a stack trace, innermost frame first.
func Stack(frames ...ring.Frame) []byte {
	var p []byte
	for _, frame := range frames {
		p = binary.LittleEndian.AppendUint64(p, uint64(frame.Method)<<16|uint64(frame.Location))
	}
	return p
}

func texts(p []byte, texts ...[]byte) []byte {
	for _, text := range texts {
		p = binary.LittleEndian.AppendUint32(p, uint32(len(text)))
		p = append(p, text...)
	}
	return p
}
