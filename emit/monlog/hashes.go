package monlog

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// hashes are the hash codes of objects. An id that is a number of 32 bits is its own hash code; the others get one of those from firstMapped on that no
// other object has.
type hashes struct {
	objects  map[trace.ObjectID]uint32 // that are not their own
	threads  map[trace.ThreadID]uint32 // of which the trace does not say the object
	taken    map[uint32]bool           // those that were given to others
	own      map[uint32]bool           // those from firstMapped on that are their own
	next     uint32
	mapped   int
	isThread map[trace.ObjectID]bool // objects that are threads
}

// firstMapped is where the hash codes begin that are given to objects.
const firstMapped = 0xF0000000

func newHashes() hashes {
	return hashes{objects: map[trace.ObjectID]uint32{}, threads: map[trace.ThreadID]uint32{}, taken: map[uint32]bool{}, own: map[uint32]bool{},
		next: firstMapped, isThread: map[trace.ObjectID]bool{}}
}

// of is the hash code of the object; 0 if the id names none.
func (h *hashes) of(id trace.ObjectID) uint32 {
	if !id.IsObject() {
		return 0
	}
	if code, ok := h.objects[id]; ok {
		return code
	}
	if number, ok := id.Number(); ok && number <= math.MaxUint32 && !h.taken[uint32(number)] {
		if number >= firstMapped {
			h.own[uint32(number)] = true
		}
		return uint32(number)
	}
	h.objects[id] = h.give()
	return h.objects[id]
}

// ofThread is the hash code of a thread of which the trace does not say the object.
func (h *hashes) ofThread(id trace.ThreadID) uint32 {
	if _, ok := h.threads[id]; !ok {
		h.threads[id] = h.give()
	}
	return h.threads[id]
}

// give gives a hash code that nobody has. When there are no more, the last one is given again.
func (h *hashes) give() uint32 {
	for h.next < math.MaxUint32 && (h.own[h.next] || h.taken[h.next]) {
		h.next++
	}
	h.mapped++
	h.taken[h.next] = true
	return h.next
}

// forget is for an id that comes to be that of another object.
func (h *hashes) forget(id trace.ObjectID) {
	delete(h.objects, id)
	delete(h.isThread, id)
}

// move is for an object that has another id from here on; it keeps its hash code.
func (h *hashes) move(from, to trace.ObjectID) {
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	code := h.of(from)
	if h.isThread[from] {
		h.isThread[to] = true
	}
	h.forget(from)
	h.objects[to] = code
	h.taken[code] = true
}
