package drain

import (
	"math"

	"github.com/trcx/trcx/agent/ring"
)

// source is a ring, and what was taken out of it to make room.
type source struct {
	ring   *ring.Ring
	number int
	last   *thread // that did something in the ring last; it may have ended since

	waiting  []ring.Record // taken out of the ring, from next on
	next     int
	payloads []byte
}

const (
	// mostKept is how many records are kept outside of the rings. When they are more nobody is waited for.
	mostKept = 1 << 14
	// roomKept is how many records a source keeps room for when it keeps none.
	roomKept = 1 << 6
)

// peek returns the time of the next record, and whether there is one.
func (s *source) peek() (time int64, ok bool) {
	if s.next < len(s.waiting) {
		return s.waiting[s.next].Time, true
	}
	return s.ring.Peek()
}

// read reads the next record, which must be there, and says whether it was kept outside of the ring.
func (s *source) read(record *ring.Record) bool {
	if s.next < len(s.waiting) {
		*record = s.waiting[s.next]
		s.next++
		return true
	}
	s.ring.Read(record)
	return false
}

// keep takes all that is in the ring out of it, and returns how many records that were.
func (s *source) keep() (count int) {
	if s.next == len(s.waiting) {
		s.empty()
	}
	before := len(s.waiting)
	for _, ok := s.ring.Peek(); ok; _, ok = s.ring.Peek() {
		var record ring.Record
		s.ring.Read(&record)
		if record.Payload != nil {
			begin := len(s.payloads)
			s.payloads = append(s.payloads, record.Payload...)
			record.Payload = s.payloads[begin:len(s.payloads):len(s.payloads)]
		}
		s.waiting = append(s.waiting, record)
	}
	s.ring.Consume()
	return len(s.waiting) - before
}

// empty makes room for more; much of it is given back.
func (s *source) empty() {
	s.waiting, s.payloads, s.next = s.waiting[:0], s.payloads[:0], 0
	if cap(s.waiting) > roomKept {
		s.waiting, s.payloads = nil, nil
	}
}

// keep empties rings that are about to be full of records whose turn has not come, for somewhere an older one is in the
// works. A thread that has no room left would wait, and then drop. It returns how many records were kept.
func (d *Drainer) keep() (count int) {
	for i := range d.heap {
		if s := d.heap[i].source; d.kept+count < d.room && s.ring.Waiting() > ring.RingCells/2 {
			count += s.keep()
		}
	}
	d.kept += count
	return count
}

// heap has the sources that have records, such that the one with the oldest comes first; of equally old ones, that of
// the lower number.
type heap []turn

// turn is the time of a source's next record.
type turn struct {
	time   int64
	source *source
}

func (t turn) before(other turn) bool {
	return t.time < other.time || t.time == other.time && t.source.number < other.source.number
}

// order makes a heap of sources in any order.
func (h heap) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

// second is the time of the record that is the oldest but one.
func (h heap) second() int64 {
	switch len(h) {
	case 1:
		return math.MaxInt64
	case 2:
		return h[1].time
	}
	return min(h[1].time, h[2].time)
}

// put says what the time of the first source's next record is.
func (h heap) put(time int64) {
	h[0].time = time
	h.sink(0)
}

// drop takes the first source out.
func (h *heap) drop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.sink(0)
}

// sink puts the source at i where it belongs, below those that come before it.
func (h heap) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
