package jfr

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/trcx/trcx/trace"
)

// scanner splits an input into chunks.
type scanner struct {
	in      *bufio.Reader
	offset  int64 // of the next byte of in
	buffer  chunkBuffer
	report  func(trace.Finding)
	skipped skipped
	err     error // of reading, or of the buffer's file
}

// skipped describes bytes between chunks that belong to none.
type skipped struct {
	active  bool
	begin   int64
	version uint16 // of an unsupported chunk that begins there; 0 if there is none
}

func newScanner(in io.Reader, report func(trace.Finding)) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, 256<<10), report: report}
}

func (s *scanner) finding(rule string, severity trace.Severity, offset int64, format string, arguments ...any) {
	s.report(trace.Finding{Rule: rule, Severity: severity, Place: trace.Place{Offset: offset},
		Message: fmt.Sprintf(format, arguments...)})
}

// window returns all buffered input, at least n bytes unless the input ends before. It is valid until the next call.
func (s *scanner) window(n int) []byte {
	window, err := s.in.Peek(n)
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = err
	}
	if len(window) == n {
		window, _ = s.in.Peek(s.in.Buffered())
	}
	return window
}

// keep consumes the window and appends it to the chunk buffer.
func (s *scanner) keep(window []byte) {
	if _, err := s.buffer.Write(window); err != nil && s.err == nil {
		s.err = err
	}
	s.discard(len(window))
}

// discard consumes n buffered bytes.
func (s *scanner) discard(n int) {
	s.in.Discard(n)
	s.offset += int64(n)
}

// next reads the next chunk into the buffer. It returns nil at the end of the input and after an error; cut reports
// that the input ends inside a header.
func (s *scanner) next() (c *chunk, cut bool) {
	for {
		window := s.window(headerSize)
		switch {
		case s.err != nil:
			return nil, false
		case len(window) == 0:
			s.reportSkipped(s.offset)
			return nil, false
		case !looksLikeHeader(window):
			s.seekHeader(window)
			continue
		case len(window) < headerSize:
			s.reportSkipped(s.offset)
			s.finding(ruleTruncated, trace.Error, s.offset+int64(len(window)),
				"the recording ends inside a chunk header of %d bytes", headerSize)
			s.discard(len(window))
			return nil, true
		}
		c := &chunk{chunkHeader: parseHeader(window), offset: s.offset}
		valid := c.valid()
		switch another := bytes.Contains(window[1:headerSize], []byte(magic)); {
		case s.skipped.active && (!valid || another):
			s.discard(len(magic))
			continue
		case !valid:
			s.finding(ruleHeader, trace.Error, s.offset,
				"invalid chunk header: size %d, %d ticks per second, started %d ns after 1970; "+
					"reading resumes at the next chunk",
				c.size, c.ticksPerSecond, c.startNanos)
			s.discard(len(magic))
			continue
		}
		if s.readChunk(c, window[:c.chunkHeader.length()]); s.err != nil {
			return nil, false
		}
		if !s.skipped.active {
			return c, false
		}
	}
}

// readChunk reads a chunk into the buffer. After skipped bytes, an apparent chunk may be a copy of a header that the
// JVM wrote into the chunk itself, so a chunk without metadata is skipped, too.
func (s *scanner) readChunk(c *chunk, head []byte) {
	s.buffer.reset()
	s.buffer.reserve(c.size)
	var findings []trace.Finding
	report := s.report
	if s.skipped.active {
		s.report = func(f trace.Finding) { findings = append(findings, f) }
	}
	s.keep(head)
	if s.readEvents(c); c.isOld() && s.err == nil {
		s.finishOld(c)
	}
	c.length, s.report = s.buffer.size, report
	if len(c.metadataEvents) == 0 && s.skipped.active {
		return
	}
	s.reportSkipped(c.offset)
	for _, f := range findings {
		s.report(f)
	}
}

// reportSkipped reports the skipped bytes, if any, before the offset at which reading resumes.
func (s *scanner) reportSkipped(to int64) {
	lost := s.skipped
	s.skipped = skipped{}
	switch {
	case !lost.active:
	case lost.version > 0:
		s.finding(ruleHeader, trace.Error, lost.begin,
			"this chunk has format version %d, but only versions 0.9, 1 and %d are supported; %d bytes are skipped",
			lost.version, newestVersion, to-lost.begin)
	case lost.begin == 0:
		s.finding(ruleHeader, trace.Error, lost.begin,
			"expected a chunk, which begins with FLR: the beginning of the recording is missing, or this is no "+
				"recording; %d bytes are skipped", to-lost.begin)
	default:
		s.finding(ruleHeader, trace.Error, lost.begin,
			"expected a chunk, which begins with FLR; %d bytes are skipped", to-lost.begin)
	}
}

// seekHeader skips bytes up to the next possible chunk header.
func (s *scanner) seekHeader(window []byte) {
	if !s.skipped.active {
		s.skipped = skipped{active: true, begin: s.offset}
		if Recognises(window) && len(window) >= 8 {
			s.skipped.version = binary.BigEndian.Uint16(window[4:])
		}
	}
	for first := true; len(window) > 0 && (first || !looksLikeHeader(window)) && s.err == nil; first = false {
		s.discard(beforeMagic(window))
		window = s.window(headerSize)
	}
}

// beforeMagic returns the number of bytes, at least one, before the next possible magic in the window.
func beforeMagic(window []byte) int {
	if at := bytes.Index(window[1:], []byte(magic)) + 1; at > 0 {
		return at
	}
	return max(1, len(window)-len(magic)+1)
}

// readEvents appends the chunk's events to the buffer and notes its gaps.
func (s *scanner) readEvents(c *chunk) {
	limit := c.size // 0 for none
	if !c.isOld() && (c.size == 0 || c.state != 0) {
		s.finding(ruleUnfinished, trace.Warning, c.offset,
			"this chunk is unfinished: the JVM crashed, or was still recording when the file was copied; the events "+
				"present are read")
	}
	for s.err == nil {
		at := s.buffer.size
		window := s.window(maxEventHead)
		switch {
		case s.err != nil:
			return
		case len(window) == 0:
			s.inputEnds(c, limit)
			return
		case limit > 0 && at == limit && !looksLikeHeader(window):
			if c.state == 0 {
				s.finding(ruleChunkSize, trace.Error, c.offset,
					"the header gives a size of %d bytes, but neither a chunk nor the end of the input follows; "+
						"further bytes are read as events of this chunk", c.size)
			}
			limit = 0
			continue
		case looksLikeHeader(window):
			s.chunkFollows(c, limit)
			return
		}
		if n := s.wholeEvents(c, window, limit); n > 0 {
			s.keep(window[:n])
			continue
		}
		if s.readLargeEvent(c, limit) {
			return
		}
	}
}

// wholeEvents returns the number of bytes at the window's beginning that are whole events.
func (s *scanner) wholeEvents(c *chunk, window []byte, limit int64) (n int) {
	own := s.ownBytes(c, window, 0)
	for len(window)-n >= maxEventHead || n == 0 {
		size, kind, ok := s.eventSize(c, window[n:], limit, s.buffer.size+int64(n))
		if !ok || size > int64(own-n) || n > 0 && looksLikeHeader(window[n:]) {
			break
		}
		c.note(kind, s.buffer.size+int64(n))
		n += int(size)
		if limit > 0 && s.buffer.size+int64(n) == limit {
			break
		}
	}
	return n
}

// ownBytes returns the number of bytes before the next chunk in the window. A truncated chunk ends inside an event. The
// window begins at an event, or inside a checkpoint event of which `left` bytes follow.
func (s *scanner) ownBytes(c *chunk, window []byte, left int64) int {
	event, end, inCheckpoint := int64(0), left, left > 0 // the event before or around the current place
	for at := 0; ; at += len(magic) {
		next := bytes.Index(window[at:], []byte(magic))
		if next < 0 {
			return len(window)
		}
		at += next
		head := window[at:]
		if len(head) < headerSize || !looksLikeHeader(head) {
			continue
		}
		for ok := true; ok && end <= int64(at); {
			var size, kind uint64
			size, kind, ok = c.eventHead(window[end:])
			event, end, inCheckpoint = end, end+int64(min(size, maxEvent)), ok && kind == checkpointType
		}
		around := inCheckpoint && event < int64(at) && int64(at)+headerSize <= end
		if h := parseHeader(head); h.valid() && !c.isHeaderCopy(head, s.buffer.size+int64(at), around) {
			return at
		}
	}
}

// eventSize returns the size of the event at the window's beginning, which is at an offset of the chunk. It reports
// false if the size is impossible.
func (s *scanner) eventSize(c *chunk, window []byte, limit, offset int64) (_ int64, kind uint64, _ bool) {
	size, kind, ok := c.eventHead(window)
	end := offset + int64(size)
	if !ok || limit > 0 && end > limit || limit == 0 && size > maxEvent {
		return 0, 0, false
	}
	for want, at := range c.announced() {
		// no other event begins inside the event's head
		if at-offset < maxEventHead || at >= end || at-offset > int64(len(window)) {
			continue
		}
		if _, got, ok := c.eventHead(window[at-offset:]); ok && got == want {
			return 0, 0, false
		}
	}
	return int64(size), kind, true
}

// readLargeEvent reads an event larger than the input's buffer, or a gap. It reports whether the chunk is over.
func (s *scanner) readLargeEvent(c *chunk, limit int64) (over bool) {
	from := s.buffer.size
	window, _ := s.in.Peek(s.in.Size())
	size, kind, ok := s.eventSize(c, window, limit, from)
	if !ok || int64(s.ownBytes(c, window, 0)) < min(size, int64(len(window))) {
		claimed, _, _ := c.eventHead(window)
		s.readGap(c, limit, gap{span: span{from: from}, size: claimed})
		return false
	}
	for left := size; left > 0 && s.err == nil; left = size - (s.buffer.size - from) {
		window := s.window(headerSize)
		rest := left
		if kind != checkpointType {
			rest = 0
		}
		n := min(int64(s.ownBytes(c, window, rest)), left)
		if n == 0 {
			c.gaps = append(c.gaps, gap{span{from, s.buffer.size}, uint64(size), len(window) > 0})
			if len(window) == 0 {
				s.inputEnds(c, limit)
			}
			return len(window) == 0
		}
		s.keep(window[:n])
	}
	c.note(kind, from)
	return false
}

// readGap reads up to the next announced event, or the next chunk.
func (s *scanner) readGap(c *chunk, limit int64, g gap) {
	target := int64(math.MaxInt64)
	if limit > 0 {
		target = limit
	}
	for _, at := range c.announced() {
		if at > g.from && at < target && len(c.gaps) < maxGaps {
			target = at
		}
	}
	for s.buffer.size < target && s.err == nil {
		window := s.window(headerSize)
		if len(window) == 0 {
			break
		}
		if s.buffer.size > g.from && looksLikeHeader(window) && !c.isHeaderCopy(window, s.buffer.size, false) {
			g.exact = true
			break
		}
		s.keep(window[:min(int64(beforeMagic(window)), target-s.buffer.size)])
	}
	g.to = s.buffer.size
	g.exact = g.exact || g.to == target
	c.gaps = append(c.gaps, g)
}

// inputEnds notes that the input ends inside the chunk or after it.
func (s *scanner) inputEnds(c *chunk, limit int64) {
	if s.buffer.size < limit || len(c.gaps) > 0 && !c.gaps[len(c.gaps)-1].exact {
		c.cut = true
	}
	if s.buffer.size < limit {
		s.finding(ruleTruncated, trace.Error, s.offset,
			"the recording ends after %d of %d bytes of the chunk at %d; complete events are used",
			s.buffer.size, limit, c.offset)
	}
}

// chunkFollows notes that another chunk begins.
func (s *scanner) chunkFollows(c *chunk, limit int64) {
	if s.buffer.size < limit {
		s.finding(ruleChunkSize, trace.Error, c.offset,
			"the header gives a size of %d bytes, but the next chunk begins after %d", c.size, s.buffer.size)
	}
}
