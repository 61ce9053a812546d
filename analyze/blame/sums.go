package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// key is who is to blame, for sums.
type key struct {
	thread trace.ThreadKey // 0 in sums by pool
	pool   string          // "" in sums by thread
	kind   Kind
	typ    trace.ModelType // Running unless the kind is Segment
	place  uint32          // 0 unless sums have places
}

// keys numbers keys.
type keys struct {
	numbers map[key]int
	list    []key
	pools   *critical.Recorder // for sums by pool
	names   map[trace.ThreadKey]string
	places  bool
	cache   map[cached]int
}

// cached is a thread in a state at a place.
type cached struct {
	thread trace.ThreadKey
	kind   Kind
	typ    trace.ModelType
	place  uint32
}

func newKeys(places bool) *keys {
	return &keys{numbers: map[key]int{}, names: map[trace.ThreadKey]string{}, places: places, cache: map[cached]int{}}
}

// of returns the number of the key of a thread.
func (k *keys) of(thread trace.ThreadKey, kind Kind, typ trace.ModelType, place uint32) int {
	c := cached{thread, kind, typ, place}
	if n, ok := k.cache[c]; ok {
		return n
	}
	of := key{thread: thread, kind: kind, typ: typ, place: place}
	if k.pools != nil && thread != 0 {
		t, _ := k.pools.Thread(thread)
		of.thread, of.pool = 0, trace.PoolOf(t.Name)
		if t.Name == "" {
			of.thread = thread // a thread without a name is a pool of its own
		}
	}
	n, ok := k.numbers[of]
	if !ok {
		n = len(k.list)
		k.list = append(k.list, of)
		k.numbers[of] = n
	}
	k.cache[c] = n
	return n
}

// segment returns the number of the key of the segment's thread in its state.
func (k *keys) segment(r *critical.Recorder, s trace.SegmentID) int {
	kept, place := r.Segment(s), uint32(0)
	if k.places {
		place = r.Place(s)
	}
	return k.of(kept.Thread, Segment, kept.Type, place)
}

// latency returns the number of the key of the thread that let another one go on, in the segment.
func (k *keys) latency(r *critical.Recorder, s trace.SegmentID) int {
	place := uint32(0)
	if k.places {
		place = r.Place(s)
	}
	return k.of(r.Segment(s).Thread, Latency, trace.Running, place)
}

func (k *keys) unknown() int { return k.of(0, Unknown, trace.Running, 0) }

// sum is the sum over waits of a key.
type sum struct {
	total int64
	count int
}

// tally is a list of sums, by the numbers of keys.
type tally []sum

func (t *tally) at(n int) *sum {
	for len(*t) <= n {
		*t = append(*t, sum{})
	}
	return &(*t)[n]
}

// sums returns the sums over all chosen waits.
func (f *forest) sums(k *keys) tally {
	var sums tally
	flow := f.flows(nil)
	f.totals(k, &sums, flow, nil)
	f.counts(k, &sums, flow)
	for _, s := range f.odd {
		f.addParts(k, &sums, s)
	}
	return sums
}

// flows returns by segment the number of waits that cover its hop as a whole, over the waits that end with the
// segments, or all.
func (f *forest) flows(ends []uint32) []uint32 {
	flow := make([]uint32, len(f.hops))
	add := func(s uint32) {
		flow[s]++
		flow[f.hops[s].end]--
	}
	if ends == nil {
		for s := range f.hops {
			if f.hops[s].chosen {
				add(uint32(s))
			}
		}
	} else {
		for _, s := range ends {
			add(s)
		}
	}
	for s := len(f.hops) - 1; s > 0; s-- {
		if n := flow[s]; n != 0 {
			f.steps++
			if next := f.hops[s].next; next != 0 {
				flow[next] += n
			}
		}
	}
	return flow
}

// totals adds up times.
func (f *forest) totals(k *keys, sums *tally, flow, ends []uint32) {
	for s := range f.hops {
		n := int64(flow[s])
		if n == 0 {
			continue
		}
		f.steps++
		h := &f.hops[s]
		if latency := int64(f.begin(uint32(s)) - h.at); latency > 0 {
			sums.at(k.latency(f.recorder, trace.SegmentID(h.let))).total += n * latency
		}
		if length := int64(h.at - f.begin(h.next)); length > 0 {
			sums.at(k.segment(f.recorder, trace.SegmentID(h.next))).total += n * length
		}
	}
	last := func(s uint32) {
		h := &f.hops[s]
		f.addCover(k, sums, h.end, f.coverOf(h.end, f.from(s)))
	}
	if ends != nil {
		for _, s := range ends {
			last(s)
		}
		return
	}
	for s := range f.hops {
		if f.hops[s].chosen {
			last(uint32(s))
		}
	}
}

// addCover adds the times of the last hop of a wait.
func (f *forest) addCover(k *keys, sums *tally, end uint32, c cover) {
	h := &f.hops[end]
	if c.latency > 0 {
		sums.at(k.latency(f.recorder, trace.SegmentID(h.let))).total += c.latency
	}
	if c.segment > 0 {
		sums.at(k.segment(f.recorder, trace.SegmentID(h.next))).total += c.segment
	}
	if c.unknown > 0 {
		unknown := sums.at(k.unknown())
		unknown.total += c.unknown
		unknown.count++
	}
}

// rowsOf returns the sums as rows, the largest first; of equal ones, in the order of threads.
func (b *Blame) rowsOf(k *keys, sums tally) []Row {
	var rows []Row
	for n, s := range sums {
		if s.total > 0 {
			rows = append(rows, Row{b.culprit(k.list[n]), s.total, s.count})
		}
	}
	slices.SortStableFunc(rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), compareCulprits(&x.Culprit, &y.Culprit))
	})
	return rows
}

func compareCulprits(x, y *Culprit) int {
	return cmp.Or(cmp.Compare(x.Thread.Key, y.Thread.Key), cmp.Compare(x.Pool, y.Pool), cmp.Compare(x.Kind, y.Kind),
		cmp.Compare(x.Type, y.Type))
}

func (b *Blame) culprit(k key) Culprit {
	c := Culprit{Pool: k.pool, Kind: k.kind, Type: k.typ}
	if k.thread != 0 {
		c.Thread, _ = b.recorder.Thread(k.thread)
		c.Pool = trace.PoolOf(c.Thread.Name)
	}
	return c
}
