package jfr

import (
	"context"
	"iter"
)

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
	next, stop := pull(recorded)
	defer stop()
	nextInferred, stopInferred := pull(inferred)
	defer stopInferred()
	r, f := next(), nextInferred()
	var open openIntervals
	for steps := 0; ; steps++ {
		if steps%eventsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if first := open.first(); first != nil && first.endsBefore(r, f) {
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
func pull(s *eventSorter) (next func() *event, stop func()) {
	var e event
	nextRecord, stop := iter.Pull2(s.Sorted())
	return func() *event {
		key, record, ok := nextRecord()
		if !ok {
			return nil
		}
		e.read(key, record)
		return &e
	}, stop
}
