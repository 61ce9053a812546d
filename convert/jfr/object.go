package jfr

import (
	"math"
	"strconv"

	"github.com/trcx/trcx/trace"
)

// objectKey is the address of an object in a JVM. Since JDK 16 a monitor's address is where a structure of the JVM is,
// outside of the heap. Blockers, and monitors before JDK 16, have the addresses of objects, which a collection changes.
type objectKey struct {
	jvm     uint32
	address uint64
}

// peers is the first address for the peers and paths of input and output; the id of their text is added to it. No
// process has memory at such addresses.
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

// objectTable has the objects that are now at the addresses.
type objectTable struct {
	objects map[objectKey]*object
	heaps   map[uint32]heapRange // by JVM
	epoch   uint64               // counts begins and ends of collections
	last    uint64               // the last number assigned
	limit   int                  // of objects; beyond it, objects without waiters are removed
	sweepAt int                  // number of objects from which on a collection removes objects that it can have moved
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

// lookup returns the object at an address; isNew reports that it is another object than before. It is if its class
// differs, if a collection can have moved the old one and no thread has waited for that since, or if its monitor was
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

// Events of input and output have no object. Each peer and each path becomes an object of one of these classes.
const socketClass, fileClass = "java/net/Socket", "java/io/File"

var socketFields = fieldSlots{"host": slotName, "address": slotText, "port": slotID, "timeout": slotTimeout}

func (r *reader) socketRead(d *decoder, e *event) bool  { return r.socket(d, e, 0) }
func (r *reader) socketWrite(d *decoder, e *event) bool { return r.socket(d, e, flagWrite) }

// socket decodes input or output of a socket. The peer is its host, or else its address, with the port.
func (r *reader) socket(d *decoder, e *event, f flags) bool {
	peer := r.constants.string(d.typeDecoder, &r.values, slotName)
	if peer == "" {
		peer = r.constants.string(d.typeDecoder, &r.values, slotText)
	}
	if peer != "" && d.has[slotID] {
		peer += ":" + strconv.FormatUint(r.values.numbers[slotID], 10)
	}
	e.timeout = unknownTimeout
	if nanos, ok := r.timespan(d, slotTimeout); ok && nanos > 0 {
		e.timeout = nanos
	}
	r.inputOutput(e, f, peer, socketClass)
	return true
}

func (r *reader) fileRead(d *decoder, e *event) bool  { return r.file(d, e, flagFile) }
func (r *reader) fileWrite(d *decoder, e *event) bool { return r.file(d, e, flagFile|flagWrite) }

func (r *reader) file(d *decoder, e *event, f flags) bool {
	e.timeout = unknownTimeout
	r.inputOutput(e, f, r.constants.string(d.typeDecoder, &r.values, slotText), fileClass)
	return true
}

func (r *reader) inputOutput(e *event, f flags, peer, class string) {
	e.kind, e.flags = kindIO, f
	if e.text = r.peer(peer); e.text != 0 {
		e.address, e.class = peers+uint64(e.text), r.symbols.internName(class)
	}
}

// maxPeers limits the different peers and paths. Further ones are unknown.
const maxPeers = 1 << 16

// peer returns the id of a peer or path.
func (r *reader) peer(name string) uint32 {
	if id, ok := r.symbols.nameIDs[name]; ok || r.peers == maxPeers {
		return id
	}
	r.peers++
	return r.symbols.internName(name)
}

// inputOutput emits the begin of a wait for input or output, with its peer or path.
func (m *emitter) inputOutput(t *thread, e *event) {
	if !m.openInterval(t, e) {
		return
	}
	m.setObject(t, m.object(t, e))
	operation, name := trace.IORead, trace.NotePeer
	if e.flags&flagWrite != 0 {
		operation = trace.IOWrite
	}
	if e.flags&flagFile != 0 {
		name = trace.NotePath
	}
	wait := timeoutAttr(m.beginElement(t, e, trace.MonWait, t.at.number), e).IO(operation)
	if e.text != 0 {
		wait = wait.Annotate(name, m.symbols.names[e.text])
	}
	m.put(wait)
}

// load is the load of the JVM's machine, if the recording has it.
type load struct {
	collections, paused uint64 // number of collections, and ns in which they paused the JVM
	samples             uint64 // of the processors
	jvm, machine        share
	processors          float64 // of the machine or the container; 0 if unknown
	thread              float64 // the largest share of them that one thread used
	period              int64   // between two loads of a thread, in ns; 0 if unknown
}

// share adds up samples of a load; each is a share of all processors, from 0 to 1.
type share struct{ sum, most float64 }

func (s *share) add(sample float64) {
	s.sum += sample
	s.most = max(s.most, sample)
}

// part returns a share of all processors, from 0 to 1.
func (r *reader) part(at slot) float64 {
	value := float64(math.Float32frombits(uint32(r.values.numbers[at])))
	if !(value >= 0) { // NaN, too
		return 0
	}
	return min(value, 1)
}

// cpuLoad adds up the sample and drops the event.
func (r *reader) cpuLoad(*decoder, *event) bool {
	r.load.samples++
	r.load.jvm.add(min(r.part(slotLow)+r.part(slotHigh), 1))
	r.load.machine.add(r.part(slotTotal))
	return false
}

// wholeLoad stands for the load of all processors in an event.
const wholeLoad = 1 << 30

// threadLoad decodes the load of one thread, as a share of the JVM's processors.
func (r *reader) threadLoad(_ *decoder, e *event) bool {
	e.kind, e.duration = kindLoad, 0
	load := min(r.part(slotLow)+r.part(slotHigh), 1)
	e.size = uint64(load * wholeLoad)
	r.load.thread = max(r.load.thread, load)
	return true
}

// processors decodes the number of processors. If the recording has several numbers, the JVM has the least of them.
func (r *reader) processors(*decoder, *event) bool {
	count := float64(r.values.numbers[slotCount])
	if count > 0 && (r.load.processors == 0 || count < r.load.processors) {
		r.load.processors = count
	}
	return false
}

// inUse returns the number of the JVM's processors, as loads count them; 0 if unknown. As no thread uses more than one,
// a larger load shows that the JVM was bound to fewer than there are.
func (l *load) inUse() float64 {
	if l.thread > 0 {
		return min(l.processors, 1/l.thread)
	}
	return l.processors
}

// busy returns what part of a processor, 1/busy, a thread must have used to have computed. For a thread that used less
// the figure says little: waits below the thresholds are unknown, so that it seems to run. But if the machine
// lacks processors, it rather waits for one of them.
func (l *load) busy() int64 {
	const half, tenth, lacking = 2, 10, 0.9
	if l.samples > 0 && l.machine.sum/float64(l.samples) >= lacking {
		return tenth
	}
	return half
}

// emitLoad emits options with the sums: the number of collections, the ns of their pauses, and the mean and the largest
// load of the processors, from 0 to 1.
func (r *reader) emitLoad(m *emitter) {
	part := func(value float64) string { return strconv.FormatFloat(value, 'f', 3, 64) }
	if r.load.collections > 0 {
		m.option("gc.collections", strconv.FormatUint(r.load.collections, 10))
		m.option("gc.paused", strconv.FormatUint(r.load.paused, 10))
	}
	if r.load.samples > 0 {
		samples := float64(r.load.samples)
		m.option(trace.OptionJVMLoad, part(r.load.jvm.sum/samples))
		m.option(trace.OptionJVMMaxLoad, part(r.load.jvm.most))
		m.option(trace.OptionMachineLoad, part(r.load.machine.sum/samples))
		m.option(trace.OptionMachineMaxLoad, part(r.load.machine.most))
	}
}
