package drain

import (
	"math"

	"github.com/trcx/trcx/agent/ring"
)

// merger merges the sources of a segment in time order.
type merger struct {
	sources []*source
	heap    heap
	held    int // cells of full rings that wait for an older record
	limit   int // of held: maxHeld
}

// source is a ring.
type source struct {
	ring   *ring.Ring
	number int
	last   *thread // of the ring's latest event; it may have ended since
}

// maxHeld is the limit of the cells that wait for an older record: 4 MiB. Beyond it, they do not wait for any thread.
const maxHeld = 4 * ring.ExtensionCells

// full reports whether the limit of waiting cells is reached.
func (m *merger) full() bool { return m.held >= m.limit }

// gather puts all rings with records on the heap, and releases those whose thread has ended.
func (m *merger) gather(rings []*ring.Ring) {
	for number := len(m.sources); number < len(rings); number++ {
		m.sources = append(m.sources, &source{ring: rings[number], number: number})
	}
	m.heap = m.heap[:0]
	for number, ring := range rings {
		if ring.Waiting() == 0 {
			ring.Release()
		} else if time, ok := ring.Peek(); ok {
			m.heap = append(m.heap, head{time, m.sources[number]})
		}
	}
	m.heap.init()
}

// consume returns the cells that were read to the producers, and counts the remaining ones.
func (m *merger) consume() {
	m.held = 0
	for _, head := range m.heap {
		head.source.ring.Consume()
		if waiting := head.source.ring.Waiting(); waiting > ring.RingCells/2 {
			m.held += waiting
		}
	}
}

// heap is a binary heap of the sources that have records. The oldest record comes first; of equally old records, the
// one from the ring with the lower number. It does without container/heap's calls through an interface, because each
// record passes through it.
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

// down moves the source at i below the sources that come before it.
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
