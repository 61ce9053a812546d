package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// key is who is to blame, for sums.
type key struct {
	thread trace.ThreadKey // 0 in sums by pool
	pool   uint32          // the number of the pool's name; 0 in sums by thread
	place  uint32          // 0 unless sums have places
	kind   Kind
	state  trace.State // StateRunnable unless the kind is Segment
}

// isUnexplained reports whether the culprit waited itself, and the trace does not show what ended that.
func (k key) isUnexplained() bool { return k.kind == Segment && isWait(stateTypes[k.state]) }

// stateTypes are the types of the segments of a state.
var stateTypes = [trace.StateCount]trace.ModelType{
	trace.StateRunnable: trace.Running, trace.StateBlocked: trace.WaitingForLock,
	trace.StateWaiting: trace.WaitingForObject, trace.StateTimedWaiting: trace.WaitingForObject,
	trace.StateParked: trace.WaitingForObject, trace.StateInIO: trace.WaitingForObject,
	trace.StateInitialising: trace.WaitingForObject,
	trace.StateJoining:      trace.WaitingForJoin, trace.StateSleeping: trace.Sleeping,
	trace.StateDeadlocked: trace.DeadLock, trace.StateTerminated: trace.Dead,
}

// stateOf returns the state of a type, without what else distinguishes states.
func stateOf(typ trace.ModelType) trace.State { return (&trace.ModelEvent{Type: typ}).State() }

// detail is what keys distinguish.
type detail uint8

const (
	byType  detail = iota // types of segments, as the JSON of blame does
	byState               // states as people read them: of WaitingForObject, PARKED or TIMED_WAITING
	byPlace               // like byState, with call stacks
)

// keys numbers keys.
type keys struct {
	numbers map[key]int // in sums by pool
	list    []key
	pools   *critical.Recorder // for sums by pool
	names   []string           // of pools, by their numbers; the first is ""
	byName  map[string]uint32  // the numbers of pools
	detail  detail
	states  [][states]int32 // without places: by the thread's key, the number plus one, or 0
	cache   map[cached]int  // with places
}

// states is the number of states of a thread in sums: the states of segments, and latency.
const states = int(trace.StateCount) + 1

// cached is a thread in a state at a place.
type cached struct {
	thread trace.ThreadKey
	state  int
	place  uint32
}

func newKeys(d detail) *keys {
	return &keys{numbers: map[key]int{}, names: []string{""}, byName: map[string]uint32{"": 0}, detail: d,
		cache: map[cached]int{}}
}

// of returns the number of the key of a thread.
func (k *keys) of(thread trace.ThreadKey, kind Kind, state trace.State, place uint32) int {
	index := int(state)
	if kind != Segment {
		index = states - 1 // latency; of no thread, unknown
	}
	if k.detail == byPlace {
		c := cached{thread, index, place}
		n, ok := k.cache[c]
		if !ok {
			n = k.number(key{thread: thread, kind: kind, state: state, place: place})
			k.cache[c] = n
		}
		return n
	}
	if int(thread) >= len(k.states) {
		k.states = append(k.states, make([][states]int32, int(thread)+1-len(k.states))...)
	}
	n := &k.states[thread][index]
	if *n == 0 {
		*n = int32(k.number(key{thread: thread, kind: kind, state: state}) + 1)
	}
	return int(*n - 1)
}

// number returns the number of a key that states and cache do not have. In sums by pool, it has the pool in place of
// the thread, and others can have the same.
func (k *keys) number(of key) int {
	n := len(k.list)
	if k.pools != nil {
		if name := k.pools.Name(of.thread); name != "" { // a thread without a name is a pool of its own
			of.thread, of.pool = 0, k.poolNumber(threads.PoolOf(name))
		}
		if known, ok := k.numbers[of]; ok {
			return known
		}
		k.numbers[of] = n
	}
	k.list = append(k.list, of)
	return n
}

func (k *keys) poolNumber(name string) uint32 {
	number, ok := k.byName[name]
	if !ok {
		number = uint32(len(k.names))
		k.names, k.byName[name] = append(k.names, name), number
	}
	return number
}

// segment returns the number of the key of the segment's thread in its state.
func (k *keys) segment(r *critical.Recorder, s trace.SegmentID, kept critical.Kept) int {
	state := stateOf(kept.Type)
	if k.detail != byType && state == trace.StateWaiting {
		state = r.State(s)
	}
	return k.of(kept.Thread, Segment, state, k.place(r, s))
}

// segmentKey returns the number of the key of the segment's thread in its state.
func (f *forest) segmentKey(k *keys, s uint32) int {
	return k.segment(f.recorder, trace.SegmentID(s), f.recorder.Segment(trace.SegmentID(s)))
}

// latency returns the number of the key of the thread that let another one go on, in the segment.
func (k *keys) latency(r *critical.Recorder, s trace.SegmentID) int {
	return k.of(r.Segment(s).Thread, Latency, trace.StateRunnable, k.place(r, s))
}

// place returns the number of the segment's call stack, if sums have places.
func (k *keys) place(r *critical.Recorder, s trace.SegmentID) uint32 {
	if k.detail != byPlace {
		return 0
	}
	return r.Stack(s)
}

func (k *keys) unknown() int { return k.of(0, Unknown, trace.StateRunnable, 0) }

// sum is the sum over waits of a key.
type sum struct {
	total int64
	count int32
	last  uint32 // the Running segment that ended the wait that was counted last
}

// tally is a list of sums, by the numbers of keys.
type tally []sum

func (t *tally) at(n int) *sum {
	for len(*t) <= n {
		*t = append(*t, sum{})
	}
	return &(*t)[n]
}

// sums returns the sums over the waits that the segments ended. Walks are taken one by one: in most traces each passes
// a few segments. If that becomes too much, the other waits are summed over the forest, in linear time.
//
// Walks that come to a broken hop, in traces whose times go back, are always taken one by one. If those are too long,
// too, what others would pass after a broken hop is unknown: no disorder makes the sums take quadratic time.
func (f *forest) sums(k *keys, ends []uint32) tally {
	var sums tally
	f.add(k, &sums, ends)
	return sums
}

// add adds the sums over the waits that the segments ended; see sums.
func (f *forest) add(k *keys, sums *tally, ends []uint32) {
	segments := int(f.recorder.Segments())
	limit := f.steps + f.limits.walked*segments
	w := walk{forest: f, keys: k, sums: sums, limit: limit + f.limits.odd*segments}
	for i, s := range ends {
		if f.steps >= limit {
			f.addOver(&w, ends[i:])
			break
		}
		w.follow(s)
	}
}

// addOver adds the sums of the waits that the segments ended, by the forest.
func (f *forest) addOver(w *walk, ends []uint32) {
	if f.hops == nil {
		f.grow()
	}
	regular := make([]uint32, 0, len(ends))
	for _, s := range ends {
		if f.isOdd(s) && f.steps < w.limit {
			w.follow(s)
		} else {
			regular = append(regular, s)
		}
	}
	flow := f.flows(regular)
	f.totals(w.keys, w.sums, flow, regular)
	f.counts(w.keys, w.sums, flow, regular)
}

// flows returns by segment the number of waits that cover its hop as a whole, over the waits that end with the
// segments.
func (f *forest) flows(ends []uint32) []uint32 {
	flow := make([]uint32, len(f.hops))
	for _, s := range ends {
		flow[s]++
		flow[f.hops[s].end]--
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
			sums.at(f.segmentKey(k, h.next)).total += n * length
		}
	}
	for _, s := range ends {
		h := &f.hops[s]
		f.addCover(k, sums, h.end, f.coverOf(h.end, f.from(s)))
	}
}

// addCover adds the times of the last hop of a wait.
func (f *forest) addCover(k *keys, sums *tally, end uint32, c cover) {
	h := &f.hops[end]
	if c.latency > 0 {
		sums.at(k.latency(f.recorder, trace.SegmentID(h.let))).total += c.latency
	}
	if c.segment > 0 {
		sums.at(f.segmentKey(k, h.next)).total += c.segment
	}
	if c.unknown > 0 {
		unknown := sums.at(k.unknown())
		unknown.total += c.unknown
		unknown.count++
	}
}

// ranking has the sums of culprits, the largest first; of equal ones, in the order of threads.
type ranking struct {
	keys  []key
	names []string // of pools
	sums  tally
	order []uint32 // the numbers of the keys that have a sum
}

func (k *keys) ranking(sums tally) *ranking {
	r := &ranking{keys: k.list, names: k.names, sums: sums}
	for n := range sums {
		if sums[n].total > 0 {
			r.order = append(r.order, uint32(n))
		}
	}
	slices.SortFunc(r.order, r.rank)
	return r
}

// rank compares keys by their numbers: by their sums, and then as compareCulprits does.
func (r *ranking) rank(x, y uint32) int {
	a, b := &r.keys[x], &r.keys[y]
	return cmp.Or(cmp.Compare(r.sums[y].total, r.sums[x].total), cmp.Compare(a.thread, b.thread),
		cmp.Compare(r.names[a.pool], r.names[b.pool]), cmp.Compare(a.kind, b.kind), cmp.Compare(a.state, b.state))
}

// split returns the rows whose keys are selected, and the others.
func (r *ranking) split(selects func(key) bool) (selected, others *ranking) {
	selected, others = &ranking{r.keys, r.names, r.sums, nil}, &ranking{r.keys, r.names, r.sums, nil}
	for i, n := range r.order {
		to := others
		if selects(r.key(i)) {
			to = selected
		}
		to.order = append(to.order, n)
	}
	return selected, others
}

// key returns the key of the row.
func (r *ranking) key(row int) key { return r.keys[r.order[row]] }

// row returns a row of the ranking.
func (b *Blame) row(r *ranking, row int) Row {
	sum := &r.sums[r.order[row]]
	return Row{Culprit: b.culprit(r.key(row), r.names), Total: sum.total, Count: int(sum.count)}
}

// rows returns the first rows of the ranking, at most limit.
func (b *Blame) rows(r *ranking, limit int) []Row {
	var rows []Row
	for i := range min(len(r.order), limit) {
		rows = append(rows, b.row(r, i))
	}
	return rows
}

func compareCulprits(x, y *Culprit) int {
	return cmp.Or(cmp.Compare(x.Thread.Key, y.Thread.Key), cmp.Compare(x.Pool, y.Pool), cmp.Compare(x.Kind, y.Kind),
		cmp.Compare(x.As, y.As))
}

// culprit returns the culprit of a key. names are the names of pools.
func (b *Blame) culprit(k key, names []string) Culprit {
	c := Culprit{Pool: names[k.pool], Kind: k.kind, Type: stateTypes[k.state], As: k.state}
	if k.thread != 0 {
		c.Thread, _ = b.recorder.Thread(k.thread)
		c.Pool = threads.PoolOf(c.Thread.Name)
	}
	return c
}
