package ring

import (
	"encoding/binary"
	"sync/atomic"
)

// Ring is the consumer's side of one ring.
type Ring struct {
	own   []byte // the ring's own cells
	cells []byte // the cells that are read: its own, or an extension's
	size  uint64 // in cells, a power of two

	extensions []byte         // the cells of all
	used       *atomic.Uint64 // a bit for each extension in use
	extension  uint64         // the bit of the extension that is read; 0 for none
	left       uint64         // the bits of extensions to be freed

	head, tail  *atomic.Uint64
	busy, state *atomic.Uint32
	begin       *atomic.Int64
	dropped     *atomic.Uint64

	next, end uint64 // the cells that can be read, counted as head and tail are
	start     uint64 // the position of the first one in cells
	quiet     int64  // when its producer was last seen not publishing
	begun     int64  // begin, when its producer was last seen publishing
	since     int64  // when it was first seen publishing this record; 0 if it is not publishing
	lost      uint64 // the part of dropped that Dropped has returned
	payload   []byte // of the record read last, if it wraps around the end
}

// snapshot notes how far the ring can be read. It returns a time before which nothing more will be published, and since
// when a record of that time has been awaited. begin can be much older than the record being published: until its
// producer stores begin, it is the time of an older record, or 0.
func (r *Ring) snapshot(now int64) (working, since int64) {
	if r.state.Load() == free {
		return r.idle(now)
	}
	busy := r.busy.Load() != 0
	begin := r.begin.Load()
	r.readHead()
	if !busy {
		return r.idle(now)
	}
	if r.since == 0 || begin != r.begun {
		r.begun, r.since = begin, now
	}
	return max(begin, r.quiet), r.since // begin is the time of the record being published, or of an earlier one
}

// idle notes that the producer was not publishing at time now.
func (r *Ring) idle(now int64) (working, since int64) {
	r.quiet, r.since = now, 0
	return now, now
}

// readHead notes how far the ring can be read. It ignores a head beyond the limit, which comes from a damaged JVM.
func (r *Ring) readHead() {
	if head := r.head.Load(); head-r.next <= MaxWaiting {
		r.end = head
	}
}

// Peek returns the time of the next record, and whether there is one.
func (r *Ring) Peek() (time int64, ok bool) {
	for r.next != r.end {
		cell := r.cell(r.next)
		if Kind(cell[0]) != Continued {
			return int64(binary.LittleEndian.Uint64(cell[8:])), true
		}
		r.next++
		r.continueIn(binary.LittleEndian.Uint64(cell[24:]))
	}
	return 0, false
}

// continueIn continues in the extension of the number, or in the ring's own cells. Other numbers come from a damaged
// JVM.
func (r *Ring) continueIn(number uint64) {
	if number > Extensions {
		return
	}
	r.left |= r.extension
	r.cells, r.extension = r.own, 0
	if number > 0 {
		const size = ExtensionCells * CellSize
		begin := (number - 1) * size
		r.cells, r.extension = r.extensions[begin:begin+size], 1<<(number-1)
	}
	r.size, r.start = uint64(len(r.cells)/CellSize), r.next
}

func (r *Ring) cell(n uint64) []byte {
	at := (n - r.start) & (r.size - 1) * CellSize
	return r.cells[at : at+CellSize : at+CellSize]
}

// Read reads the next record, which must exist. Its payload is valid until Consume.
func (r *Ring) Read(record *Record) {
	cell := r.cell(r.next)
	word := binary.LittleEndian.Uint64(cell)
	record.Kind, record.Flags, record.Thread = Kind(word), uint8(word>>8), int64(word>>16)
	record.Time = int64(binary.LittleEndian.Uint64(cell[8:]))
	record.Object = int64(binary.LittleEndian.Uint64(cell[16:]))
	record.Argument = int64(binary.LittleEndian.Uint64(cell[24:]))
	record.Payload = nil
	r.next++
	if record.Flags&HasPayload != 0 {
		record.Payload = r.readPayload()
	}
}

// readPayload reads the payload in the cells that follow: four bytes with its length, then its bytes.
func (r *Ring) readPayload() []byte {
	if r.next == r.end {
		return nil
	}
	length := uint64(binary.LittleEndian.Uint32(r.cell(r.next)))
	cells := min((4+length+CellSize-1)/CellSize, r.end-r.next, r.size)
	length = min(length, cells*CellSize-4)
	at := (r.next-r.start)&(r.size-1)*CellSize + 4
	r.next += cells
	if at+length <= uint64(len(r.cells)) {
		return r.cells[at : at+length : at+length]
	}
	first := r.cells[at:]
	r.payload = append(append(r.payload[:0], first...), r.cells[:length-uint64(len(first))]...)
	return r.payload
}

// Consume returns the cells that were read to the producer, and frees extensions that were read to their end.
func (r *Ring) Consume() {
	r.tail.Store(r.next)
	if r.left != 0 {
		r.used.And(^r.left)
		r.left = 0
	}
}

// Waiting returns the number of cells that can be read.
func (r *Ring) Waiting() int { return int(r.end - r.next) }

// Dropped returns the number of records that were lost by ring overflow since the last call.
func (r *Ring) Dropped() uint64 {
	total := r.dropped.Load()
	lost := total - r.lost
	r.lost = total
	return lost
}

// Release frees the ring for another thread if it is empty and its thread has ended, and reports whether it is freed.
func (r *Ring) Release() bool {
	if r.state.Load() != retired || r.head.Load() != r.next {
		return false
	}
	r.continueIn(0)
	r.Consume()
	r.state.Store(free)
	return true
}
