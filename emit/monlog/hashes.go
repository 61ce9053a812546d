package monlog

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// hashes are the hash codes of objects. An id that is a number of 32 bits is its own hash code; the others get one of
// those from firstMapped on that no other object has.
type hashes struct {
	objects map[trace.ObjectID]uint32 // that are not their own
	taken   map[uint32]bool           // those that were given to others
	own     map[uint32]bool           // those from firstMapped on that are their own
	next    uint32
	mapped  int
}

// firstMapped is where the hash codes begin that are given to objects.
const firstMapped = 0xF0000000

func newHashes() *hashes {
	return &hashes{objects: map[trace.ObjectID]uint32{}, taken: map[uint32]bool{}, own: map[uint32]bool{},
		next: firstMapped}
}

// of is the hash code of the object; 0 if the id names none.
func (h *hashes) of(id trace.ObjectID) uint32 {
	if !id.IsObject() {
		return 0
	}
	if code, ok := h.objects[id]; ok {
		return code
	}
	if number, ok := ownHash(id); ok && !h.taken[number] {
		if number >= firstMapped {
			h.own[number] = true
		}
		return number
	}
	h.objects[id] = h.give()
	return h.objects[id]
}

// ownHash is the id as a hash code, if it is one.
func ownHash(id trace.ObjectID) (uint32, bool) {
	number, ok := id.Number()
	return uint32(number), ok && number <= math.MaxUint32
}

// give gives a hash code that nobody has; when there are no more, the last one. Those that nobody has any more come
// again as late as possible.
func (h *hashes) give() uint32 {
	h.mapped++
	if len(h.own)+len(h.taken) > math.MaxUint32-firstMapped {
		return math.MaxUint32
	}
	for h.own[h.next] || h.taken[h.next] {
		h.advance()
	}
	code := h.next
	h.taken[code] = true
	h.advance()
	return code
}

func (h *hashes) advance() {
	if h.next++; h.next < firstMapped {
		h.next = firstMapped
	}
}

// release is for a hash code that was given and that nobody has any more.
func (h *hashes) release(code uint32) { delete(h.taken, code) }

// forget is for an object that is gone, or whose id comes to be that of another one.
func (h *hashes) forget(id trace.ObjectID) {
	if code, given := h.objects[id]; given {
		delete(h.objects, id)
		h.release(code)
	} else if number, ok := ownHash(id); ok {
		delete(h.own, number)
	}
}

// move is for an object that has another id from here on; it keeps its hash code.
func (h *hashes) move(from, to trace.ObjectID) {
	code := h.of(from)
	h.forget(from)
	h.forget(to)
	h.objects[to] = code
	h.taken[code] = true
}
