package blame

import (
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// lives has the segments of each thread in their order. If a segment is dated before the thread's previous one, it
// counts as beginning with that.
type lives struct {
	begins   []trace.Time      // by segment: the time as which its begin counts
	threads  []trace.ThreadKey // by segment
	segments []uint32          // of all threads, one thread after the other; nil until they are needed
	first    []uint32          // by the keys of threads: the index of the first segment; one more at the end
	at       []uint32          // by the keys of threads: the index found last
}

// newLives returns lives for the segments of the recorder, which then have to be added in their order.
func newLives(r *critical.Recorder) *lives {
	return &lives{begins: make([]trace.Time, r.Segments()+1), threads: make([]trace.ThreadKey, r.Segments()+1),
		first: make([]uint32, r.Threads()+2)}
}

func (l *lives) add(s trace.SegmentID, kept critical.Kept) {
	l.threads[s], l.begins[s] = kept.Thread, kept.Begin
	if kept.Previous != 0 {
		l.begins[s] = max(kept.Begin, l.begins[kept.Previous])
	}
}

// sort sorts the segments by their threads.
func (l *lives) sort() {
	if l.segments != nil {
		return
	}
	l.segments = make([]uint32, len(l.threads)-1)
	for _, thread := range l.threads[1:] {
		l.first[thread+1]++
	}
	for key := range len(l.first) - 1 {
		l.first[key+1] += l.first[key]
	}
	l.at = slices.Clone(l.first)
	for s, thread := range l.threads[1:] {
		l.segments[l.at[thread]] = uint32(s + 1)
		l.at[thread]++
	}
	copy(l.at, l.first)
}

// begin returns the time as which the segment's begin counts.
func (l *lives) begin(s uint32) trace.Time { return l.begins[s] }

// next returns the thread's segment after the one at the index; 0 after the last one.
func (l *lives) next(thread trace.ThreadKey, index uint32) uint32 {
	if index+1 >= l.first[thread+1] {
		return 0
	}
	return l.segments[index+1]
}

// find returns the index of the thread's segment at the time; ok is false before its first one. The search starts at
// the segment that was found last.
func (l *lives) find(thread trace.ThreadKey, at trace.Time) (index uint32, ok bool) {
	low, high := l.first[thread], l.first[thread+1] // the segment is at low or after, and before high
	if low == high || l.begin(l.segments[low]) > at {
		return 0, false
	}
	guess := l.at[thread]
	for step := uint32(1); ; step *= 2 {
		if l.begin(l.segments[guess]) <= at {
			low = guess
			if guess += step; guess >= high || l.begin(l.segments[guess]) > at {
				high = min(high, guess)
				break
			}
		} else {
			high = guess
			if guess -= min(step, guess-low); l.begin(l.segments[guess]) <= at {
				low = guess
				break
			}
		}
	}
	for low+1 < high {
		if middle := low + (high-low)/2; l.begin(l.segments[middle]) <= at {
			low = middle
		} else {
			high = middle
		}
	}
	l.at[thread] = low
	return low, true
}
