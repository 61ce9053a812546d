package timeline

import (
	"encoding/binary"
	"errors"

	"github.com/trcx/trcx/trace"
)

// recordKind is what a record of a block is about. The first ones are the states: such a record is a span.
type recordKind uint8

const (
	instantRecord recordKind = recordKind(StateCount) + iota
	effectRecord             // what an event of the thread has brought about
)

// kindBits is the number of bits of a kind in a block. The states of a wait for an object share one kind there. The
// first byte about the wait has its state, and above ioShift the operation of input or output.
const (
	kindBits = 3
	ioShift  = 4
)

// waitStates is the number of kinds that share one in a block with WaitingForObject.
const waitStates = recordKind(StateCount - TimedWaiting)

// encoded returns the kind as a block has it.
func (k recordKind) encoded() byte {
	switch {
	case k.isWait():
		return byte(WaitingForObject)
	case k >= instantRecord:
		return byte(k - waitStates)
	}
	return byte(k)
}

// decodedKind returns the kind that a block has so; of a wait for an object, the one without more particulars.
func decodedKind(encoded byte) recordKind {
	if encoded > byte(Deadlocked) {
		return recordKind(encoded) + waitStates
	}
	return recordKind(encoded)
}

// isWait reports whether the kind is a wait for an object: one of Object.wait, a park, or input or output.
func (k recordKind) isWait() bool {
	return k == recordKind(WaitingForObject) || k >= recordKind(TimedWaiting) && k < instantRecord
}

// The flags of a record, in the first byte with its kind.
const (
	openFlag = 1 << (kindBits + iota)
	timedOutFlag
	inferredFlag
	aboutFlag // what the thread waited for follows; of a Running span, what brought it about
	placeFlag // where the thread was follows
)

// record is a record of a block, with numbers for entries of the Index's tables.
// It has many fields because the kinds share one encoding.
type record struct {
	kind                     recordKind
	open, timedOut, inferred bool
	begin, end               int64    // of a span; of another record both are its time
	exact                    [2]int64 // of a span that was read and cut: what the trace says
	event                    trace.EventID
	object                   objectCode
	class                    uint32
	io                       trace.IO
	other                    trace.ThreadKey
	timeout                  int64 // milliseconds, 0 or more
	park                     bool  // of a span in WaitingForLock or Deadlocked: it is a park, on an owned lock
	caller, otherCaller      uint32
	stack                    uint32
	// of an instant; of a Running span, that of its cause; of an effect, that of the event
	interaction Interaction
	cause       End // of a Running span; of an effect, what was brought about
}

// base is what the numbers of a record are counted from.
type base struct {
	time  int64
	event trace.EventID
}

// append appends the record, and moves the base on.
func (r *record) append(dst []byte, from *base) []byte {
	about := r.object != 0 || r.other != 0 || r.timeout != 0 || r.park || r.kind > recordKind(Deadlocked) ||
		r.cause.Event != 0
	places := r.caller|r.otherCaller|r.stack != 0
	head := r.kind.encoded()
	if r.open {
		head |= openFlag
	}
	if r.timedOut {
		head |= timedOutFlag
	}
	if r.inferred {
		head |= inferredFlag
	}
	if about {
		head |= aboutFlag
	}
	if places {
		head |= placeFlag
	}
	dst = append(dst, head)
	dst = binary.AppendVarint(dst, r.begin-from.time)
	if r.isSpan() {
		dst = binary.AppendVarint(dst, r.end-r.begin)
		from.time = r.end
	} else {
		from.time = r.begin
	}
	dst = binary.AppendVarint(dst, int64(r.event-from.event))
	from.event = r.event
	if about {
		dst = r.appendAbout(dst)
	}
	if places {
		dst = binary.AppendUvarint(dst, uint64(r.caller))
		dst = binary.AppendUvarint(dst, uint64(r.otherCaller))
		dst = binary.AppendUvarint(dst, uint64(r.stack))
	}
	return dst
}

func (r *record) appendAbout(dst []byte) []byte {
	if r.hasCause() {
		dst = append(dst, byte(r.interaction))
		dst = binary.AppendVarint(dst, int64(r.event-r.cause.Event))
		dst = binary.AppendUvarint(dst, uint64(r.cause.Thread))
		return binary.AppendVarint(dst, r.begin-r.cause.Time)
	}
	if r.kind == instantRecord {
		dst = append(dst, byte(r.interaction))
	}
	if r.kind.isWait() {
		dst = append(dst, byte(r.kind)|byte(r.io)<<ioShift)
	}
	dst = binary.AppendUvarint(dst, uint64(r.object))
	dst = binary.AppendUvarint(dst, uint64(r.class))
	dst = binary.AppendUvarint(dst, uint64(r.other))
	timeout := r.timeout
	if r.park {
		timeout = ^timeout // negative
	}
	return binary.AppendVarint(dst, timeout)
}

func (r *record) isSpan() bool { return r.kind < instantRecord }

// hasCause reports whether a record of the kind has a cause, or an effect, instead of an object.
func (r *record) hasCause() bool { return r.kind == recordKind(Running) || r.kind == effectRecord }

// errNone is the error for a record that is none.
var errNone = errors.New("this is no record")

// reader reads the records of a block.
type reader struct {
	rest []byte
	from base
	err  error
}

// next reads a record. It says no at the end of the block, or where the block is damaged.
func (d *reader) next(r *record) bool {
	if len(d.rest) == 0 || d.err != nil {
		return false
	}
	head := d.rest[0]
	d.rest = d.rest[1:]
	*r = record{kind: decodedKind(head & (1<<kindBits - 1)), open: head&openFlag != 0, timedOut: head&timedOutFlag != 0,
		inferred: head&inferredFlag != 0}
	r.begin = d.from.time + d.signed()
	r.end = r.begin
	if r.isSpan() {
		r.end += d.signed()
	}
	d.from.time = r.end
	r.event = d.from.event + trace.EventID(d.signed())
	d.from.event = r.event
	if head&aboutFlag != 0 {
		d.about(r)
	}
	if head&placeFlag != 0 {
		r.caller, r.otherCaller, r.stack = uint32(d.unsigned()), uint32(d.unsigned()), uint32(d.unsigned())
	}
	return d.err == nil
}

func (d *reader) about(r *record) {
	if r.hasCause() || r.kind == instantRecord {
		r.interaction = d.interaction()
	}
	if r.hasCause() {
		r.cause.Event = r.event - trace.EventID(d.signed())
		r.cause.Thread = trace.ThreadKey(d.unsigned())
		r.cause.Time = r.begin - d.signed()
		return
	}
	if r.kind.isWait() {
		r.kind, r.io = d.waitKind()
	}
	r.object = objectCode(d.unsigned())
	r.class = uint32(d.unsigned())
	r.other = trace.ThreadKey(d.unsigned())
	if r.timeout = d.signed(); r.timeout < 0 {
		r.timeout, r.park = ^r.timeout, true
	}
}

// waitKind returns the state of a wait, and its operation of input or output.
func (d *reader) waitKind() (recordKind, trace.IO) {
	if len(d.rest) == 0 {
		d.err = errNone
		return recordKind(WaitingForObject), trace.NoIO
	}
	kind, io := recordKind(d.rest[0]&(1<<ioShift-1)), trace.IO(d.rest[0]>>ioShift)
	if !kind.isWait() || !io.IsValid() {
		d.err = errNone
		return recordKind(WaitingForObject), trace.NoIO
	}
	d.rest = d.rest[1:]
	return kind, io
}

func (d *reader) interaction() Interaction {
	if len(d.rest) == 0 || d.rest[0] >= byte(InteractionCount) {
		d.err = errNone
		return 0
	}
	defer func() { d.rest = d.rest[1:] }()
	return Interaction(d.rest[0])
}

func (d *reader) signed() int64 {
	value, size := binary.Varint(d.rest)
	d.skip(size)
	return value
}

func (d *reader) unsigned() uint64 {
	value, size := binary.Uvarint(d.rest)
	d.skip(size)
	return value
}

func (d *reader) skip(size int) {
	if size <= 0 {
		d.err, size = errNone, len(d.rest)
	}
	d.rest = d.rest[size:]
}
