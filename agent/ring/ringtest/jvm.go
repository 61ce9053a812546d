package ringtest

import (
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/trcx/trcx/agent/ring"
)

// Offsets in the memory, in bytes.
const (
	versionAt     = 8
	pidAt         = 12
	wakeAt        = 16
	sleepingAt    = 20
	phaseAt       = 24
	stalledAt     = 28
	epochAt       = 32
	startedAt     = 40
	endedAt       = 48
	ringsAt       = 56
	stopAt        = 60
	ringlessAt    = 64
	javaVersionAt = 80
	alignmentAt   = 96
	extensionsAt  = 104
	jvmAt         = 128

	controls            = 4096
	control             = 128
	definitionCells     = controls + 4<<20 + 4096
	firstExtensionCells = definitionCells + 1<<20
	extensionCells      = 1 << 20
	firstThreadCells    = firstExtensionCells + 64<<20
	threadCells         = 64 << 10
)

// JVM is the producers' end of a segment.
type JVM struct {
	// Segment is the consumer's end.
	Segment *ring.Segment
	// Patient makes threads wait for a full ring as long as it takes. A JVM's threads would drop records in the end.
	Patient bool

	memory      []byte
	defining    sync.Mutex
	definitions *Producer
}

// Epoch is added to times of the rings, so that they look like times of a trace.
const Epoch = 1_700_000_000_000_000_000

// New returns a JVM that has not begun to record.
func New() (*JVM, error) {
	memory, err := reserve(ring.SegmentSize)
	if err != nil {
		return nil, fmt.Errorf("no memory for a segment: %w", err)
	}
	j := &JVM{memory: memory}
	binary.LittleEndian.PutUint64(memory, ring.Magic)
	binary.LittleEndian.PutUint32(memory[versionAt:], ring.Version)
	j.time(epochAt).Store(Epoch)
	j.time(startedAt).Store(ring.Now())
	j.definitions = j.producer(0)
	j.Segment = ring.At(memory)
	return j, nil
}

// Close frees the memory. The segment cannot be used any more.
func (j *JVM) Close() { release(j.memory) }

// Begin begins the recording.
func (j *JVM) Begin(pid, javaVersion int, name string) {
	copy(j.memory[jvmAt:jvmAt+256], name)
	j.word(javaVersionAt).Store(uint32(javaVersion))
	j.word(phaseAt).Store(uint32(ring.Recording))
	j.word(pidAt).Store(uint32(pid))
}

// End ends the recording, at a time of the rings.
func (j *JVM) End(time int64) {
	j.time(endedAt).Store(time)
	j.word(phaseAt).Store(uint32(ring.Ended))
}

// SetStarted sets the time at which the recording began.
func (j *JVM) SetStarted(time int64) { j.time(startedAt).Store(time) }

// SetAlignment sets the alignment of objects in bytes.
func (j *JVM) SetAlignment(bytes uint32) { j.word(alignmentAt).Store(bytes) }

// Stalled reports whether the consumer has called SetStalled(true).
func (j *JVM) Stalled() bool { return j.word(stalledAt).Load() != 0 }

// Memory returns the shared memory, for tests that damage it.
func (j *JVM) Memory() []byte { return j.memory }

// Extensions returns a bit for each extension that is in use.
func (j *JVM) Extensions() uint64 { return j.count(extensionsAt).Load() }

// SetExtensions sets which extensions are in use. If all are, a full ring gets none.
func (j *JVM) SetExtensions(used uint64) { j.count(extensionsAt).Store(used) }

// Ringless counts a record that is lost because no ring is free.
func (j *JVM) Ringless() { j.count(ringlessAt).Add(1) }

// Define publishes a definition, and reports whether it fits.
func (j *JVM) Define(record ring.Record) bool {
	j.defining.Lock()
	defer j.defining.Unlock()
	return j.definitions.Put(record)
}

// Thread returns a free ring for a thread, or nil if none is free.
func (j *JVM) Thread() *Producer {
	for n := range ring.MaxRings {
		state := j.word(controls + (n+1)*control + 12)
		if state.Load() != free || !state.CompareAndSwap(free, live) {
			continue
		}
		for used := j.word(ringsAt); ; {
			if before := used.Load(); before > uint32(n) || used.CompareAndSwap(before, uint32(n+1)) {
				return j.producer(n + 1)
			}
		}
	}
	return nil
}

func (j *JVM) word(at int) *atomic.Uint32  { return (*atomic.Uint32)(unsafe.Pointer(&j.memory[at])) }
func (j *JVM) count(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&j.memory[at])) }
func (j *JVM) time(at int) *atomic.Int64   { return (*atomic.Int64)(unsafe.Pointer(&j.memory[at])) }

// wake wakes the consumer, if it sleeps.
func (j *JVM) wake() {
	if j.word(sleepingAt).Load() != 0 {
		j.Segment.Wake()
	}
}

// Producers returns the producers of all rings that have ever been used, the definitions ring's first.
func (j *JVM) Producers() []*Producer {
	all := []*Producer{j.definitions}
	for n := range int(j.word(ringsAt).Load()) {
		all = append(all, j.producer(n+1))
	}
	return all
}
