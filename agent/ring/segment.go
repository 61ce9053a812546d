package ring

import (
	"bytes"
	"sync/atomic"
	"unsafe"
)

// Segment is the shared memory. One goroutine consumes it; the header's fields may be read by others.
type Segment struct {
	memory      []byte
	file        int // its descriptor, or -1
	definitions Ring
	rings       []*Ring // those that have been looked at
}

// At returns the segment of the memory, which must be SegmentSize bytes that agent/native has laid out.
func At(memory []byte) *Segment {
	s := &Segment{memory: memory, file: -1}
	s.definitions = s.ring(0, memory[definitionsAt:ringsAt])
	return s
}

// format writes the header of an empty segment.
func (s *Segment) format(now, epoch int64) {
	s.uint64(atMagic).Store(Magic)
	s.uint32(atVersion).Store(Version)
	s.int64(atEpoch).Store(epoch)
	s.int64(atStarted).Store(now)
}

// Valid says whether the memory is laid out as this version lays it out.
func (s *Segment) Valid() bool {
	return s.uint64(atMagic).Load() == Magic && s.uint32(atVersion).Load() == Version
}

// Phase is how far the recording is.
func (s *Segment) Phase() Phase { return Phase(s.uint32(atPhase).Load()) }

// PID is the process of the JVM; 0 before the agent has been loaded.
func (s *Segment) PID() int { return int(s.uint32(atPID).Load()) }

// Epoch is what is to be added to a time to get nanoseconds since 1970, UTC.
func (s *Segment) Epoch() int64 { return s.int64(atEpoch).Load() }

// Started is when the recording began, by the monotonic clock.
func (s *Segment) Started() int64 { return s.int64(atStarted).Load() }

// Ended is when it ended; 0 if it did not, or not in order.
func (s *Segment) Ended() int64 { return s.int64(atEnded).Load() }

// Ringless counts the records that were lost because no ring was free.
func (s *Segment) Ringless() uint64 { return s.uint64(atRingless).Load() }

// LeftAlone counts the classes that should have been rewritten and could not be, safely.
func (s *Segment) LeftAlone() uint64 { return s.uint64(atLeftAlone).Load() }

// JavaVersion is the feature number of the JVM's version, 17 for JDK 17; 0 before the agent has been loaded.
func (s *Segment) JavaVersion() int { return int(s.uint32(atJavaVersion).Load()) }

// JVM is the JVM's name and version.
func (s *Segment) JVM() string {
	name, _, _ := bytes.Cut(s.memory[atJVM:atJVM+jvmSize], []byte{0})
	return string(name)
}

// SetStalled tells producers whether the consumer is held up, so that they drop what does not fit instead of waiting.
func (s *Segment) SetStalled(stalled bool) {
	value := uint32(0)
	if stalled {
		value = 1
	}
	s.uint32(atStalled).Store(value)
}

// Stop tells producers that nothing is taken any more.
func (s *Segment) Stop() { s.uint32(atStop).Store(1) }

// Stopped says whether Stop was called.
func (s *Segment) Stopped() bool { return s.uint32(atStop).Load() != 0 }

func (s *Segment) uint32(at int) *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(&s.memory[at]))
}

func (s *Segment) uint64(at int) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&s.memory[at]))
}

func (s *Segment) int64(at int) *atomic.Int64 {
	return (*atomic.Int64)(unsafe.Pointer(&s.memory[at]))
}

// ring is the ring of the number, of which 0 is the definitions ring, with its cells.
func (s *Segment) ring(number int, cells []byte) Ring {
	at := controlsAt + number*controlSize
	return Ring{
		cells: cells, size: uint64(len(cells) / CellSize),
		head: s.uint64(at + atHead), tail: s.uint64(at + atTail), begin: s.int64(at + atBegin),
		busy: s.uint32(at + atBusy), state: s.uint32(at + atState), dropped: s.uint64(at + atDropped),
	}
}

// Definitions is the ring of definitions.
func (s *Segment) Definitions() *Ring { return &s.definitions }

// Snapshot looks at all rings: it notes how far each can be read now, and returns them with a time before which no
// record will be published any more. now reads the monotonic clock. A ring whose producer has been seen busy with one
// record for as long as patience (ns) is not waited for; what it publishes in the end may be older than the time
// returned.
func (s *Segment) Snapshot(now func() int64, patience int64) (rings []*Ring, safe int64) {
	started := now() // before it is seen which rings there are: one that is not seen has nothing older
	for n := len(s.rings); n < min(int(s.uint32(atRings).Load()), MaxRings); n++ {
		begin := ringsAt + n*RingCells*CellSize
		ring := s.ring(n+1, s.memory[begin:begin+RingCells*CellSize])
		s.rings = append(s.rings, &ring)
	}
	safe = started
	for _, ring := range s.rings {
		if working, since := ring.look(started); working < safe && since > started-patience {
			safe = working
		}
	}
	s.definitions.reach() // last: what the records above need was defined before they were published
	return s.rings, safe
}
