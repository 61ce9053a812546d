package jfr

import (
	"encoding/binary"
	"math/bits"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/trace"
)

// event is a decoded event. Its constants are resolved, so that it does not depend on its chunk.
type event struct {
	kind     eventKind
	flags    flags
	jvm      uint32 // of thread and other
	thread   uint64 // number of the thread; 0 if none
	other    uint64 // number of the previous owner, notifier or parent; 0 if none
	stack    uint32
	begin    trace.Time
	duration int64  // in ns
	timeout  int64  // of a wait, in ns; noTimeout, unknownTimeout or someTimeout
	offset   int64  // in the input
	sequence uint64 // order of decoding
	// text is the id of a name: the cause of an inflation, the peer or path of input or output, or collector and cause
	// of a collection.
	text uint32
	objectInfo
	amounts
	threadInfo
}

// objectInfo describes the object of an event.
type objectInfo struct {
	class   uint32
	address uint64 // of a heap summary: the heap's begin
}

// amounts are figures of some kinds of events.
type amounts struct {
	// size is the number of threads notified or of samples, the bytes that an allocation represents or that are used in
	// the heap, the ns of pauses, the CPU time in ns that a thread had used by a dump, or a share of wholeLoad.
	size uint64
	// total is the bytes committed for the heap, the ns that a sample represents, or the symbol of the stack of the
	// thread that owns what a dumped thread wants.
	total uint64
	gcID  uint64
	state trace.State // of a sample, or in a dump
}

// threadInfo describes the thread of kindThreadKnown.
type threadInfo struct {
	name     string
	group    threadGroup
	reported trace.Time // of its start event, with flagStartReported
}

// eventKind is the kind of an event. Events with the same time are sorted by it.
type eventKind uint8

const (
	kindThreadKnown eventKind = iota // a thread exists
	kindThreadClass                  // class of a thread's object; inferred
	kindThreadStart
	kindStartCall  // a thread starts another; inferred
	kindNotifyCall // a thread notifies another; inferred
	kindInflate
	kindHeapSummary
	kindSample
	kindAllocation
	kindNotify
	kindEnter
	kindWait
	kindSleep
	kindPark
	kindIO
	kindCollection
	kindPause      // of the program, in a collection, which begins first
	kindDump       // what a thread is doing by a dump
	kindLoad       // the share of all processors that a thread used since the previous such event
	kindDumpedWait // a wait that thread dumps show; inferred
	kindCPU        // the CPU time that a thread had used by a dump; inferred
	kindThreadEnd
	eventKinds
)

// isJVM reports whether events of the kind concern the JVM, not a thread.
func (k eventKind) isJVM() bool { return k == kindCollection || k == kindPause || k == kindHeapSummary }

type flags uint16

const (
	flagTimedOut      flags = 1 << iota // a wait ended by its timeout
	flagJoin                            // a wait for the end of the other thread
	flagNotifyAll                       // a call of notifyAll
	flagNotify                          // a call of notify
	flagUntil                           // a park's timeout was a deadline
	flagStartReported                   // the thread's start event follows in the chunk
	flagVirtual
	flagEndOnly  // a wait whose event has only the end
	flagAfterGC  // a heap summary made after a collection
	flagWrite    // output, not input
	flagFile     // of a file, not of a socket
	flagLock     // a park on an owned lock
	flagPeriodic // a sample whose period is the sampler's
	flagDumped   // of a thread dump
	flagOpen     // a wait that does not end
	flagSupposed // a wait assumed to have begun before the first dump that shows it
)

// The timeouts of a wait that has none, of one that may have one, and of one that has one of unknown length.
const noTimeout, unknownTimeout, someTimeout = -1, -2, -3

func (e *event) end() trace.Time { return e.begin + trace.Time(e.duration) }

// append appends the event without begin and sequence, which are in the sorter's key. A mask says which numbers follow;
// the others are 0.
func (e *event) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(append(dst, byte(e.kind)), uint16(e.flags))
	at, mask := len(dst), uint32(0)
	dst = append(dst, 0, 0, 0)
	for i, n := range [...]uint64{uint64(e.jvm), e.thread, e.other, uint64(e.class), uint64(e.stack), e.address,
		uint64(e.duration), uint64(e.timeout + 1),
		e.size, e.total, e.gcID, uint64(e.offset), uint64(e.reported), uint64(e.group.name), uint64(e.group.parent),
		uint64(e.text), uint64(e.state)} {
		if n != 0 {
			mask |= 1 << i
			dst = binary.AppendUvarint(dst, n)
		}
	}
	dst[at], dst[at+1], dst[at+2] = byte(mask), byte(mask>>8), byte(mask>>16)
	return append(dst, e.name...)
}

// read decodes the record of append.
func (e *event) read(key extsort.Key, record []byte) {
	kind, flag := eventKind(record[0]), flags(binary.BigEndian.Uint16(record[1:]))
	mask := uint32(record[3]) | uint32(record[4])<<8 | uint32(record[5])<<16
	record = record[6:]
	var n [17]uint64
	for ; mask != 0; mask &= mask - 1 {
		value, size := binary.Uvarint(record)
		n[bits.TrailingZeros32(mask)], record = value, record[size:]
	}
	*e = event{begin: trace.Time(key.Group), sequence: key.Order, kind: kind, flags: flag,
		jvm: uint32(n[0]), thread: n[1], other: n[2], stack: uint32(n[4]),
		objectInfo: objectInfo{class: uint32(n[3]), address: n[5]}, duration: int64(n[6]), timeout: int64(n[7]) - 1,
		amounts: amounts{size: n[8], total: n[9], gcID: n[10], state: trace.State(n[16])}, offset: int64(n[11]),
		threadInfo: threadInfo{name: string(record), reported: trace.Time(n[12]),
			group: threadGroup{uint32(n[13]), uint32(n[14])}},
		text: uint32(n[15])}
}

// eventSorter sorts events by time, kind and sequence.
type eventSorter struct {
	extsort.Sorter
	count  uint64
	record []byte
}

func (s *eventSorter) add(e *event) error {
	s.count++
	s.record = e.append(s.record[:0])
	return s.Add(extsort.Key{Group: uint64(e.begin), ID: uint64(e.kind), Order: s.count}, s.record)
}
