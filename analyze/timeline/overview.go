package timeline

import "github.com/trcx/trcx/trace"

// Overview is how long threads were in each state, all of them together, in each of some parts of the trace.
type Overview struct {
	// Width is how long a part is, in nanoseconds; the last one may be shorter.
	Width int64
	// Times are the nanoseconds by state, then by part.
	Times [StateCount][]int64
}

// Overview sums up what the threads did, in so many parts at most.
func (x *Index) Overview(threads []trace.ThreadKey, parts int) (*Overview, error) {
	length := max(x.Duration(), 1)
	o := &Overview{Width: (length + int64(parts) - 1) / int64(max(parts, 1))}
	n := (length + o.Width - 1) / o.Width
	for state := range o.Times {
		o.Times[state] = make([]int64, n)
	}
	for i := range threads {
		w, err := x.Window(Request{Threads: threads[i : i+1], To: length, Resolution: o.Width})
		if err != nil {
			return nil, err
		}
		for _, lane := range w.Lanes {
			o.add(&lane)
		}
	}
	return o, nil
}

func (o *Overview) add(l *Lane) {
	for i := range l.Spans {
		s := &l.Spans[i]
		o.spread(s.State, s.Begin, s.End)
	}
	for i := range l.Mixes {
		part := min(l.Mixes[i].Begin/o.Width, int64(len(o.Times[0])-1))
		for state, time := range l.Mixes[i].Times {
			o.Times[state][part] += time
		}
	}
}

// spread adds a span to the parts that it touches.
func (o *Overview) spread(state State, begin, end int64) {
	times := o.Times[state]
	for part := begin / o.Width; part < int64(len(times)) && begin < end; part++ {
		border := min((part+1)*o.Width, end)
		times[part] += border - begin
		begin = border
	}
}
