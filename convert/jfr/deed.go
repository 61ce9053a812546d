package jfr

import (
	"encoding/binary"

	"github.com/trcx/trcx/internal/extsort"
	"github.com/trcx/trcx/trace"
)

// deed is what an event says, with all that it names resolved, so that it means something without its chunk.
type deed struct {
	kind     deedKind
	flags    flags
	scope    uint32 // of thread and other
	thread   uint64 // the number of who did it; 0 if nobody did
	other    uint64 // that of the previous owner, the notifier or the parent; 0 if there is none
	class    uint32 // of the object
	stack    uint32
	address  uint64 // of the object; of a heap summary, where the heap begins
	begin    trace.Time
	length   int64  // how long it took, in ns
	timeout  int64  // of a wait, in ns; notTimed if it has none
	size     uint64 // how many were notified; the weight of an allocation; the heap's used bytes
	total    uint64 // the heap's bytes; where it ends
	id       uint64 // of a collection
	place    int64  // of the event in the input
	order    uint64 // among the deeds of the recording
	name     string // of a thread that becomes known
	group    uint32 // the thread's
	parent   uint32 // that of the group
	cause    uint32 // why a monitor was inflated
	reported trace.Time
}

type deedKind uint8

// The kinds, in the order in which they come at one time.
const (
	known      deedKind = iota // a thread exists
	ofClass                    // a thread's object is of the class; found out by the survey
	started                    // a thread starts
	callsStart                 // a thread starts another; its moment is found out by the survey
	callsNotify
	inflates
	heapIs
	allocates
	notifies
	enters
	waits
	sleeps
	parks
	collects
	ended // a thread
	deedKinds
)

type flags uint16

const (
	timedOut  flags = 1 << iota // a wait ended by its timeout
	joins                       // a wait is one for the end of other
	all                         // a notification is one of all
	one                         // … of one
	until                       // a park's timeout was a moment
	willStart                   // a start of the thread is reported later in the chunk, at reported
	virtual
	unbegun    // a wait is reported by its end only
	afterwards // a heap summary is of the time after a collection
)

// The timeouts of a wait that ends by somebody else's doing only, and of one of which it is not known.
const notTimed, unknownTimeout = -1, -2

// end is when it was over.
func (d *deed) end() trace.Time { return d.begin + trace.Time(d.length) }

// append appends the deed, without its begin and its order, which are in the key.
func (d *deed) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint16(append(dst, byte(d.kind)), uint16(d.flags))
	for _, n := range [...]uint64{uint64(d.scope), d.thread, d.other, uint64(d.class), uint64(d.stack), d.address,
		uint64(d.length), uint64(d.timeout + 1),
		d.size, d.total, d.id, uint64(d.place), uint64(d.reported), uint64(d.group), uint64(d.parent),
		uint64(d.cause)} {
		dst = binary.AppendUvarint(dst, n)
	}
	return append(dst, d.name...)
}

// read reads what append has written.
func (d *deed) read(key extsort.Key, record []byte) {
	d.begin, d.order = trace.Time(key.Group), key.Order
	d.kind, d.flags = deedKind(record[0]), flags(binary.BigEndian.Uint16(record[1:]))
	record = record[3:]
	next := func() uint64 {
		n, size := binary.Uvarint(record)
		record = record[size:]
		return n
	}
	d.scope, d.thread, d.other, d.class, d.stack = uint32(next()), next(), next(), uint32(next()), uint32(next())
	d.address, d.length, d.timeout = next(), int64(next()), int64(next())-1
	d.size, d.total, d.id, d.place, d.reported = next(), next(), next(), int64(next()), trace.Time(next())
	d.group, d.parent, d.cause = uint32(next()), uint32(next()), uint32(next())
	d.name = string(record)
}

// sorted are deeds in the order of time.
type sorted struct {
	extsort.Sorter
	deeds  uint64
	record []byte
}

func (s *sorted) add(d *deed) error {
	s.deeds++
	s.record = d.append(s.record[:0])
	return s.Add(extsort.Key{Group: uint64(d.begin), ID: uint64(d.kind), Order: s.deeds}, s.record)
}
