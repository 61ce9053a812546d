package jfr

import "github.com/trcx/trcx/trace"

// Objects are known by addresses. Those of monitors are addresses of what the JVM keeps of a monitor, outside of the
// heap (since JDK 16); those of blockers, and of monitors before, are the objects' own, which a collection moves.

// spot is an address of a JVM.
type spot struct {
	scope   uint32
	address uint64
}

// space is where the heap of a JVM lies.
type space struct{ begin, end uint64 }

// object is what lies at an address.
type object struct {
	number uint64
	class  uint32
	epoch  uint64 // in which it was last seen
	open   int    // how many threads wait for it
	seen   trace.Time
}

// objects are those that lie at the addresses now.
type objects struct {
	at     map[spot]*object
	spaces map[uint32]space
	epoch  uint64 // counts beginnings and ends of collections
	last   uint64 // the last number that was given
	most   int    // how many there may be before those for which nobody waits are forgotten
	worth  int    // how many there must be before a collection is a reason to look for those that moved
}

// maxObjects is how many objects are told by their addresses at a time, besides those that threads wait for; fewObjects
// how many are kept in any case.
const maxObjects, fewObjects = 1 << 20, 1 << 12

func newObjects(spaces map[uint32]space) objects {
	return objects{at: map[spot]*object{}, spaces: spaces, most: maxObjects, worth: fewObjects}
}

// next is a number that no object has.
func (o *objects) next() uint64 {
	o.last++
	return o.last
}

// find is the object at the spot; isNew says that none was known there. Another class makes it another object, and so
// does a collection, unless a thread has waited for it all the time, or it lies where collections move nothing, or a
// monitor that was made anew.
func (o *objects) find(s spot, class uint32, anew bool) (found *object, isNew bool) {
	found = o.at[s]
	if found != nil && (class == 0 || found.class == 0 || class == found.class) &&
		(found.open > 0 || !anew && !o.moved(s, found)) {
		found.epoch = o.epoch
		return found, false
	}
	if len(o.at) >= o.most {
		o.sweep(func(spot, *object) bool { return true })
		o.most = max(maxObjects, len(o.at)+len(o.at)/4) // looking at all of them must not come often
	}
	found = &object{number: o.next(), class: class, epoch: o.epoch}
	o.at[s] = found
	return found, true
}

// moved says whether a collection can have put another object there since.
func (o *objects) moved(s spot, at *object) bool {
	if at.epoch == o.epoch {
		return false
	}
	heap, known := o.spaces[s.scope]
	return !known || s.address >= heap.begin && s.address < heap.end
}

// collected notes that a collection begins or ends.
func (o *objects) collected() {
	if o.epoch++; len(o.at) > o.worth {
		o.sweep(o.moved)
		o.worth = max(fewObjects, 2*len(o.at))
	}
}

// sweep forgets objects that nobody waits for.
func (o *objects) sweep(gone func(spot, *object) bool) {
	for s, at := range o.at {
		if at.open == 0 && gone(s, at) {
			delete(o.at, s)
		}
	}
}

// put says which object lies at the spot.
func (o *objects) put(s spot, at *object) {
	at.epoch = o.epoch
	o.at[s] = at
}
