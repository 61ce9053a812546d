package blame

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// key identifies a culprit in sums.
type key struct {
	thread trace.ThreadKey // 0 in sums by pool
	pool   uint32          // the number of the pool's name; 0 in sums by thread
	place  uint32          // 0 if unknown, and in sums without places
	kind   Kind
	guess  bool        // the place is a guess
	own    bool        // the waits kept only their own thread; only byOwn
	state  trace.State // StateRunnable unless the kind is Segment
}

// isOwn reports whether the waits kept only their own thread.
func (k key) isOwn() bool { return k.own }

// stateTypes are the types of the segments of a state.
var stateTypes = [trace.StateCount]trace.ModelType{
	trace.StateRunnable: trace.Running, trace.StateBlocked: trace.WaitingForLock,
	trace.StateWaiting: trace.WaitingForObject, trace.StateTimedWaiting: trace.WaitingForObject,
	trace.StateParked: trace.WaitingForObject, trace.StateInIO: trace.WaitingForObject,
	trace.StateInitialising: trace.WaitingForObject,
	trace.StateJoining:      trace.WaitingForJoin, trace.StateSleeping: trace.Sleeping,
	trace.StateDeadlocked: trace.DeadLock, trace.StateTerminated: trace.Dead,
}

// stateOf returns the state of a type without further details of the event.
func stateOf(typ trace.ModelType) trace.State { return (&trace.ModelEvent{Type: typ}).State() }

// detail is what keys distinguish.
type detail uint8

const (
	byType  detail = iota // types of segments, for the JSON of blame
	byState               // states as people read them, such as PARKED for some WaitingForObject
	byOwn                 // like byState, and whether waits kept only their own thread
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
	spots   bool            // sums are divided by the places of culprits
	rows    []int           // for each key, the number of its row, which is the key without its place
	states  [][states]int32 // without places: the number plus one by the thread's key, or 0
	cache   map[cached]int  // with places
}

// states is the number of states of a thread in sums: the states of segments, the same for waits that kept only their
// own thread, and latency.
const states = 2*int(trace.StateCount) + 1

// cached is a thread in a state at a place.
type cached struct {
	thread trace.ThreadKey
	state  int
	place  uint32
	guess  bool
}

func newKeys(d detail) *keys {
	return &keys{numbers: map[key]int{}, names: []string{""}, byName: map[string]uint32{"": 0}, detail: d,
		cache: map[cached]int{}}
}

// withSpots divides the sums by places, and returns k.
func (k *keys) withSpots() *keys {
	k.spots = true
	return k
}

// of returns the number of the key of a thread.
func (k *keys) of(thread trace.ThreadKey, kind Kind, state trace.State, own bool, place uint32) int {
	return k.at(key{thread: thread, kind: kind, state: state, own: own, place: place})
}

// at returns the number of the key, which has a thread and no pool.
func (k *keys) at(of key) int {
	index := int(of.state)
	if of.own = of.own && k.detail == byOwn; of.own {
		index += int(trace.StateCount)
	}
	if of.kind == Latency || of.kind == Unknown {
		index = states - 1
	}
	if of.place != 0 {
		c := cached{of.thread, index, of.place, of.guess}
		n, ok := k.cache[c]
		if !ok {
			n = k.number(of)
			k.cache[c] = n
		}
		return n
	}
	if int(of.thread) >= len(k.states) {
		k.states = append(k.states, make([][states]int32, int(of.thread)+1-len(k.states))...)
	}
	n := &k.states[of.thread][index]
	if *n == 0 {
		*n = int32(k.number(of) + 1)
	}
	return int(*n - 1)
}

// number returns the number of a key that states and cache do not have. In sums by pool the key has the pool instead of
// the thread, so several threads share it.
func (k *keys) number(of key) int {
	row := -1
	if whole := of; k.spots && of.place != 0 {
		whole.place, whole.guess = 0, false
		row = k.at(whole)
	}
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
	if row < 0 {
		row = n
	}
	k.list, k.rows = append(k.list, of), append(k.rows, row)
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

// segment returns the number of the key of the segment's thread in its state, at the spot if sums are divided by spots.
func (k *keys) segment(r *critical.Recorder, s trace.SegmentID, kept critical.Kept, at critical.Spot) int {
	of := key{thread: kept.Thread, state: k.state(r, s, kept), place: k.place(r, s)}
	if k.spots {
		of.place, of.guess = at.Place, at.Probable
	}
	return k.at(of)
}

// ownWait returns the number of the key of a wait that kept only its own thread.
func (k *keys) ownWait(r *critical.Recorder, s trace.SegmentID) int {
	kept := r.Segment(s)
	of := key{thread: kept.Thread, state: k.state(r, s, kept), own: true, place: k.place(r, s)}
	if k.spots {
		of.place = r.WaitsAt(s)
	}
	return k.at(of)
}

func (k *keys) state(r *critical.Recorder, s trace.SegmentID, kept critical.Kept) trace.State {
	if state := stateOf(kept.Type); k.detail == byType || state != trace.StateWaiting {
		return state
	}
	return r.State(s)
}

// latency returns the number of the key of the thread that, in the segment, let another one go on.
func (k *keys) latency(r *critical.Recorder, s trace.SegmentID) int {
	return k.of(r.Segment(s).Thread, Latency, trace.StateRunnable, false, k.place(r, s))
}

// step returns the number of the key of the time before a segment to which the step leads back.
func (k *keys) step(r *critical.Recorder, step critical.Step) int {
	if step.Unknown {
		return k.unknown()
	}
	return k.latency(r, step.Let)
}

// place returns the number of the segment's call stack or call, if sums have places.
func (k *keys) place(r *critical.Recorder, s trace.SegmentID) uint32 {
	if k.detail == byPlace {
		return r.Stack(s)
	}
	return 0
}

func (k *keys) paused() int { return k.of(0, Paused, trace.StateRunnable, false, 0) }

func (k *keys) unknown() int { return k.of(0, Unknown, trace.StateRunnable, false, 0) }

// sum is the sum over waits for a key.
type sum struct {
	total int64
	// measured is the part of the total with known processor time, onCPU the part of measured on a processor.
	measured, onCPU int64
	count           int32
	last            uint32 // the Running segment that ended the last wait counted
}

// addTotal adds a length.
func (s *sum) addTotal(length int64) { s.total = histogram.Sum(s.total, length) }

// add adds the times of another sum.
func (s *sum) add(other *sum) {
	s.addTotal(other.total)
	s.measured = histogram.Sum(s.measured, other.measured)
	s.onCPU = histogram.Sum(s.onCPU, other.onCPU)
}

// remove subtracts the times of another sum.
func (s *sum) remove(other *sum) {
	s.total = max(s.total-other.total, 0)
	s.measured = max(s.measured-other.measured, 0)
	s.onCPU = max(s.onCPU-other.onCPU, 0)
}

// use divides a length in a Running segment by the use of processors, if it is known.
func (f *finished) use(s *sum, running trace.SegmentID, length int64) {
	if share, ok := f.recorder.OnCPU(running); ok {
		s.measured = histogram.Sum(s.measured, length)
		s.onCPU = histogram.Sum(s.onCPU, min(int64(math.Round(share*float64(length))), length))
	}
}

// tally is a list of sums, by the numbers of keys.
type tally []sum

func (t *tally) at(n int) *sum {
	if missing := n + 1 - len(*t); missing > 0 {
		*t = append(*t, make([]sum, missing)...)
	}
	return &(*t)[n]
}

// sums returns, for each list of segments, the sums over the waits that the segments ended. Waits are taken apart one
// by one, as most have few parts. If that becomes too much, one sweep sums all waits, without counting them.
func (f *finished) sums(k *keys, lists ...[]uint32) []tally {
	if !f.tooLong {
		all := make([]tally, len(lists))
		w := walk{finished: f, keys: k, limit: f.steps + f.limits.steps + 8*int(f.recorder.Segments())}
		parts := f.parts + f.limits.parts
		for s, list := range inOrder(lists) {
			w.sums = &all[list]
			if w.follow(s); f.steps >= w.limit || f.parts > parts {
				f.tooLong = true
				break
			}
		}
		if !f.tooLong {
			return all
		}
	}
	return f.sweep(k, lists)
}

// inOrder yields the elements of sorted lists in the order of all, with the number of the list. Neighbours in the trace
// are neighbours in the recorder's file.
func inOrder(lists [][]uint32) iter.Seq2[uint32, int] {
	return func(yield func(uint32, int) bool) {
		heads := slices.Clone(lists)
		for {
			first := -1
			for i, list := range heads {
				if len(list) > 0 && (first < 0 || list[0] < heads[first][0]) {
					first = i
				}
			}
			if first < 0 || !yield(heads[first][0], first) {
				return
			}
			heads[first] = heads[first][1:]
		}
	}
}

// released returns the sums over the waits for locks that the segments ended, by who let the threads in at the end; nil
// if that would take too long.
func (f *finished) released(k *keys, ends []uint32) tally {
	sums := tally{}
	w := walk{finished: f, keys: k, sums: &sums, released: true,
		limit: f.steps + f.limits.steps + 8*int(f.recorder.Segments())}
	for _, s := range ends {
		if w.follow(s); f.tooLong || f.steps >= w.limit {
			return nil
		}
	}
	return sums
}

// ranking has the sums of culprits, the largest first; equal ones are in the order of threads.
type ranking struct {
	keys   []key
	names  []string // of pools
	sums   tally
	order  []uint32         // the numbers of the keys that have a sum
	places map[int][]uint32 // for each row, the numbers of its keys at places
}

// ranking returns the sums. A row gets the sum of its keys at places.
func (k *keys) ranking(sums tally) *ranking {
	r := &ranking{keys: k.list, names: k.names, sums: sums, places: map[int][]uint32{}}
	for n := range sums {
		if row := k.rows[n]; row != n && sums[n].total > 0 {
			r.sums[row].add(&sums[n])
			r.places[row] = append(r.places[row], uint32(n))
		}
	}
	for n := range sums {
		if sums[n].total > 0 && k.rows[n] == n {
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

// split returns the rows with selected keys, and the others.
func (r *ranking) split(selects func(key) bool) (selected, others *ranking) {
	none := *r
	none.order = nil
	chosen, rest := none, none
	selected, others = &chosen, &rest
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
	n := r.order[row]
	sum := &r.sums[n]
	return Row{Culprit: b.culprit(r.keys[n], r.names), Total: sum.total, Count: int(sum.count),
		Measured: sum.measured, OnCPU: sum.onCPU, Places: b.placesOf(r, r.places[int(n)])}
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
