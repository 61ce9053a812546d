package ring

import (
	"encoding/binary"
	"sync/atomic"
)

// Ring is the consumer's side of one ring.
type Ring struct {
	cells []byte
	size  uint64 // in cells, a power of two

	head, tail  *atomic.Uint64
	busy, state *atomic.Uint32
	begin       *atomic.Int64
	dropped     *atomic.Uint64

	next, end uint64 // what can be read: cells, counted as head and tail are
	quiet     int64  // when its producer was last seen without a record in the works
	begun     int64  // what begin was when its producer was seen with one last
	since     int64  // when it was first seen with that one; 0 if it is not
	lost      uint64 // of dropped, what was told
	payload   []byte // of the record that was read last, where it goes round the end
}

// look notes how far the ring can be read, and returns a time before which nothing will be published any more, and
// since when that one is known to be waited for. The record in the works may have begun long before, or only just:
// between the mark and begin, begin is that of an older record, or 0.
func (r *Ring) look(now int64) (working, since int64) {
	if r.state.Load() == free {
		return r.rest(now)
	}
	busy := r.busy.Load() != 0
	begin := r.begin.Load()
	r.reach()
	if !busy {
		return r.rest(now)
	}
	if r.since == 0 || begin != r.begun {
		r.begun, r.since = begin, now
	}
	return max(begin, r.quiet), r.since // begin is that of the record in the works, or of one that is published by now
}

// rest notes that nothing was in the works at the time.
func (r *Ring) rest(now int64) (working, since int64) {
	r.quiet, r.since = now, 0
	return now, now
}

// reach notes how far the ring can be read. A head that lies further away than the ring is long was written by a JVM
// that has gone mad, and is not believed.
func (r *Ring) reach() {
	if head := r.head.Load(); head-r.next <= r.size {
		r.end = head
	}
}

// Peek returns the time of the next record, and whether there is one.
func (r *Ring) Peek() (time int64, ok bool) {
	if r.next == r.end {
		return 0, false
	}
	return int64(binary.LittleEndian.Uint64(r.cell(r.next)[8:])), true
}

func (r *Ring) cell(n uint64) []byte {
	at := n & (r.size - 1) * CellSize
	return r.cells[at : at+CellSize : at+CellSize]
}

// Read reads the next record, which must be there, and goes on to the one behind it. What was read stays in the ring
// until Consume.
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

// readPayload reads the bytes in the cells that follow, of which the first four say how many there are.
func (r *Ring) readPayload() []byte {
	if r.next == r.end {
		return nil
	}
	length := uint64(binary.LittleEndian.Uint32(r.cell(r.next)))
	cells := min((4+length+CellSize-1)/CellSize, r.end-r.next)
	length = min(length, cells*CellSize-4)
	at := r.next&(r.size-1)*CellSize + 4
	r.next += cells
	if at+length <= uint64(len(r.cells)) {
		return r.cells[at : at+length : at+length]
	}
	first := r.cells[at:]
	r.payload = append(append(r.payload[:0], first...), r.cells[:length-uint64(len(first))]...)
	return r.payload
}

// Consume gives the cells that were read back to the producer.
func (r *Ring) Consume() { r.tail.Store(r.next) }

// Waiting is how many cells can be read.
func (r *Ring) Waiting() int { return int(r.end - r.next) }

// Dropped is how many records the producer has lost since it was asked last.
func (r *Ring) Dropped() uint64 {
	total := r.dropped.Load()
	lost := total - r.lost
	r.lost = total
	return lost
}

// Release gives an empty ring whose thread has ended back, for another thread, and says whether it was one.
func (r *Ring) Release() bool {
	if r.state.Load() != retired || r.head.Load() != r.next {
		return false
	}
	r.tail.Store(r.next)
	r.state.Store(free)
	return true
}
