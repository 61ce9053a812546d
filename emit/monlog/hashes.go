package monlog

import (
	"math"

	"github.com/trcx/trcx/trace"
)

// hashes are the hash codes of objects. An id that is a number of 32 bits is its own hash code; the others are assigned
// one from firstMapped on that no other object has.
type hashes struct {
	objects  map[trace.ObjectID]uint32 // assigned hash codes
	assigned map[uint32]bool           // the values of objects
	own      map[uint32]bool           // ids from firstMapped on
	next     uint32
	mapped   int
}

// firstMapped is the first hash code that is assigned to objects.
const firstMapped = 0xF0000000

func newHashes() *hashes {
	return &hashes{objects: map[trace.ObjectID]uint32{}, assigned: map[uint32]bool{}, own: map[uint32]bool{},
		next: firstMapped}
}

// of returns the hash code of an object; 0 if the id names none.
func (h *hashes) of(id trace.ObjectID) uint32 {
	if !id.IsObject() {
		return 0
	}
	if code, ok := h.objects[id]; ok {
		return code
	}
	if number, ok := ownHash(id); ok && !h.assigned[number] {
		if number >= firstMapped {
			h.own[number] = true
		}
		return number
	}
	h.objects[id] = h.give()
	return h.objects[id]
}

// ownHash returns the id as a hash code, if it is one.
func ownHash(id trace.ObjectID) (uint32, bool) {
	number, ok := id.Number()
	return uint32(number), ok && number <= math.MaxUint32
}

// give assigns an unused hash code; when there are no more, the last one. Released ones are used again as late as
// possible.
func (h *hashes) give() uint32 {
	h.mapped++
	if len(h.own)+len(h.assigned) > math.MaxUint32-firstMapped {
		return math.MaxUint32
	}
	for h.own[h.next] || h.assigned[h.next] {
		h.advance()
	}
	code := h.next
	h.assigned[code] = true
	h.advance()
	return code
}

func (h *hashes) advance() {
	if h.next++; h.next < firstMapped {
		h.next = firstMapped
	}
}

// release releases an assigned hash code.
func (h *hashes) release(code uint32) { delete(h.assigned, code) }

// forget releases the hash code of a freed object, or of one whose id is used again.
func (h *hashes) forget(id trace.ObjectID) {
	if code, given := h.objects[id]; given {
		delete(h.objects, id)
		h.release(code)
	} else if number, ok := ownHash(id); ok {
		delete(h.own, number)
	}
}

// move changes the id of an object, which keeps its hash code.
func (h *hashes) move(from, to trace.ObjectID) {
	code := h.of(from)
	h.forget(from)
	h.forget(to)
	h.objects[to] = code
	h.assigned[code] = true
}
