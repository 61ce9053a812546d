package synthetic

import "github.com/trcx/trcx/trace"

const (
	firstObject = 1_001
	// liveObjects is how many objects may be there before they are collected, collected how many one collection frees.
	liveObjects = 1_500
	collected   = 48
	heapSize    = 64 << 20
)

// What objAlloc says of arrays: the codes of JVMPI.
const (
	noArray      = 0
	objectsArray = 2
	bytesArray   = 8
)

// heap knows which objects can be freed, and which ids can be given out again.
type heap struct {
	garbage []object // nobody but the program's own data refers to them
	free    []uint64
	next    uint64
	objects uint64 // that live
	used    uint64 // bytes that they occupy
}

type object struct{ id, size uint64 }

// newID returns the id of a freed object, or one that was never used.
func (h *heap) newID() uint64 {
	if n := len(h.free); n > 0 {
		id := h.free[n-1]
		h.free = h.free[:n-1]
		return id
	}
	h.next++
	return firstObject + h.next - 1
}

// allocate writes the objAlloc of an object that t makes, or that was there from the beginning if t is nil.
func (m *machine) allocate(t *thread, class int, size uint64) object {
	made := object{m.heap.newID(), size}
	m.heap.objects++
	m.heap.used += size
	e := m.out.start(trace.ObjAlloc).number(trace.AttrObjID, made.id).number(trace.AttrClassIDRef, classID(class)).
		number(trace.AttrSize, size).number(trace.AttrIsArray, arrayCode(class))
	if t != nil {
		e.number(trace.AttrThreadIDRef, t.id)
	}
	e.moment(trace.AttrTime, m.tick()).finish()
	return made
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

// produce allocates some data, or collects garbage if there is too much of it.
func (m *machine) produce() {
	if len(m.heap.garbage) >= liveObjects {
		m.collect()
		return
	}
	class := m.random.IntN(m.classes)
	size := uint64(2+m.random.IntN(12)) * 8
	if arrayCode(class) != noArray {
		size = uint64(2+m.random.IntN(500)) * 8
	}
	m.heap.garbage = append(m.heap.garbage, m.allocate(m.scheduled(), class, size))
}

// collect frees some objects between a gcStart and a gcFinish. All threads stand still meanwhile.
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
