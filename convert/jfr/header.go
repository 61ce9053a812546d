package jfr

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/trcx/trcx/trace"
)

// headerSize is how many bytes a chunk's header has.
const headerSize = 68

const magic = "FLR\x00"

// header is the beginning of a chunk. Its numbers are big-endian in every chunk.
type header struct {
	major, minor   uint16
	size           int64 // of the chunk; 0 as long as it is not finished
	constants      int64 // where the last checkpoint lies, counted from the chunk's beginning; 0 if that is not known
	metadata       int64 // where the metadata lies, likewise
	startNanos     int64 // since the epoch
	durationNanos  int64
	startTicks     int64
	ticksPerSecond int64
	state          byte // 0 for a chunk that is finished
	compressed     bool // its integers are
}

// Recognises says whether the text begins like a recording.
func Recognises(head []byte) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

// looksLikeHeader says whether a chunk can begin here. The head may be cut off.
func looksLikeHeader(head []byte) bool {
	if len(head) < 8 || !Recognises(head) {
		return false
	}
	major := binary.BigEndian.Uint16(head[4:])
	return major >= oldestVersion && major <= newestVersion
}

// The major versions of the format that this package knows: 1 is that of JDK 9 and 10, 2 that of JDK 11 and later.
const oldestVersion, newestVersion = 1, 2

// The bits of the flags.
const flagCompressed = 1

// possible says whether a JVM can have written the header.
func possible(h header) bool {
	return h.ticksPerSecond > 0 && h.startNanos >= 0 && (h.size == 0 || h.size >= headerSize)
}

func readHeader(head []byte) header {
	number := func(at int) int64 { return int64(binary.BigEndian.Uint64(head[at:])) }
	return header{
		major: binary.BigEndian.Uint16(head[4:]), minor: binary.BigEndian.Uint16(head[6:]),
		size: number(8), constants: number(16), metadata: number(24), startNanos: number(32), durationNanos: number(40),
		startTicks: number(48), ticksPerSecond: number(56), state: head[64], compressed: head[67]&flagCompressed != 0,
	}
}

// time is the moment of ticks. It is not ok before the epoch and beyond the year 2262.
func (h *header) time(ticks int64) (t trace.Time, ok bool) {
	elapsed := ticks - h.startTicks
	forward := ticks >= h.startTicks
	if forward != (elapsed >= 0) {
		return 0, false
	}
	magnitude := uint64(elapsed)
	if !forward {
		magnitude = -magnitude
	}
	high, low := bits.Mul64(magnitude, nanosPerSecond)
	if high >= uint64(h.ticksPerSecond) {
		return 0, false
	}
	nanos, _ := bits.Div64(high, low, uint64(h.ticksPerSecond))
	switch {
	case forward && nanos <= uint64(math.MaxInt64-h.startNanos):
		return trace.Time(h.startNanos + int64(nanos)), true
	case !forward && nanos <= uint64(h.startNanos):
		return trace.Time(h.startNanos - int64(nanos)), true
	}
	return 0, false
}

const (
	nanosPerSecond = 1_000_000_000
	nanosPerMilli  = 1_000_000
)

// interval is a number of ticks in nanoseconds; ok is false where that is too much.
func (h *header) interval(ticks uint64) (nanos int64, ok bool) {
	high, low := bits.Mul64(ticks, nanosPerSecond)
	if high >= uint64(h.ticksPerSecond) {
		return 0, false
	}
	n, _ := bits.Div64(high, low, uint64(h.ticksPerSecond))
	return int64(n), n <= math.MaxInt64
}
