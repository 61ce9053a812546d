package timeline

import (
	"context"

	"github.com/trcx/trcx/trace"
)

// Overview is how long threads were in each state, all of them together, in each of some parts of the trace.
type Overview struct {
	// Width is how long a part is, in nanoseconds; the last one may be shorter.
	Width int64
	// Times are the nanoseconds by state, then by part.
	Times [StateCount][]int64
}

// Overview sums up what the threads did, in so many parts at most, until the context is done; nil is all threads, of
// which it is known at once.
func (x *Index) Overview(ctx context.Context, threads []trace.ThreadKey, parts int) (*Overview, error) {
	parts = max(parts, 1)
	if threads == nil && x.earliest == 0 {
		return x.now().overview(parts), nil
	}
	if threads == nil {
		threads = x.Keys()
	}
	length := max(x.Duration(), 1)
	o := &Overview{Width: (length-1)/int64(parts) + 1}
	n := (length-1)/o.Width + 1
	for state := range o.Times {
		o.Times[state] = make([]int64, n)
	}
	for i := range threads {
		w, err := x.Window(ctx, Request{Threads: threads[i : i+1], To: length, Resolution: o.Width})
		if err != nil {
			return nil, err
		}
		for _, lane := range w.Lanes {
			o.add(&lane)
		}
	}
	return o, nil
}

// now is the strip with the spans that have not ended yet.
func (x *Index) now() *strip {
	s := x.strip.copied()
	for _, l := range x.lanes {
		if going := x.going(l); going != nil {
			s.add(State(going.kind), going.begin, going.end)
		}
	}
	return &s
}

func (o *Overview) add(l *Lane) {
	for i := range l.Spans {
		s := &l.Spans[i]
		spread(o.Times[s.State], o.Width, s.Begin, s.End)
	}
	for i := range l.Mixes {
		part := min(l.Mixes[i].Begin/o.Width, int64(len(o.Times[0])-1))
		for state, time := range l.Mixes[i].Times {
			o.Times[state][part] += time
		}
	}
}

// spread adds a span to the parts of a width that it touches.
func spread(times []int64, width, begin, end int64) {
	for part := begin / width; part < int64(len(times)) && begin < end; part++ {
		border := min((part+1)*width, end)
		times[part] += border - begin
		begin = border
	}
}
