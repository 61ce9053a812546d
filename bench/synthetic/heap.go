package synthetic

import "github.com/trcx/trcx/trace"

const (
	firstObject = 1_001
	// liveObjects is the number of collectable objects that triggers a collection; one collection frees collected.
	liveObjects = 1_500
	collected   = 48
	heapSize    = 64 << 20
	objectSize  = 16
)

// Values of objAlloc's isArray, the codes of JVMPI.
const (
	noArray      = 0
	objectsArray = 2
	bytesArray   = 8
)

// heap is the simulated heap: the objects that can be freed, and the ids that can be used again.
type heap struct {
	garbage []object // objects that can be collected
	free    []uint64
	next    uint64
	objects uint64 // number of live objects
	used    uint64 // their size in bytes
}

type object struct{ id, size uint64 }

// newID returns the id of a freed object, or a new one.
func (h *heap) newID() uint64 {
	if n := len(h.free); n > 0 {
		id := h.free[n-1]
		h.free = h.free[:n-1]
		return id
	}
	h.next++
	return firstObject + h.next - 1
}

// allocate writes the objAlloc of an object that t allocates, or that exists from the beginning if t is nil.
func (m *machine) allocate(t *thread, class int, size uint64) object {
	allocated := object{m.heap.newID(), size}
	m.heap.objects++
	m.heap.used += size
	e := m.out.start(trace.ObjAlloc).number(trace.AttrObjID, allocated.id).number(trace.AttrClassIDRef, classID(class)).
		number(trace.AttrSize, size).number(trace.AttrIsArray, arrayCode(class))
	if t != nil {
		e.number(trace.AttrThreadIDRef, t.id)
	}
	e.moment(trace.AttrTime, m.tick()).finish()
	return allocated
}

func arrayCode(class int) uint64 {
	switch class {
	case bytesClass:
		return bytesArray
	case objectsClass:
		return objectsArray
	default:
		return noArray
	}
}

// produce allocates an object, or collects garbage.
func (m *machine) produce() {
	if len(m.heap.garbage) >= liveObjects {
		m.collect()
		return
	}
	class := m.random.IntN(m.classes)
	size := sizeOf(class)
	if arrayCode(class) != noArray {
		size = uint64(2+m.random.IntN(500)) * 8
	}
	m.heap.garbage = append(m.heap.garbage, m.allocate(m.scheduled(), class, size))
}

// sizeOf returns the size of the objects of a class.
func sizeOf(class int) uint64 {
	switch class {
	case objectClass:
		return objectSize
	case threadClass:
		return threadSize
	}
	return uint64(2+class%12) * 8
}

// collect frees some objects between a gcStart and a gcFinish, during which no thread runs.
func (m *machine) collect() {
	m.out.start(trace.GCStart).moment(trace.AttrTime, m.tick()).finish()
	for range collected {
		m.free(m.random.IntN(len(m.heap.garbage)))
	}
	m.out.start(trace.GCFinish).moment(trace.AttrTime, m.tick()).number(trace.AttrUsedObjects, m.heap.objects).
		number(trace.AttrUsedObjSpace, m.heap.used).number(trace.AttrTotalObjSpace, heapSize).finish()
}

func (m *machine) free(place int) {
	h := &m.heap
	gone, last := h.garbage[place], len(h.garbage)-1
	h.garbage[place] = h.garbage[last]
	h.garbage = h.garbage[:last]
	h.free = append(h.free, gone.id)
	h.objects--
	h.used -= gone.size
	m.out.start(trace.ObjFree).number(trace.AttrObjIDRef, gone.id).moment(trace.AttrTime, m.tick()).finish()
}
