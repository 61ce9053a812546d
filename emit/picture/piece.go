package picture

import "github.com/trcx/trcx/analyze/timeline"

// piece is a part of a lane that is drawn as one: a span, or a sum of spans that are too short to be seen.
type piece struct {
	begin, end int64
	// times is how long the thread was in each state, in nanoseconds. Of a mix they sum to at most its length.
	times [timeline.StateCount]float64
	count uint64
	span  *timeline.Span // nil of a mix
}

func (p *piece) length() int64 { return p.end - p.begin }

// The lengths that cannot be seen, in pixels.
const (
	shortest   = 1.5 // a shorter span is summed up with adjacent ones
	longestMix = 3   // in a mix of at most about this length
)

// pieces returns the pieces of a lane within the window. pixel is the length of one pixel in nanoseconds.
func pieces(lane *timeline.Lane, from, to int64, pixel float64) (all []piece) {
	spans, mixes := lane.Spans, lane.Mixes
	for len(spans)+len(mixes) > 0 {
		var next piece
		if len(mixes) == 0 || len(spans) > 0 && spans[0].Begin <= mixes[0].Begin {
			next, spans = ofSpan(&spans[0], from, to), spans[1:]
		} else {
			next, mixes = ofMix(&mixes[0], from, to), mixes[1:]
		}
		if next.length() <= 0 {
			continue
		}
		if n := len(all); n > 0 && together(&all[n-1], &next, pixel) {
			all[n-1].add(&next)
			continue
		}
		all = append(all, next)
	}
	return all
}

func ofSpan(s *timeline.Span, from, to int64) piece {
	p := piece{begin: max(s.Begin, from), end: min(s.End, to), count: 1, span: s}
	p.times[s.State] = float64(p.length())
	return p
}

func ofMix(m *timeline.Mix, from, to int64) piece {
	p := piece{begin: max(m.Begin, from), end: min(m.End, to), count: m.Count}
	for state, time := range m.Times {
		p.times[state] = float64(time) * float64(p.length()) / float64(m.End-m.Begin)
	}
	return p
}

// together reports whether a piece and the previous one are summed up: neither can be seen, nor the gap between them.
func together(before, next *piece, pixel float64) bool {
	length := func(p *piece) float64 { return float64(p.length()) / pixel }
	short := length(before) < shortest || before.span == nil && length(before) < longestMix
	return short && length(next) < shortest && float64(next.end-before.begin)/pixel <= longestMix
}

// add adds the next piece to the sum.
func (p *piece) add(next *piece) {
	p.end, p.span = next.end, nil
	p.count += next.count
	for state, time := range next.times {
		p.times[state] += time
	}
}
