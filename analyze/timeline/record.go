package timeline

import (
	"encoding/binary"
	"errors"

	"github.com/trcx/trcx/trace"
)

// recordKind is what a record of a block is about. The first kinds are the states; such a record is a span.
type recordKind uint8

const (
	instantRecord recordKind = recordKind(StateCount) + iota
	effectRecord             // an effect of an event of the thread
)

// record is a record of a block, with numbers for entries of the Index's tables.
// It has many fields because the kinds share one encoding.
type record struct {
	kind                     recordKind
	open, timedOut, inferred bool
	begin, end               int64    // of a span; for other records, both are the time
	exact                    [2]int64 // of a span that was read and cut: the trace's times
	event                    trace.EventID
	object                   objectCode
	class                    uint32
	io                       trace.IO
	other                    trace.ThreadKey
	timeout                  int64 // milliseconds, 0 or more
	park                     bool  // a span in WaitingForLock or Deadlocked is a park, on an owned lock
	init                     bool  // a span in WaitingForObject waits for the initialisation of a class
	caller, otherCaller      uint32
	stack                    uint32
	// of an instant; for a Running span, of its cause; for an effect, of the event
	interaction Interaction
	cause       End // of a Running span; for an effect, the Running event
}

// base is what the numbers of a record are relative to.
type base struct {
	time  int64
	event trace.EventID
}

// append appends the record, and updates the base. The head has the kind and the flags; then come two bytes with a bit
// for each field that is not 0, and these fields.
func (r *record) append(dst []byte, from *base) []byte {
	fields := [fieldCount]int64{beginField: r.begin - from.time, lengthField: r.end - r.begin,
		eventField: int64(r.event - from.event), objectField: int64(r.object), classField: int64(r.class),
		ioField: int64(r.io), otherField: int64(r.other), timeoutField: r.timeout, callerField: int64(r.caller),
		otherCallerField: int64(r.otherCaller), stackField: int64(r.stack), interactionField: int64(r.interaction)}
	if r.cause.Event != 0 {
		fields[causeField], fields[causeThreadField] = int64(r.event-r.cause.Event), int64(r.cause.Thread)
		fields[causeTimeField] = r.begin - r.cause.Time
	}
	from.time, from.event = r.end, r.event
	head := byte(r.kind)
	for i, set := range []bool{r.open, r.timedOut, r.inferred, r.park || r.init} {
		if set {
			head |= firstFlag << i
		}
	}
	at, present := len(dst)+1, uint16(0)
	dst = append(dst, head, 0, 0)
	for i, value := range fields {
		if value != 0 {
			present |= 1 << i
			dst = binary.AppendVarint(dst, value)
		}
	}
	binary.LittleEndian.PutUint16(dst[at:], present)
	return dst
}

// The fields of a record in a block.
const (
	beginField = iota
	lengthField
	eventField
	objectField
	classField
	ioField
	otherField
	timeoutField
	callerField
	otherCallerField
	stackField
	interactionField
	causeField
	causeThreadField
	causeTimeField
	fieldCount
)

// firstFlag is the lowest bit of the flags, above the bits of the kind.
const firstFlag = 1 << 4

func (r *record) isSpan() bool { return r.kind < instantRecord }

// errNoRecord is the error for bytes that are not a record.
var errNoRecord = errors.New("not a record")

// reader reads the records of a block.
type reader struct {
	rest []byte
	from base
	err  error
}

// next reads a record. It returns false at the end of the block, and if the block is damaged.
func (d *reader) next(r *record) bool {
	if len(d.rest) == 0 {
		return false
	}
	if len(d.rest) < 3 {
		d.err = errNoRecord
		return false
	}
	head, present := d.rest[0], binary.LittleEndian.Uint16(d.rest[1:])
	d.rest = d.rest[3:]
	var fields [fieldCount]int64
	for i := range fields {
		if present>>i&1 == 0 {
			continue
		}
		size := 0
		if fields[i], size = binary.Varint(d.rest); size <= 0 {
			d.err = errNoRecord
			return false
		}
		d.rest = d.rest[size:]
	}
	d.record(r, head, &fields)
	if r.kind > effectRecord || r.interaction >= InteractionCount || !r.io.IsValid() {
		d.err = errNoRecord
	}
	d.from = base{r.end, r.event}
	return d.err == nil
}

// record sets the record by its head and its fields.
func (d *reader) record(r *record, head byte, fields *[fieldCount]int64) {
	flag := func(i int) bool { return head&(firstFlag<<i) != 0 }
	kind := recordKind(head & (firstFlag - 1))
	begin, event := d.from.time+fields[beginField], d.from.event+trace.EventID(fields[eventField])
	*r = record{
		kind: kind, open: flag(0), timedOut: flag(1), inferred: flag(2),
		park: flag(3) && State(kind) != WaitingForObject, init: flag(3) && State(kind) == WaitingForObject,
		begin: begin, end: begin + fields[lengthField], event: event, object: objectCode(fields[objectField]),
		class: uint32(fields[classField]), io: trace.IO(fields[ioField]), other: trace.ThreadKey(fields[otherField]),
		timeout: fields[timeoutField], caller: uint32(fields[callerField]),
		otherCaller: uint32(fields[otherCallerField]), stack: uint32(fields[stackField]),
		interaction: Interaction(fields[interactionField]),
	}
	if fields[causeField] != 0 {
		r.cause = End{event - trace.EventID(fields[causeField]), trace.ThreadKey(fields[causeThreadField]),
			begin - fields[causeTimeField]}
	}
}
