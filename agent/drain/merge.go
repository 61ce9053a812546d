package drain

import (
	"math"

	"github.com/trcx/trcx/agent/ring"
)

// merger merges the sources of a segment in time order.
type merger struct {
	sources []*source
	heap    heap
	kept    int // records outside of their rings
	limit   int // of kept: maxKept
}

// source is a ring, and the records that were moved out of it to free its cells.
type source struct {
	ring   *ring.Ring
	number int
	last   *thread // of the ring's latest event; it may have ended since

	waiting  []ring.Record // moved out of the ring; the first next of them are read
	next     int
	payloads []byte
}

const (
	// maxKept is how many records are kept outside of the rings. If there are more, no thread is waited for.
	maxKept = 1 << 14
	// maxIdle is for how many records a source without any keeps memory.
	maxIdle = 1 << 6
)

// full reports whether as many records are kept as may be.
func (m *merger) full() bool { return m.kept >= m.limit }

// gather puts all rings with records on the heap, and releases those whose thread has ended.
func (m *merger) gather(rings []*ring.Ring) {
	for number := len(m.sources); number < len(rings); number++ {
		m.sources = append(m.sources, &source{ring: rings[number], number: number})
	}
	m.heap = m.heap[:0]
	for number, ring := range rings {
		if ring.Waiting() == 0 {
			ring.Release()
			if m.kept == 0 {
				continue
			}
		}
		if time, ok := m.sources[number].peek(); ok {
			m.heap = append(m.heap, head{time, m.sources[number]})
		}
	}
	m.heap.init()
}

// consume returns to the producers the cells that were read.
func (m *merger) consume() {
	for _, head := range m.heap {
		head.source.ring.Consume()
	}
}

// keep moves records out of rings that are about to be full while an older record is still to be published. A thread
// whose ring is full would wait, and then drop records. It returns how many records were moved.
func (m *merger) keep() (count int) {
	for i := range m.heap {
		if s := m.heap[i].source; m.kept+count < m.limit && s.ring.Waiting() > ring.RingCells/2 {
			count += s.keep()
		}
	}
	m.kept += count
	return count
}

// peek returns the time of the next record, and whether there is one.
func (s *source) peek() (time int64, ok bool) {
	if s.next < len(s.waiting) {
		return s.waiting[s.next].Time, true
	}
	return s.ring.Peek()
}

// read reads the next record, which must exist, and reports whether it was kept outside of the ring.
func (s *source) read(record *ring.Record) bool {
	if s.next < len(s.waiting) {
		*record = s.waiting[s.next]
		s.next++
		return true
	}
	s.ring.Read(record)
	return false
}

// keep moves all records out of the ring, and returns their number.
func (s *source) keep() (count int) {
	if s.next == len(s.waiting) {
		s.reset()
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

// reset forgets the records that were read. It keeps little memory.
func (s *source) reset() {
	s.waiting, s.payloads, s.next = s.waiting[:0], s.payloads[:0], 0
	if cap(s.waiting) > maxIdle {
		s.waiting, s.payloads = nil, nil
	}
}

// heap is a binary heap of the sources that have records, the oldest record first; of equally old ones, that of the
// lower number. It is written out, without container/heap's calls through an interface, because each record passes
// through it.
type heap []head

// head is a source and the time of its next record.
type head struct {
	time   int64
	source *source
}

func (h head) before(other head) bool {
	return h.time < other.time || h.time == other.time && h.source.number < other.source.number
}

// init establishes the order.
func (h heap) init() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

// second returns the time of the second oldest record.
func (h heap) second() int64 {
	switch len(h) {
	case 1:
		return math.MaxInt64
	case 2:
		return h[1].time
	}
	return min(h[1].time, h[2].time)
}

// replaceFirst sets the time of the first source's next record.
func (h heap) replaceFirst(time int64) {
	h[0].time = time
	h.down(0)
}

// drop removes the first source.
func (h *heap) drop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.down(0)
}

// down moves the source at i below those that come before it.
func (h heap) down(i int) {
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
