package jfr

import (
	"container/heap"
	"context"

	"github.com/trcx/trcx/trace"
)

// interval is an open event with a duration: a thread waits, sleeps, parks or is blocked, or a garbage collection runs.
// A thread is in at most one interval, so there are no more of them than threads and collections.
type interval struct {
	begin    trace.Time
	duration int64 // in ns
	thread   uint64
	other    uint64 // previous owner or notifier; of a collection, its id
	offset   int64
	sequence uint64
	jvm      uint32
	index    int32 // in the heap
	kind     eventKind
	flags    flags
}

func (i *interval) end() trace.Time { return i.begin + trace.Time(i.duration) }

// covers reports whether an event is part of the thread's interval. A pinned virtual thread sleeps by parking its
// carrier, a socket parks for its own lock, and some streams read from another stream. It also covers the same event,
// if its begin was inferred to be earlier.
func (i *interval) covers(e *event) bool {
	switch {
	case i.offset == e.offset:
		return true
	case e.end() > i.end():
		return false
	case i.kind == kindSleep:
		return e.kind == kindPark
	}
	return i.kind == kindIO && (e.kind == kindPark || e.kind == kindIO)
}

// openIntervals are the open intervals, ordered by their ends.
type openIntervals struct {
	heap intervalHeap
	free []*interval // for reuse
}

// first returns the interval that ends first, or nil.
func (o *openIntervals) first() *interval {
	if len(o.heap) == 0 {
		return nil
	}
	return o.heap[0]
}

// add opens the interval of an event.
func (o *openIntervals) add(e *event) *interval {
	var i *interval
	if n := len(o.free); n > 0 {
		i, o.free = o.free[n-1], o.free[:n-1]
	} else {
		i = &interval{}
	}
	*i = interval{begin: e.begin, duration: e.duration, thread: e.thread, other: e.other, offset: e.offset,
		sequence: e.sequence, jvm: e.jvm, kind: e.kind, flags: e.flags}
	if e.kind == kindCollection {
		i.other = e.gcID
	}
	heap.Push(&o.heap, i)
	return i
}

// maxFree limits the closed intervals kept for reuse.
const maxFree = 1024

// remove removes an interval, which must not be used afterwards.
func (o *openIntervals) remove(i *interval) {
	heap.Remove(&o.heap, int(i.index))
	if len(o.free) < maxFree {
		o.free = append(o.free, i)
	}
}

// intervalHeap implements heap.Interface. Pauses come before other intervals that end at the same time.
type intervalHeap []*interval

func (h intervalHeap) Len() int { return len(h) }

func (h intervalHeap) Less(i, j int) bool {
	if a, b := h[i].end(), h[j].end(); a != b {
		return a < b
	}
	if pause := h[i].kind == kindPause; pause != (h[j].kind == kindPause) {
		return pause // in the collection, so that the two nest
	}
	return h[i].sequence < h[j].sequence
}

func (h intervalHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = int32(i), int32(j)
}

func (h *intervalHeap) Push(x any) {
	i := x.(*interval)
	i.index = int32(len(*h))
	*h = append(*h, i)
}

func (h *intervalHeap) Pop() any {
	last := len(*h) - 1
	i := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return i
}

// handler handles events in time order.
type handler interface {
	// begin handles an event. The handler adds the intervals that it opens.
	begin(e *event, open *openIntervals) error
	// end handles the end of an interval that was not removed before.
	end(*interval) error
}

// eventsPerCheck is the number of events between checks of the context.
const eventsPerCheck = 4096

// replay calls a handler for recorded events merged with inferred ones, and for the ends of intervals.
func replay(ctx context.Context, recorded, inferred *eventSorter, h handler) error {
	next, nextInferred := pull(recorded), pull(inferred)
	r, f := next(), nextInferred()
	var open openIntervals
	for steps := 0; ; steps++ {
		if steps%eventsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if first := open.first(); first != nil && first.endsBefore(r, f) && first.flags&flagOpen == 0 {
			if err := h.end(first); err != nil {
				return err
			}
			open.remove(first)
			continue
		}
		earliest := r
		if r == nil || f != nil && (f.begin < r.begin || f.begin == r.begin && r.kind != kindThreadKnown) {
			earliest = f
		}
		if earliest == nil {
			break
		}
		if err := h.begin(earliest, &open); err != nil {
			return err
		}
		if earliest == r {
			r = next()
		} else {
			f = nextInferred()
		}
	}
	if err := recorded.Err(); err != nil {
		return err
	}
	return inferred.Err()
}

// endsBefore reports whether the interval ends before the next recorded and the next inferred event; either may be nil.
func (i *interval) endsBefore(recorded, inferred *event) bool {
	end := i.end()
	return (recorded == nil || end < recorded.begin || end == recorded.begin && recorded.kind != kindThreadKnown) &&
		(inferred == nil || end < inferred.begin)
}

// pull returns a function that returns the events one by one, then nil. An event is valid until the next call.
func pull(s *eventSorter) func() *event {
	var e event
	sorted := s.Reader()
	return func() *event {
		key, record, ok := sorted.Next()
		if !ok {
			return nil
		}
		e.read(key, record)
		return &e
	}
}
