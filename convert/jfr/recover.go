package jfr

import "github.com/trcx/trcx/trace"

// eventSpans returns the spans of the chunk that consist of whole events, including those found in gaps.
func (r *reader) eventSpans() []span {
	c := r.chunk
	var spans []span
	from := int64(c.chunkHeader.length())
	for _, g := range c.gaps {
		if g.from > from {
			spans = append(spans, span{from, g.from})
		}
		at := r.recover(g)
		if at < g.to {
			spans = append(spans, span{at, g.to})
			r.noteIn(span{at, g.to})
		}
		r.reportGap(g, at)
		from = g.to
	}
	if from < c.length {
		spans = append(spans, span{from, c.length})
	}
	return spans
}

// reportGap reports the bytes of a gap that are skipped, up to an offset.
func (r *reader) reportGap(g gap, to int64) {
	c := r.chunk
	if c.cut && g.to == c.length && g.size >= uint64(g.to-g.from) {
		r.finding(ruleTruncated, trace.Error, c.offset+g.to, "the recording ends inside the event at %d of %d bytes",
			c.offset+g.from, g.size)
		return
	}
	r.finding(ruleEventSize, trace.Error, c.offset+g.from,
		"invalid event size: %d bytes; %d bytes are skipped, reading resumes at %d", g.size, to-g.from, c.offset+to)
}

// eventFunc handles an event: its offset in the chunk, its bytes (at most maxEvent), its size and its type.
type eventFunc func(offset int64, bytes []byte, size, kind uint64) error

// eachEvent calls a function for the events of the spans.
func (r *reader) eachEvent(spans []span, handle eventFunc) error {
	for _, s := range spans {
		for at := s.from; at < s.to; {
			window, err := r.buffer.at(at, int(min(s.to-at, windowSize)))
			if err != nil {
				return err
			}
			n, err := r.eachEventIn(window, at, s.to, handle)
			if err != nil {
				return err
			}
			if at += n; n == 0 {
				return nil
			}
		}
	}
	return nil
}

// eachEventIn calls a function for the events that begin in a window, and returns their length in bytes.
func (r *reader) eachEventIn(window []byte, at, to int64, handle eventFunc) (int64, error) {
	n := int64(0)
	for n < int64(len(window)) {
		left := window[n:]
		size, kind, ok := r.chunk.eventHead(left)
		switch {
		case !ok && len(left) < maxEventHead && at+int64(len(window)) < to:
			return n, nil // the head continues in the next window
		case !ok:
			return to - at, nil
		}
		if size > uint64(len(left)) {
			if n > 0 {
				return n, nil
			}
			var err error
			if left, err = r.buffer.at(at, int(min(size, maxEvent))); err != nil {
				return 0, err
			}
		}
		if err := handle(at+n, left[:min(uint64(len(left)), size)], size, kind); err != nil {
			return 0, err
		}
		n += int64(size)
	}
	return n, nil
}

// recover returns the offset in a gap at which whole events resume: from there on, events of described types follow
// each other up to the gap's end. If there are several such offsets, it takes the one with most events, since other
// bytes seldom look like an event's size. If there is none, it returns the gap's end.
func (r *reader) recover(g gap) int64 {
	from := max(g.from, g.to-maxSearch)
	n := g.to - from
	bytes, err := r.buffer.at(from, int(n))
	if err != nil {
		r.err = err
		return g.to
	}
	run := make([]uint32, n+1) // number of consecutive events from each offset
	best := n
	for at := n - 1; at > g.from-from; at-- {
		size, ok := r.plausibleEvent(bytes[at:])
		switch end := at + size; {
		case !ok:
		case end < n && run[end] > 0:
			run[at] = run[end] + 1
		case end == n && g.exact:
			run[at] = minRun
		case end >= n && !g.exact:
			run[at] = 1 // truncated
		}
		if run[at] >= minRun && run[at] >= run[best] {
			best = at
		}
	}
	return from + best
}

// maxSearch limits the bytes of a gap that are searched for events.
const maxSearch = 16 << 20

// minRun is the least number of consecutive events, unless an event is known to begin after them.
const minRun = 4

// plausibleEvent reports whether an event of a described type with a plausible time may begin here, and its size.
func (r *reader) plausibleEvent(bytes []byte) (size int64, ok bool) {
	c := cursor{data: bytes, fixed: !r.chunk.compressed}
	claimed := c.uint32()
	kind := r.chunk.eventKind(&c)
	if c.short || int(claimed) < c.at {
		return 0, false
	}
	if class := r.types.classes[kind]; kind > checkpointType && (class == nil || len(class.fields) == 0 ||
		class.fields[0].name != "startTime" && !r.chunk.isOld()) {
		return 0, false
	}
	began, ok := r.chunk.time(int64(c.uint64()))
	if c.short || !ok || int64(began) < r.chunk.startNanos-maxBefore || int64(began) > r.chunk.startNanos+maxAfter {
		return 0, false
	}
	return int64(claimed), true
}

// An event begins at most two days before its chunk and a year after it, in nanoseconds.
const maxBefore, maxAfter = 2 * 86400 * nanosPerSecond, 366 * 86400 * nanosPerSecond

// noteIn notes the metadata and checkpoint events of a span.
func (r *reader) noteIn(s span) {
	//nolint:errcheck // the function returns none
	r.eachEvent([]span{s}, func(offset int64, _ []byte, _, kind uint64) error {
		r.chunk.note(kind, offset)
		return nil
	})
}
