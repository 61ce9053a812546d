package timeline

import "math/bits"

// strip sums up what all threads do, part by part, while the records come: computing an overview later by reading a
// large trace takes seconds.
type strip struct {
	width int64 // of a part, in nanoseconds; 0 if the strip is empty
	times [StateCount][]int64
}

// maxStripParts limits the parts of a strip. Beyond it, parts become twice as long.
const (
	maxStripParts   = 8192
	shortestOfStrip = 1 << 10 // nanoseconds
)

// add adds a span. What is before the start of the trace is left out.
func (s *strip) add(state State, begin, end int64) {
	if begin = max(begin, 0); begin >= end {
		return
	}
	if s.width == 0 {
		s.width = shortestOfStrip
	}
	for (end-1)>>s.shift() >= maxStripParts {
		s.width *= 2
		for state, times := range s.times {
			s.times[state] = gathered(times, 2)
		}
	}
	first, last := begin>>s.shift(), (end-1)>>s.shift()
	for len(s.times[0]) <= int(last) {
		for state := range s.times {
			s.times[state] = append(s.times[state], 0)
		}
	}
	if first == last {
		s.times[state][first] += end - begin
		return
	}
	spread(s.times[state], s.width, begin, end)
}

// shift is the number of bits by which to divide by the width, which is a power of two.
func (s *strip) shift() int { return bits.TrailingZeros64(uint64(s.width)) }

// gathered sums up groups of the given number of times, in place.
func gathered(times []int64, each int) []int64 {
	n := 0
	for i, time := range times {
		if i%each == 0 {
			times[n] = 0
			n++
		}
		times[n-1] += time
	}
	return times[:n]
}

// overview returns the strip, which is used up, in at most the given number of parts.
func (s *strip) overview(parts int) *Overview {
	each := (len(s.times[0]) + parts - 1) / parts
	o := &Overview{Width: max(s.width, 1) * int64(max(each, 1))}
	for state, times := range s.times {
		o.Times[state] = gathered(times, max(each, 1))
	}
	return o
}

// sound reports whether a strip that was read is valid.
func (s *strip) sound() bool {
	for _, times := range s.times {
		if len(times) != len(s.times[0]) || len(times) > maxStripParts {
			return false
		}
	}
	return s.width > 0 && bits.OnesCount64(uint64(s.width)) == 1 || s.width == 0 && len(s.times[0]) == 0
}
