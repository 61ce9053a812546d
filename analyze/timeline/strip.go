package timeline

import "math/bits"

// strip sums up what all threads do, part by part, while it is being told: an overview of a large trace that has to be
// read for it takes seconds.
type strip struct {
	width int64 // of a part, in nanoseconds; 0 of an empty strip
	times [StateCount][]int64
}

// maxStripParts is how many parts a strip has at most. When there would be more, they become twice as long.
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
		s.halve()
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

// shift divides by the width, which is a power of two.
func (s *strip) shift() int { return bits.TrailingZeros64(uint64(s.width)) }

// halve makes one part of two.
func (s *strip) halve() {
	s.width *= 2
	for state, times := range s.times {
		s.times[state] = gathered(times, 2)
	}
}

// gathered sums up so many numbers at a time, in place.
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

// overview is what the strip says in so many parts at most.
func (s *strip) overview(parts int) *Overview {
	each := (len(s.times[0]) + parts - 1) / parts
	o := &Overview{Width: max(s.width, 1) * int64(max(each, 1))}
	for state, times := range s.times {
		o.Times[state] = gathered(append([]int64{}, times...), max(each, 1))
	}
	return o
}

// sound reports whether a strip that was read is one.
func (s *strip) sound() bool {
	for _, times := range s.times {
		if len(times) != len(s.times[0]) || len(times) > maxStripParts {
			return false
		}
	}
	return s.width > 0 && bits.OnesCount64(uint64(s.width)) == 1 || s.width == 0 && len(s.times[0]) == 0
}

// copied is a strip to which something can be added.
func (s *strip) copied() strip {
	c := *s
	for state, times := range s.times {
		c.times[state] = append([]int64{}, times...)
	}
	return c
}
