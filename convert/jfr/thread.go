package jfr

import "strconv"

// threadID identifies a thread of the input, which may have recordings of several JVMs.
type threadID struct {
	jvm    uint32 // index of the JVM
	number uint64 // Thread.threadId; of threads without one, a number with one of the bits below
}

const (
	nativeThread  = 1 << 60 // the number is the operating system's: no Java thread
	unknownThread = 1 << 61 // the number is an undefined key of the constant pool
	idMask        = 1<<60 - 1
)

// append appends the id as a trace has it.
func (t threadID) append(dst []byte) []byte {
	if t.jvm > 0 {
		dst = append(strconv.AppendUint(append(dst, "jvm"...), uint64(t.jvm)+1, 10), '-')
	}
	switch {
	case t.number&nativeThread != 0:
		dst = append(dst, "native-"...)
	case t.number&unknownThread != 0:
		dst = append(dst, "unknown-"...)
	}
	return strconv.AppendUint(dst, t.number&idMask, 10)
}

// threadConstant is a thread of a chunk's constant pool.
type threadConstant struct {
	id      threadID
	name    string
	group   threadGroup
	virtual bool
	named   bool  // by an event of the chunk
	first   int64 // time of the first of these events
	start   int64 // time of its start event; 0 if there is none
}
