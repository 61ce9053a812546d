package jfr

import "github.com/trcx/trcx/trace"

// rest is a deed that goes on: one in which a thread does not run, or a collection. A thread is in one at a time, so
// there are no more of them than threads.
type rest struct {
	begin  trace.Time
	length int64
	thread uint64
	other  uint64 // the previous owner or the notifier; of a collection, its id
	place  int64
	order  uint64
	scope  uint32
	at     int32 // its place in the heap
	kind   deedKind
	flags  flags
}

func (r *rest) end() trace.Time { return r.begin + trace.Time(r.length) }

// nests says whether a deed is a part of what the thread rests in already: a pinned virtual thread sleeps by parking
// its carrier. Or it is the same, which the survey lets begin earlier.
func (r *rest) nests(d *deed) bool {
	return r.kind == sleeps && d.kind == parks && d.end() <= r.end() || r.place == d.place
}

// rests are those that go on: a heap, the one on top that ends first.
type rests struct {
	heap  []*rest
	spare []*rest // some that are over
}

// first is the one that ends first; nil if none goes on.
func (o *rests) first() *rest {
	if len(o.heap) == 0 {
		return nil
	}
	return o.heap[0]
}

// add adds a deed.
func (o *rests) add(d *deed) *rest {
	var r *rest
	if n := len(o.spare); n > 0 {
		r, o.spare = o.spare[n-1], o.spare[:n-1]
	} else {
		r = &rest{}
	}
	*r = rest{begin: d.begin, length: d.length, thread: d.thread, other: d.other, place: d.place, order: d.order,
		scope: d.scope, kind: d.kind, flags: d.flags,
		at: int32(len(o.heap))}
	if d.kind == collects {
		r.other = d.id
	}
	o.heap = append(o.heap, r)
	o.up(len(o.heap) - 1)
	return r
}

// mostSpare is how many that are over are kept for those that come.
const mostSpare = 1024

// remove takes one out. It is not to be looked at afterwards.
func (o *rests) remove(r *rest) {
	i, last := int(r.at), len(o.heap)-1
	o.swap(i, last)
	o.heap[last] = nil
	if o.heap = o.heap[:last]; i < last {
		o.down(i)
		o.up(i)
	}
	if len(o.spare) < mostSpare {
		o.spare = append(o.spare, r)
	}
}

func (o *rests) before(i, j int) bool {
	a, b := o.heap[i], o.heap[j]
	return a.end() < b.end() || a.end() == b.end() && a.order < b.order
}

func (o *rests) swap(i, j int) {
	h := o.heap
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = int32(i), int32(j)
}

func (o *rests) up(i int) {
	for ; i > 0 && o.before(i, (i-1)/2); i = (i - 1) / 2 {
		o.swap(i, (i-1)/2)
	}
}

func (o *rests) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(o.heap); child++ {
			if o.before(child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		o.swap(i, least)
		i = least
	}
}
