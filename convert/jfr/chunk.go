package jfr

import (
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/trace"
)

// headerSize is the size of a chunk header in bytes.
const headerSize = 68

// magic begins every chunk header.
const magic = "FLR\x00"

// chunkHeader is the header of a chunk. Its numbers are big-endian, whatever the encoding of the events.
type chunkHeader struct {
	major, minor   uint16
	size           int64 // of the chunk in bytes; 0 until the JVM has finished it
	constants      int64 // offset of the last checkpoint event in the chunk; 0 if unknown
	metadata       int64 // offset of the metadata event in the chunk; 0 if unknown
	startNanos     int64 // since the epoch
	durationNanos  int64
	startTicks     int64
	ticksPerSecond int64
	state          byte // 0 if the chunk is finished
	compressed     bool // integers are LEB128
}

// isOld reports whether the chunk has the format 0.9.
func (h *chunkHeader) isOld() bool { return h.major == 0 }

// length returns the size of the header in bytes.
func (h *chunkHeader) length() int {
	if h.isOld() {
		return oldHeaderSize
	}
	return headerSize
}

// Recognises reports whether the text begins like a recording.
func Recognises(text []byte) bool {
	return len(text) >= len(magic) && string(text[:len(magic)]) == magic
}

// looksLikeHeader reports whether the text begins like a chunk header of a supported version. Eight bytes suffice.
func looksLikeHeader(text []byte) bool {
	if len(text) < 8 || !Recognises(text) {
		return false
	}
	major, minor := binary.BigEndian.Uint16(text[4:]), binary.BigEndian.Uint16(text[6:])
	return major > 0 && major <= newestVersion || major == 0 && minor == oldMinor
}

// newestVersion is the newest supported major version: 1 is written by JDK 9 and 10, 2 by JDK 11 and later.
const newestVersion = 2

// featureCompressed is the bit of the header's feature flags for LEB128 integers.
const featureCompressed = 1

// valid reports whether a JVM can have written the header.
func (h *chunkHeader) valid() bool {
	if h.isOld() {
		return h.metadata >= oldHeaderSize
	}
	return h.ticksPerSecond > 0 && h.startNanos >= 0 && (h.size == 0 || h.size >= headerSize)
}

// parseHeader decodes a header of headerSize bytes.
func parseHeader(head []byte) chunkHeader {
	number := func(at int) int64 { return int64(binary.BigEndian.Uint64(head[at:])) }
	major, minor := binary.BigEndian.Uint16(head[4:]), binary.BigEndian.Uint16(head[6:])
	if major == 0 {
		return chunkHeader{minor: minor, metadata: number(8)}
	}
	return chunkHeader{
		major: major, minor: minor,
		size: number(8), constants: number(16), metadata: number(24), startNanos: number(32), durationNanos: number(40),
		startTicks: number(48), ticksPerSecond: number(56), state: head[64],
		compressed: head[67]&featureCompressed != 0,
	}
}

// time converts ticks to a time. It reports false for times before 1970 and after 2262.
func (h *chunkHeader) time(ticks int64) (t trace.Time, ok bool) {
	elapsed := ticks - h.startTicks
	forward := ticks >= h.startTicks
	if forward != (elapsed >= 0) {
		return 0, false
	}
	magnitude := uint64(elapsed)
	if !forward {
		magnitude = -magnitude
	}
	nanos, ok := h.nanos(magnitude)
	switch {
	case !ok:
		return 0, false
	case forward && nanos <= uint64(math.MaxInt64-h.startNanos):
		return trace.Time(h.startNanos + int64(nanos)), true
	case !forward && nanos <= uint64(h.startNanos):
		return trace.Time(h.startNanos - int64(nanos)), true
	}
	return 0, false
}

// nanos converts a number of ticks to nanoseconds. It reports false on overflow.
func (h *chunkHeader) nanos(ticks uint64) (nanos uint64, ok bool) {
	high, low := bits.Mul64(ticks, nanosPerSecond)
	if high >= uint64(h.ticksPerSecond) {
		return 0, false
	}
	nanos, _ = bits.Div64(high, low, uint64(h.ticksPerSecond))
	return nanos, true
}

const (
	nanosPerSecond = 1_000_000_000
	nanosPerMilli  = 1_000_000
)

// timespan is nanos for values that fit into an int64.
func (h *chunkHeader) timespan(ticks uint64) (nanos int64, ok bool) {
	n, ok := h.nanos(ticks)
	return int64(n), ok && n <= math.MaxInt64
}

// maxEventHead is the largest encoding of an event's size and type in bytes.
const maxEventHead = 18

// eventHead decodes the size and the type id of an event. It reports false if the window is too short for them, or the
// size is less than their own.
func (h *chunkHeader) eventHead(window []byte) (size, kind uint64, ok bool) {
	c := cursor{data: window, fixed: !h.compressed}
	size = uint64(c.uint32())
	kind = h.eventKind(&c)
	return size, kind, !c.short && size >= uint64(c.at)
}

// eventKind decodes the type id of an event.
func (h *chunkHeader) eventKind(c *cursor) uint64 {
	if h.isOld() {
		return uint64(c.uint32())
	}
	return c.uint64()
}

// announced yields the type ids and offsets of the events that the header points to.
func (h *chunkHeader) announced() iter.Seq2[uint64, int64] {
	return func(yield func(uint64, int64) bool) {
		_ = yield(metadataType, h.metadata) && yield(checkpointType, h.constants)
	}
}

// chunk is a part of a recording that can be decoded by itself. Offsets of events are relative to its beginning.
type chunk struct {
	chunkHeader
	offset int64 // in the input
	length int64 // bytes present
	gaps   []gap
	cut    bool // the input ends before the chunk does

	old    []class // the types of an old chunk, or why they are unknown
	oldErr error

	metadataEvents, checkpoints []int64 // their offsets
}

// maxNoted limits the metadata and checkpoint events read from one chunk.
const maxNoted = 1 << 20

// note keeps the offset of a metadata or checkpoint event.
func (c *chunk) note(kind uint64, offset int64) {
	switch {
	case kind == metadataType && len(c.metadataEvents) < maxNoted:
		c.metadataEvents = append(c.metadataEvents, offset)
	case kind == checkpointType && len(c.checkpoints) < maxNoted:
		c.checkpoints = append(c.checkpoints, offset)
	}
}

// isHeaderCopy reports whether the window at an offset of the chunk is a copy of the chunk's own header. JVMs write
// such copies into checkpoint events, for readers of unfinished chunks. The size in a copy ends the chunk after the
// copy, unless a program rewrote the chunk. A JVM that crashes writes a copy with the time of the crash.
func (c *chunk) isHeaderCopy(window []byte, offset int64, inCheckpoint bool) bool {
	if len(window) < headerSize || c.isOld() {
		return false
	}
	h := parseHeader(window)
	return h.size == offset+headerSize || inCheckpoint && h.startNanos == c.startNanos && h.startTicks == c.startTicks
}

// span is a range of offsets in a chunk.
type span struct{ from, to int64 }

// gap is a part of a chunk that is not a sequence of whole events.
type gap struct {
	span
	size  uint64 // claimed by the event at from
	exact bool   // an event or the next chunk begins at to
}

// maxGaps limits the gaps of a chunk; later damage extends the last one.
const maxGaps = 1000

// The memory limits, in bytes.
const (
	chunkMemory  = 64 << 20 // of a chunk; a larger one is kept in a temporary file
	windowSize   = 1 << 20  // read from that file at once
	maxEvent     = 64 << 20 // of an event that is decoded
	maxConstants = 256 << 20
	maxSymbols   = 256 << 20
	sortMemory   = 32 << 20 // of events sorted in memory, before they go to a temporary file
)

// chunkBuffer holds the bytes of one chunk at a time: in memory, or as a whole in a temporary file if it is too large.
type chunkBuffer struct {
	memory int // limit of bytes in memory; 0 is chunkMemory
	bytes  []byte
	size   int64
	file   *tempfile.Scratch
	onDisk bool // this chunk is in the file
	window []byte
	begin  int64 // offset of the window in the file
}

// reset empties the buffer for the next chunk.
func (b *chunkBuffer) reset() {
	b.bytes, b.window, b.size, b.onDisk = b.bytes[:0], b.window[:0], 0, false
}

// reserve makes room for a chunk of the size, or its beginning, unless it goes to the file.
func (b *chunkBuffer) reserve(size int64) {
	const most = 16 << 20 // more is reserved only as data comes
	if size = min(size, most); size > 0 && size <= int64(cmp.Or(b.memory, chunkMemory)) {
		b.bytes = slices.Grow(b.bytes[:0], int(size))
	}
}

// Write appends to the chunk. It returns errors of the file.
func (b *chunkBuffer) Write(p []byte) (int, error) {
	memory := cmp.Or(b.memory, chunkMemory)
	if !b.onDisk && len(b.bytes)+len(p) <= memory {
		if cap(b.bytes)-len(b.bytes) < len(p) { // append would copy large slices more often
			b.bytes = slices.Grow(b.bytes, len(p)+min(len(b.bytes), memory-len(b.bytes)-len(p)))
		}
		b.bytes = append(b.bytes, p...)
		b.size += int64(len(p))
		return len(p), nil
	}
	if !b.onDisk {
		if err := b.spill(); err != nil {
			return 0, err
		}
	}
	n, err := b.file.WriteAt(p, b.size)
	b.size += int64(n)
	return n, err
}

// spill moves the chunk to the file.
func (b *chunkBuffer) spill() error {
	if b.file == nil {
		file, err := tempfile.NewScratch("", "trcx-jfr-*.tmp")
		if err != nil {
			return err
		}
		b.file = file
	}
	b.onDisk = true
	_, err := b.file.WriteAt(b.bytes, 0)
	b.bytes = b.bytes[:0]
	return err
}

// at returns n bytes at an offset, or fewer at the end of the chunk. They are valid until the next call.
func (b *chunkBuffer) at(offset int64, n int) ([]byte, error) {
	n = int(min(int64(n), b.size-offset))
	if n <= 0 {
		return nil, nil
	}
	if !b.onDisk {
		return b.bytes[offset : offset+int64(n)], nil
	}
	if offset < b.begin || offset+int64(n) > b.begin+int64(len(b.window)) {
		want := int(min(int64(max(n, windowSize)), b.size-offset))
		if cap(b.window) < want {
			b.window = make([]byte, want)
		}
		b.window, b.begin = b.window[:want], offset
		if _, err := b.file.ReadAt(b.window, offset); err != nil && !errors.Is(err, io.EOF) {
			b.window = b.window[:0]
			return nil, err
		}
	}
	return b.window[offset-b.begin:][:n], nil
}

// close removes the file.
func (b *chunkBuffer) close() error {
	if b.file == nil {
		return nil
	}
	return b.file.Close()
}
