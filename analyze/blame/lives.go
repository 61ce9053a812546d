package blame

import (
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// lives has the segments of each thread in their order. A segment that is dated before the thread's previous one counts
// as that.
type lives struct {
	recorder *critical.Recorder
	segments []uint32              // of all threads, one thread after the other
	first    []uint32              // by the keys of threads: the index of the first segment; one more at the end
	at       []uint32              // by the keys of threads: the index that was found last
	late     map[uint32]trace.Time // the times of the segments that are dated before their thread's previous one
}

func newLives(r *critical.Recorder) *lives {
	l := &lives{recorder: r, segments: make([]uint32, r.Segments()), first: make([]uint32, r.Threads()+2),
		late: map[uint32]trace.Time{}}
	for s := trace.SegmentID(1); s <= r.Segments(); s++ {
		l.first[r.Segment(s).Thread+1]++
	}
	for key := range r.Threads() + 1 {
		l.first[key+1] += l.first[key]
	}
	l.at = append(l.at, l.first...)
	for s := trace.SegmentID(1); s <= r.Segments(); s++ {
		kept := r.Segment(s)
		l.segments[l.at[kept.Thread]] = uint32(s)
		l.at[kept.Thread]++
		if kept.Previous != 0 {
			if before := l.begin(uint32(kept.Previous)); kept.Begin < before {
				l.late[uint32(s)] = before
			}
		}
	}
	copy(l.at, l.first)
	return l
}

// begin returns the time as which the begin of the segment counts.
func (l *lives) begin(s uint32) trace.Time {
	begin := l.recorder.Begin(trace.SegmentID(s))
	if len(l.late) > 0 {
		if late, ok := l.late[s]; ok {
			return late
		}
	}
	return begin
}

// next returns the thread's segment after the one of the index; 0 if that is its last one.
func (l *lives) next(thread trace.ThreadKey, index uint32) uint32 {
	if index+1 >= l.first[thread+1] {
		return 0
	}
	return l.segments[index+1]
}

// find returns the index of the thread's segment at the time; ok is false before its first one. It searches from the
// one that was found last.
func (l *lives) find(thread trace.ThreadKey, at trace.Time) (index uint32, ok bool) {
	low, high := l.first[thread], l.first[thread+1] // the segment is before high, and low is at it or before
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
