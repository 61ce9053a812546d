package jfr

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/trcx/trcx/trace"
)

// The rules of what a reader finds.
const (
	RuleHeader     = "jfr-header"
	RuleTruncated  = "jfr-truncated"
	RuleUnfinished = "jfr-unfinished"
	RuleChunkSize  = "jfr-chunk-size"
	RuleEventSize  = "jfr-event-size"
	RuleMetadata   = "jfr-metadata"
	RuleType       = "jfr-type"
	RuleChain      = "jfr-chain"
	RuleConstants  = "jfr-constants"
	RuleConstant   = "jfr-constant"
	RuleCycle      = "jfr-cycle"
	RuleEvent      = "jfr-event"
	RuleTime       = "jfr-time"
	RuleTooLarge   = "jfr-too-large"
	RuleOverlap    = "jfr-overlap"
	RuleLost       = "jfr-lost"
	RuleRepeated   = "jfr-repeated"
	RuleOrder      = "jfr-order"
)

// chunk is a part of a recording that can be understood by itself.
type chunk struct {
	header
	place  int64 // of its first byte in the input
	length int64 // bytes of it that are there
	gaps   []gap // where no events are
	cut    bool  // the input ends before the chunk does

	metadatas, checkpoints []int64 // where they lie in the chunk
}

// maxSpecial is how many checkpoints of a chunk are read.
const maxSpecial = 1 << 20

// special notes where an event lies that is needed to understand others.
func (c *chunk) special(kind uint64, place int64) {
	switch {
	case kind == metadataType && len(c.metadatas) < maxSpecial:
		c.metadatas = append(c.metadatas, place)
	case kind == checkpointType && len(c.checkpoints) < maxSpecial:
		c.checkpoints = append(c.checkpoints, place)
	}
}

// gap is a part of a chunk that holds no whole events. The places count from the chunk's beginning.
type gap struct {
	from, to int64
	size     uint64 // what the event at from says of itself
	exact    bool   // an event begins at to, or the chunk is over
}

// maxGaps is how many gaps of a chunk are told apart; what comes after that is one.
const maxGaps = 1000

// longestHead is how many bytes the size and the type of an event take at most.
const longestHead = 18

// head reads the size of an event and its type.
func (h *header) head(window []byte) (size, kind uint64, ok bool) {
	c := cursor{data: window, fixed: !h.compressed}
	size = uint64(c.uint32())
	kind = c.uint64()
	return size, kind, !c.short && size >= uint64(c.at)
}

// scanner finds the chunks of an input.
type scanner struct {
	in     *bufio.Reader
	place  int64 // of the next byte of in
	spool  spool
	report func(trace.Finding)
	lost   lost
	err    error // of reading, or of the spool
}

// lost are bytes between chunks that belong to none.
type lost struct {
	some    bool
	begin   int64
	version uint16 // of the chunk that begins there, if it is one that cannot be read
}

func newScanner(in io.Reader, report func(trace.Finding)) *scanner {
	return &scanner{in: bufio.NewReaderSize(in, 256<<10), report: report}
}

func (s *scanner) finding(rule string, severity trace.Severity, place int64, format string, arguments ...any) {
	s.report(trace.Finding{Rule: rule, Severity: severity, Place: trace.Place{Offset: place},
		Message: fmt.Sprintf(format, arguments...)})
}

// fill sees to it that at least n bytes can be looked at, if the input has them, and returns all that can.
func (s *scanner) fill(n int) []byte {
	window, err := s.in.Peek(n)
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = err
	}
	if len(window) == n {
		window, _ = s.in.Peek(s.in.Buffered())
	}
	return window
}

// keep moves n bytes of the buffer to the spool.
func (s *scanner) keep(window []byte) {
	if _, err := s.spool.Write(window); err != nil && s.err == nil {
		s.err = err
	}
	s.drop(len(window))
}

func (s *scanner) drop(n int) {
	s.in.Discard(n) // they are in the buffer
	s.place += int64(n)
}

// next reads the next chunk into the spool. It returns nil at the end of the input, and once there is an error. Cut
// says that the input ends inside of a header.
func (s *scanner) next() (c *chunk, cut bool) {
	for {
		window := s.fill(headerSize)
		switch {
		case s.err != nil:
			return nil, false
		case len(window) == 0:
			s.reportLost(s.place)
			return nil, false
		case !looksLikeHeader(window):
			s.seek(window)
			continue
		case len(window) < headerSize:
			s.reportLost(s.place)
			s.finding(RuleTruncated, trace.Error, s.place+int64(len(window)),
				"the recording ends inside the header of a chunk, which has %d bytes", headerSize)
			s.drop(len(window))
			return nil, true
		}
		c := &chunk{header: readHeader(window), place: s.place}
		ok := possible(c.header)
		switch another := bytes.Contains(window[1:headerSize], []byte(magic)); {
		case s.lost.some && (!ok || another):
			s.drop(len(magic))
			continue
		case !ok:
			s.finding(RuleHeader, trace.Error, s.place,
				"the header of this chunk cannot be: %d bytes, %d ticks a second, started %d ns after 1970; "+
					"reading goes on at the next one",
				c.size, c.ticksPerSecond, c.startNanos)
			s.drop(len(magic))
			continue
		}
		if s.take(c, window[:headerSize]); s.err != nil {
			return nil, false
		}
		if !s.lost.some {
			return c, false
		}
	}
}

// take reads a chunk into the spool. Behind bytes that are lost, what looks like one may be what JVMs write of the
// header into the chunk itself: unless it has metadata, it is lost, too.
func (s *scanner) take(c *chunk, head []byte) {
	s.spool.reset()
	var findings []trace.Finding
	report := s.report
	if s.lost.some {
		s.report = func(f trace.Finding) { findings = append(findings, f) }
	}
	s.keep(head)
	s.events(c)
	c.length, s.report = s.spool.size, report
	if len(c.metadatas) == 0 && s.lost.some {
		return
	}
	s.reportLost(c.place)
	for _, f := range findings {
		s.report(f)
	}
}

// reportLost says how many bytes are lost, if any are, up to the place at which reading goes on.
func (s *scanner) reportLost(to int64) {
	l := s.lost
	s.lost = lost{}
	switch {
	case !l.some:
	case l.version > 0:
		s.finding(RuleHeader, trace.Error, l.begin,
			"this chunk is of version %d of the format; trcx reads versions %d and %d; %d bytes are left out",
			l.version, oldestVersion, newestVersion, to-l.begin)
	case l.begin == 0:
		s.finding(RuleHeader, trace.Error, l.begin,
			"the beginning of the recording is missing, or this is none: a chunk should begin here, with the "+
				"letters FLR; %d bytes are left out", to-l.begin)
	default:
		s.finding(RuleHeader, trace.Error, l.begin,
			"a chunk of a recording should begin here, with the letters FLR; %d bytes are left out", to-l.begin)
	}
}

// seek passes over bytes up to where a chunk can begin.
func (s *scanner) seek(window []byte) {
	if !s.lost.some {
		s.lost = lost{some: true, begin: s.place}
		if Recognises(window) && len(window) >= 8 {
			s.lost.version = binary.BigEndian.Uint16(window[4:])
		}
	}
	for first := true; len(window) > 0 && (first || !looksLikeHeader(window)) && s.err == nil; first = false {
		at := bytes.Index(window[1:], []byte(magic)) + 1
		if at == 0 {
			at = max(1, len(window)-len(magic)+1)
		}
		s.drop(at)
		window = s.fill(headerSize)
	}
}

// events moves the chunk's events to the spool, noting where there are none.
func (s *scanner) events(c *chunk) {
	limit := c.size
	if c.size == 0 || c.state != 0 {
		s.finding(RuleUnfinished, trace.Warning, c.place,
			"the JVM has not finished this chunk: it crashed, or was still recording when the file was copied; "+
				"what is there is read")
	}
	for s.err == nil {
		at := s.spool.size
		window := s.fill(longestHead)
		switch {
		case s.err != nil:
			return
		case len(window) == 0:
			s.over(c, limit)
			return
		case limit > 0 && at == limit && !looksLikeHeader(window):
			if c.state == 0 {
				s.finding(RuleChunkSize, trace.Error, c.place,
					"the chunk says that it has %d bytes, but neither does another one begin there nor does the "+
						"input end; what follows is read as events of this chunk", c.size)
			}
			limit = 0
			continue
		case looksLikeHeader(window):
			s.another(c, limit)
			return
		}
		if n := s.whole(c, window, limit); n > 0 {
			s.keep(window[:n])
			continue
		}
		if s.large(c, limit) {
			return
		}
	}
}

// whole is how many bytes of the window are whole events.
func (s *scanner) whole(c *chunk, window []byte, limit int64) (n int) {
	own := s.own(c, window)
	for len(window)-n >= longestHead || n == 0 {
		size, kind, ok := s.size(c, window[n:], limit, s.spool.size+int64(n))
		if !ok || size > int64(own-n) || n > 0 && looksLikeHeader(window[n:]) {
			break
		}
		c.special(kind, s.spool.size+int64(n))
		n += int(size)
		if limit > 0 && s.spool.size+int64(n) == limit {
			break
		}
	}
	return n
}

// own is how many bytes of the window can be the chunk's own: those up to where another chunk begins, which is inside
// of an event if this one is cut off.
func (s *scanner) own(c *chunk, window []byte) int {
	for at := 0; ; at += len(magic) {
		next := bytes.Index(window[at:], []byte(magic))
		if next < 0 {
			return len(window)
		}
		at += next
		if head := window[at:]; len(head) >= headerSize && looksLikeHeader(head) && possible(readHeader(head)) &&
			!c.copies(head, s.spool.size+int64(at)) {
			return at
		}
	}
}

// size is the size of the event at the beginning of the window, which stands at the place of the chunk. It is not ok if
// it cannot be.
func (s *scanner) size(c *chunk, window []byte, limit, place int64) (_ int64, kind uint64, _ bool) {
	size, kind, ok := c.head(window)
	end := place + int64(size)
	if !ok || limit > 0 && end > limit || limit == 0 && size > maxEvent {
		return 0, 0, false
	}
	for is, known := range c.known() {
		// inside of the event's own head nothing else can begin
		if known-place < longestHead || known >= end || known-place > int64(len(window)) {
			continue
		}
		if _, there, ok := c.head(window[known-place:]); ok && there == is {
			return 0, 0, false
		}
	}
	return int64(size), kind, true
}

// known are the places at which the header says that events of the types begin.
func (h *header) known() iter.Seq2[uint64, int64] {
	return func(yield func(uint64, int64) bool) {
		_ = yield(metadataType, h.metadata) && yield(checkpointType, h.constants)
	}
}

// large moves an event that is larger than the buffer, or a gap. It says whether the chunk is over.
func (s *scanner) large(c *chunk, limit int64) (over bool) {
	from := s.spool.size
	window, _ := s.in.Peek(s.in.Size())
	size, kind, ok := s.size(c, window, limit, from)
	if !ok || int64(s.own(c, window)) < min(size, int64(len(window))) {
		said, _, _ := c.head(window)
		return s.gap(c, limit, gap{from: from, size: said})
	}
	for left := size; left > 0 && s.err == nil; left = size - (s.spool.size - from) {
		window := s.fill(headerSize)
		n := min(int64(s.own(c, window)), left)
		if n == 0 {
			c.gaps = append(c.gaps, gap{from: from, to: s.spool.size, size: uint64(size), exact: len(window) > 0})
			if len(window) == 0 {
				s.over(c, limit)
			}
			return len(window) == 0
		}
		s.keep(window[:n])
	}
	c.special(kind, from)
	return false
}

// gap moves bytes up to the next place where an event is known to begin, or up to the next chunk.
func (s *scanner) gap(c *chunk, limit int64, g gap) (over bool) {
	target := int64(math.MaxInt64)
	if limit > 0 {
		target = limit
	}
	for _, known := range c.known() {
		if known > g.from && known < target && len(c.gaps) < maxGaps {
			target = known
		}
	}
	for s.spool.size < target && s.err == nil {
		window := s.fill(headerSize)
		if len(window) == 0 {
			break
		}
		if s.spool.size > g.from && looksLikeHeader(window) && !c.copies(window, s.spool.size) {
			g.exact = true
			break
		}
		n := bytes.Index(window[1:], []byte(magic)) + 1
		if n == 0 {
			n = max(1, len(window)-len(magic)+1)
		}
		s.keep(window[:min(int64(n), target-s.spool.size)])
	}
	g.to = s.spool.size
	g.exact = g.exact || g.to == target
	c.gaps = append(c.gaps, g)
	return false
}

// copies says whether the bytes at the place of the chunk are not another chunk's header, but what the JVM writes of
// the chunk's own into it now and then, in a checkpoint, for those who read along.
func (c *chunk) copies(window []byte, place int64) bool {
	if len(window) < headerSize {
		return false
	}
	h := readHeader(window)
	return h.startNanos == c.startNanos && h.startTicks == c.startTicks && h.size == place+headerSize
}

// over notes that the input ends here.
func (s *scanner) over(c *chunk, limit int64) {
	if s.spool.size < limit || len(c.gaps) > 0 && !c.gaps[len(c.gaps)-1].exact {
		c.cut = true
	}
	if s.spool.size < limit {
		s.finding(RuleTruncated, trace.Error, s.place,
			"the recording ends after %d of the %d bytes of the chunk that begins at %d; what is complete is used",
			s.spool.size, limit, c.place)
	}
}

// another notes that another chunk begins here.
func (s *scanner) another(c *chunk, limit int64) {
	if s.spool.size < limit {
		s.finding(RuleChunkSize, trace.Error, c.place,
			"the chunk says that it has %d bytes, but another one begins after %d", c.size, s.spool.size)
	}
}
