package timeline

import (
	"context"

	"github.com/trcx/trcx/trace"
)

// Overview is how long all threads together were in each state, in each part of the trace.
type Overview struct {
	// Width is the length of a part, in nanoseconds; the last part may be shorter.
	Width int64
	// Times are the nanoseconds by state, then by part.
	Times [StateCount][]int64
}

// Overview sums up what the threads did, in at most the given number of parts, until the context is done. For all
// threads, nil, the sums are kept.
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

// now returns the strip with the spans that have not ended yet.
func (x *Index) now() *strip {
	s := x.strip
	for state, times := range s.times {
		s.times[state] = append([]int64{}, times...)
	}
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

// spread adds a span to the parts, of the given width, that it touches.
func spread(times []int64, width, begin, end int64) {
	for part := begin / width; part < int64(len(times)) && begin < end; part++ {
		border := min((part+1)*width, end)
		times[part] += border - begin
		begin = border
	}
}
