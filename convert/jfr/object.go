package jfr

import "github.com/trcx/trcx/trace"

// objectKey is the address of an object in a JVM. Since JDK 16 the address of a monitor is where the JVM's own
// structure is, outside of the heap. Addresses of blockers, and of monitors before JDK 16, are addresses of objects,
// and a collection changes them.
type objectKey struct {
	jvm     uint32
	address uint64
}

// peers is the first address of the peers and paths of input and output, to which the id of their text is added. A
// process has no memory at such addresses.
const peers = 1 << 63

// heapRange is the address range of a JVM's heap.
type heapRange struct{ begin, end uint64 }

// object is the object at an address.
type object struct {
	number  uint64 // its id in the trace
	class   uint32
	epoch   uint64 // of its last use
	waiters int    // threads in an interval at the object
	seen    trace.Time
}

// objectTable has the objects at the addresses at the current time.
type objectTable struct {
	objects map[objectKey]*object
	heaps   map[uint32]heapRange // by JVM
	epoch   uint64               // counts begins and ends of collections
	last    uint64               // the last number assigned
	limit   int                  // of objects, before those without waiters are removed
	sweepAt int                  // number of objects from which a collection removes those it can have moved
}

// maxObjects limits the objects without waiters; minSweep is the number of objects kept in any case.
const maxObjects, minSweep = 1 << 20, 1 << 12

func newObjectTable(heaps map[uint32]heapRange) objectTable {
	return objectTable{objects: map[objectKey]*object{}, heaps: heaps, limit: maxObjects, sweepAt: minSweep}
}

// next returns an unused number.
func (t *objectTable) next() uint64 {
	t.last++
	return t.last
}

// lookup returns the object at an address; isNew reports that it is another one than before. It is another one if it
// has another class, if a collection can have moved it and no thread has waited for it since, or if its monitor was
// inflated anew.
func (t *objectTable) lookup(k objectKey, class uint32, inflated bool) (found *object, isNew bool) {
	found = t.objects[k]
	if found != nil && (class == 0 || found.class == 0 || class == found.class) &&
		(found.waiters > 0 || !inflated && !t.moved(k, found)) {
		found.epoch = t.epoch
		return found, false
	}
	if len(t.objects) >= t.limit {
		t.removeIf(func(objectKey, *object) bool { return true })
		t.limit = max(maxObjects, len(t.objects)+len(t.objects)/4) // amortizes visiting all objects
	}
	found = &object{number: t.next(), class: class, epoch: t.epoch}
	t.objects[k] = found
	return found, true
}

// moved reports whether a collection can have moved the object.
func (t *objectTable) moved(k objectKey, o *object) bool {
	if o.epoch == t.epoch || k.address >= peers {
		return false
	}
	heap, ok := t.heaps[k.jvm]
	return !ok || k.address >= heap.begin && k.address < heap.end
}

// collection notes that a collection begins or ends.
func (t *objectTable) collection() {
	if t.epoch++; len(t.objects) > t.sweepAt {
		t.removeIf(t.moved)
		t.sweepAt = max(minSweep, 2*len(t.objects))
	}
}

// removeIf removes objects without waiters.
func (t *objectTable) removeIf(remove func(objectKey, *object) bool) {
	for k, o := range t.objects {
		if o.waiters == 0 && remove(k, o) {
			delete(t.objects, k)
		}
	}
}

// put sets the object at an address.
func (t *objectTable) put(k objectKey, o *object) {
	o.epoch = t.epoch
	t.objects[k] = o
}
