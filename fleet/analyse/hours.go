package analyse

import (
	"fmt"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/trace"
)

// maxHours limits the hours of a trace.
const maxHours = 1000

// hourLimit limits the rows of an hour's table, so that corrections find the rows that they belong to.
const hourLimit = 1 << 20

// role is which part of waits a collector has.
type role uint8

const (
	whole   role = iota // the whole waits that end in the hour
	inside              // the parts in the hour of waits that end in a later one
	outside             // the parts in earlier hours of waits that end in the hour
)

type hourPart struct {
	hour int64
	role role
}

// hours collect waits by the hour. The total of a wait is split at the hours: it is what the whole waits have, with the
// parts that are inside and without those that are outside. All else is of the hour in which the wait ends.
type hours struct {
	on      bool
	threads map[trace.ThreadKey]*trace.ModelThread
	parts   map[hourPart]*hourCollector
}

// hourCollector collects the waits of a part, with the threads that have some.
type hourCollector struct {
	*contention.Collector
	threads map[trace.ThreadKey]bool
}

func newHours(on bool) *hours {
	return &hours{on, map[trace.ThreadKey]*trace.ModelThread{}, map[hourPart]*hourCollector{}}
}

// put collects what a record has of the hours.
func (h *hours) put(r trace.Record) error {
	if !h.on {
		return nil
	}
	switch r := r.(type) {
	case *trace.ModelThread:
		kept := *r
		h.threads[r.Key] = &kept
		for _, c := range h.parts {
			if !c.threads[r.Key] {
				continue
			}
			if err := c.Put(r); err != nil {
				return err
			}
		}
	case *trace.ModelObject:
		for _, c := range h.parts {
			if err := c.Put(r); err != nil {
				return err
			}
		}
	case *trace.Interval:
		if !r.Type.IsBusy() {
			return h.interval(r)
		}
	}
	return nil
}

// interval puts the interval into the hour in which it ends, and its parts into the earlier ones.
func (h *hours) interval(i *trace.Interval) error {
	last := hourOf(i.End)
	if i.Length() > 0 {
		last = hourOf(i.End - 1)
	}
	first := hourOf(i.Time)
	if last-first > maxHours || len(h.parts) > 3*maxHours {
		return fmt.Errorf("the waits of the trace are in more than %d hours, from %s to %s: its times are wrong, or the "+
			"label hour is not for it", maxHours, hourText(first), hourText(last))
	}
	if err := h.in(hourPart{last, whole}, i); err != nil {
		return err
	}
	for hour := first; hour < last; hour++ {
		part := *i
		part.Time = max(i.Time, trace.Time(hour*int64(time.Hour)))
		part.End = min(i.End, trace.Time((hour+1)*int64(time.Hour)))
		if err := h.in(hourPart{hour, inside}, &part); err != nil {
			return err
		}
		if err := h.in(hourPart{last, outside}, &part); err != nil {
			return err
		}
	}
	return nil
}

// in puts the interval into the collector of the part.
func (h *hours) in(part hourPart, i *trace.Interval) error {
	c := h.parts[part]
	if c == nil {
		c = &hourCollector{contention.NewCollector("", hourLimit), map[trace.ThreadKey]bool{}}
		h.parts[part] = c
	}
	if key := i.Thread.Key; !c.threads[key] {
		c.threads[key] = true
		if err := c.Put(h.threads[key]); err != nil {
			return err
		}
	}
	return c.Put(i)
}
