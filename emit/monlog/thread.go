package monlog

import (
	"math"

	"github.com/trcx/trcx/internal/lru"
	"github.com/trcx/trcx/trace"
)

// thread is a thread, or the object of an unknown one.
type thread struct {
	id     trace.ThreadID // unknown if only the object is known
	object trace.ObjectID
	hash   uint64
	wait   string // the event that ends its open wait
	ended  bool
}

// threads has the live threads and the last ended ones, which may still be named as owners or be joined.
type threads struct {
	hashes   hashes
	byID     map[trace.ThreadID]*thread // the newest of each id
	byObject map[trace.ObjectID]*thread // the newest of each object
	ended    *lru.Ring[*thread]         // threads that have ended, and threads of which only the object is known
}

// maxEnded is the limit of threads that have ended, or that were started or interrupted but never acted.
const maxEnded = 1 << 16

func newThreads(of hashes) threads {
	return threads{hashes: of, byID: map[trace.ThreadID]*thread{}, byObject: map[trace.ObjectID]*thread{},
		ended: lru.NewRing[*thread](maxEnded)}
}

// of returns the newest thread of the id.
func (t *threads) of(id trace.ThreadID) *thread {
	if t.byID[id] == nil {
		t.byID[id] = &thread{id: id, hash: t.hashes.give()}
	}
	return t.byID[id]
}

// start adds a thread that begins. If its object is unknown, it keeps the hash code of its id.
func (t *threads) start(id trace.ThreadID, object trace.ObjectID) *thread {
	before := t.byID[id]
	started := &thread{id: id, object: object}
	switch {
	case object.IsObject():
		started.hash = t.hashes.of(object)
		t.byObject[object] = started
	case before != nil && !before.object.IsObject():
		started.hash = before.hash
	default:
		started.hash = t.hashes.give()
	}
	t.byID[id] = started
	if before != nil {
		t.end(before)
	}
	return started
}

// end marks a thread as ended.
func (t *threads) end(ended *thread) {
	ended.wait = ""
	if !ended.ended {
		ended.ended = true
		t.evict(ended)
	}
}

// addObject adds the object of an unknown thread.
func (t *threads) addObject(object trace.ObjectID) {
	if object.IsObject() && t.byObject[object] == nil {
		t.byObject[object] = &thread{object: object}
		t.evict(t.byObject[object])
	}
}

// isThread reports whether the object belongs to a thread other than this one.
func (t *threads) isThread(object trace.ObjectID, than *thread) bool {
	return t.byObject[object] != nil && object != than.object
}

// evict adds a thread to the ended ones, and drops the oldest of these if there are too many.
func (t *threads) evict(ended *thread) {
	gone, left := t.ended.Put(ended)
	if !left {
		return
	}
	newest := t.byID[gone.id]
	if newest == gone {
		delete(t.byID, gone.id)
	}
	switch {
	case !gone.object.IsObject():
		if newest == gone || newest == nil || newest.hash != gone.hash {
			t.hashes.release(gone.hash)
		}
	case t.byObject[gone.object] == gone:
		t.forget(gone.object)
	}
}

// forget drops a freed object, or one whose id is used again.
func (t *threads) forget(object trace.ObjectID) {
	delete(t.byObject, object)
	t.hashes.forget(object)
}

// move changes the id of an object.
func (t *threads) move(from, to trace.ObjectID) {
	if !from.IsObject() || !to.IsObject() || from == to {
		return
	}
	moved := t.byObject[from]
	delete(t.byObject, from)
	delete(t.byObject, to)
	if moved != nil {
		moved.object = to
		t.byObject[to] = moved
	}
	t.hashes.move(from, to)
}

// numbers has a number for each id of a kind. An id that is a number keeps it; any other id gets an unused number from
// first to last.
type numbers[ID comparable] struct {
	given       map[ID]uint64
	taken       map[uint64]bool // the values of given, and numbers without an id
	own         map[uint64]bool // ids from first on
	first, last uint64
	next        uint64
	count       int // of given numbers, also of released ones
}

func newNumbers[ID comparable](first, last uint64) *numbers[ID] {
	return &numbers[ID]{given: map[ID]uint64{}, taken: map[uint64]bool{}, own: map[uint64]bool{}, first: first,
		last: last, next: first}
}

// of returns the number of an id; with isNumber it is the parameter number.
func (n *numbers[ID]) of(id ID, number uint64, isNumber bool) uint64 {
	if known, ok := n.given[id]; ok {
		return known
	}
	if !isNumber || n.taken[number] {
		n.given[id] = n.give()
		return n.given[id]
	}
	if number >= n.first {
		n.own[number] = true
	}
	return number
}

// give returns an unused number, or the last one when there are no more. Released numbers are reused as late as
// possible.
func (n *numbers[ID]) give() uint64 {
	n.count++
	if uint64(len(n.own)+len(n.taken)) > n.last-n.first {
		return n.last
	}
	for n.own[n.next] || n.taken[n.next] {
		n.advance()
	}
	number := n.next
	n.taken[number] = true
	n.advance()
	return number
}

func (n *numbers[ID]) advance() {
	if n.next++; n.next < n.first || n.next > n.last {
		n.next = n.first
	}
}

// release makes a given number free.
func (n *numbers[ID]) release(number uint64) { delete(n.taken, number) }

// hashes has the hash codes of objects. An id that is a number of 32 bits is its own hash code.
type hashes struct {
	*numbers[trace.ObjectID]
}

// firstMapped is the first hash code that is given to objects.
const firstMapped = 0xF0000000

func newHashes() hashes {
	return hashes{newNumbers[trace.ObjectID](firstMapped, math.MaxUint32)}
}

// of returns the hash code of an object; 0 if the id names no object.
func (h hashes) of(id trace.ObjectID) uint64 {
	if !id.IsObject() {
		return 0
	}
	number, ok := ownHash(id)
	return h.numbers.of(id, number, ok)
}

// ownHash returns the id as a hash code, if the id can be one.
func ownHash(id trace.ObjectID) (uint64, bool) {
	number, ok := id.Number()
	return number, ok && number <= math.MaxUint32
}

// forget releases the hash code of a freed object, or of one whose id is used again.
func (h hashes) forget(id trace.ObjectID) {
	if code, given := h.given[id]; given {
		delete(h.given, id)
		h.release(code)
	} else if number, ok := ownHash(id); ok {
		delete(h.own, number)
	}
}

// move changes the id of an object, which keeps its hash code.
func (h hashes) move(from, to trace.ObjectID) {
	code := h.of(from)
	h.forget(from)
	h.forget(to)
	h.given[to], h.taken[code] = code, true
}
