package jfr

import "strconv"

// threadID tells a thread from all others of the input: an input may hold recordings of several JVMs, one after the
// other.
type threadID struct {
	scope  uint32 // counts the JVMs, from 0
	number uint64 // Thread.threadId; with one of the bits below for threads that have none
}

const (
	nativeThread  = 1 << 60 // the number is that of the operating system: no thread of Java
	unknownThread = 1 << 61 // the number is a key of which the recording says nothing
	idMask        = 1<<60 - 1
)

// append appends the id as a trace has it.
func (t threadID) append(dst []byte) []byte {
	if t.scope > 0 {
		dst = append(strconv.AppendUint(append(dst, "jvm"...), uint64(t.scope)+1, 10), '-')
	}
	switch {
	case t.number&nativeThread != 0:
		dst = append(dst, "native-"...)
	case t.number&unknownThread != 0:
		dst = append(dst, "unknown-"...)
	}
	return strconv.AppendUint(dst, t.number&idMask, 10)
}

// thread is a thread as a chunk describes it.
type thread struct {
	id            threadID
	name          string
	group, parent uint32 // the numbers of their names
	virtual       bool
	seen          bool // a deed names it
	first         int64
	start         int64 // when its start is reported; 0 if it is not
}
