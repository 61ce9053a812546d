package ring

import (
	"bytes"
	"sync/atomic"
	"unsafe"
)

// Segment is the shared memory. One goroutine consumes it; the header's fields may be read by others.
type Segment struct {
	memory      []byte
	file        int // the memory's descriptor, or -1
	definitions Ring
	rings       []*Ring // the rings of the last Snapshot
}

// At returns the segment in the memory: SegmentSize bytes with the layout of agent/native.
func At(memory []byte) *Segment {
	s := &Segment{memory: memory, file: -1}
	s.definitions = s.ring(0, memory[definitionsAt:extensionsAt])
	return s
}

// format writes the header of an empty segment.
func (s *Segment) format(now, epoch int64) {
	s.uint64(atMagic).Store(Magic)
	s.uint32(atVersion).Store(Version)
	s.int64(atEpoch).Store(epoch)
	s.int64(atStarted).Store(now)
}

// Valid reports whether the memory has this version's layout.
func (s *Segment) Valid() bool {
	return s.uint64(atMagic).Load() == Magic && s.uint32(atVersion).Load() == Version
}

// Phase returns the progress of the recording.
func (s *Segment) Phase() Phase { return Phase(s.uint32(atPhase).Load()) }

// PID returns the process of the JVM; 0 before the agent is loaded.
func (s *Segment) PID() int { return int(s.uint32(atPID).Load()) }

// Epoch returns the difference between nanoseconds since 1970, UTC, and a time of the rings.
func (s *Segment) Epoch() int64 { return s.int64(atEpoch).Load() }

// Started returns the time at which the recording began, by the monotonic clock.
func (s *Segment) Started() int64 { return s.int64(atStarted).Load() }

// Ended returns the time at which it ended; 0 if it has not, or the JVM was killed.
func (s *Segment) Ended() int64 { return s.int64(atEnded).Load() }

// Ringless returns the number of records that were lost because no ring was free.
func (s *Segment) Ringless() uint64 { return s.uint64(atRingless).Load() }

// LeftAlone returns the number of classes that hooks fit and that could not be rewritten safely.
func (s *Segment) LeftAlone() uint64 { return s.uint64(atLeftAlone).Load() }

// Lost returns what is not recorded because the JVM lacks something for it, each ended by a line feed. It can grow.
func (s *Segment) Lost() string {
	return string(s.memory[atLost : atLost+min(s.uint32(atLostSize).Load(), lostLimit)])
}

// JavaVersion returns the feature number of the JVM's version, 17 for JDK 17; 0 before the agent is loaded.
func (s *Segment) JavaVersion() int { return int(s.uint32(atJavaVersion).Load()) }

// Alignment returns the alignment of objects in bytes; 0 if unknown.
func (s *Segment) Alignment() int { return int(s.uint32(atAlignment).Load()) }

// Overhead returns the nanoseconds that recording a call takes between its times, as measured when the recording
// began; 0 if it is not measured.
func (s *Segment) Overhead() int64 { return int64(s.uint32(atOverhead).Load()) }

// JVM returns the JVM's name and version.
func (s *Segment) JVM() string {
	name, _, _ := bytes.Cut(s.memory[atJVM:atJVM+jvmSize], []byte{0})
	return string(name)
}

// SetStalled sets whether producers drop records that do not fit, instead of waiting for a consumer that is held up.
func (s *Segment) SetStalled(stalled bool) {
	value := uint32(0)
	if stalled {
		value = 1
	}
	s.uint32(atStalled).Store(value)
}

// Stop tells producers that nothing is read any more.
func (s *Segment) Stop() { s.uint32(atStop).Store(1) }

// Stopped reports whether Stop was called.
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

// ring returns the ring of the number with its cells; 0 is the definitions ring.
func (s *Segment) ring(number int, cells []byte) Ring {
	at := controlsAt + number*controlSize
	return Ring{
		own: cells, cells: cells, size: uint64(len(cells) / CellSize),
		extensions: s.memory[extensionsAt:ringsAt], used: s.uint64(atExtensions),
		head: s.uint64(at + atHead), tail: s.uint64(at + atTail), begin: s.int64(at + atBegin),
		busy: s.uint32(at + atBusy), state: s.uint32(at + atState), dropped: s.uint64(at + atDropped),
	}
}

// Definitions returns the ring of definitions.
func (s *Segment) Definitions() *Ring { return &s.definitions }

// Snapshot notes how far each ring can be read now, and returns the rings with a time before which no more records will
// be published. now reads the monotonic clock. A producer that has been publishing one record for patience (ns) is not
// waited for, so that record may be older than the time returned. Nor is a GCFinish waited for.
func (s *Segment) Snapshot(now func() int64, patience int64) (rings []*Ring, safe int64) {
	started := now() // before the rings are counted: a ring first used after this has no older record
	for n := len(s.rings); n < min(int(s.uint32(atRings).Load()), MaxRings); n++ {
		begin := ringsAt + n*RingCells*CellSize
		ring := s.ring(n+1, s.memory[begin:begin+RingCells*CellSize])
		s.rings = append(s.rings, &ring)
	}
	safe = started
	if collected := s.int64(atCollected).Load(); collected != 0 && collected > started-patience {
		safe = min(safe, collected)
	}
	for _, ring := range s.rings {
		if working, since := ring.snapshot(started); working < safe && since > started-patience {
			safe = working
		}
	}
	s.definitions.readHead() // last, because definitions are published before the records that use them
	return s.rings, safe
}
