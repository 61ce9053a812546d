package contention

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
)

// DefaultRows is the default limit of the rows of a table.
const DefaultRows = 20_000

// top is a table with a limit of rows, in the order first seen. A row that exceeds the limit evicts the lighter half of
// the others.
type top[R any] struct {
	rows   []R
	limit  int
	weight func(R) uint64 // the row's time, in nanoseconds, or unevictable
	wait   func()         // is called before weights are compared, so that rows have all their time; may be nil
	evict  func(R)        // is called with each evicted row
	hidden HiddenRows
}

// unevictable is the weight of a row that stays, whatever the limit.
const unevictable = math.MaxUint64

// add appends a row.
func (t *top[R]) add(row R) {
	if len(t.rows) >= t.limit {
		if t.wait != nil {
			t.wait()
		}
		t.rows = withoutLightest(t.rows, (len(t.rows)+1)/2, t.weight, &t.hidden, t.evict)
		t.limit = max(t.limit, 2*len(t.rows)) // else each further row would search in vain for others to evict
	}
	t.rows = append(t.rows, row)
}

// withoutLightest returns the rows without the n lightest; of rows with equal weight, the earlier ones go. It counts
// these as hidden, and calls evict for each.
func withoutLightest[R any](rows []R, n int, weightOf func(R) uint64, hidden *HiddenRows, evict func(R)) []R {
	weights, order := make([]uint64, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		weights[i], order[i] = weightOf(row), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(weights[a], weights[b]), a-b) })
	lightest := make([]bool, len(rows))
	for _, i := range order[:n] {
		lightest[i] = weights[i] != unevictable
	}
	kept := rows[:0]
	for i, row := range rows {
		if !lightest[i] {
			kept = append(kept, row)
			continue
		}
		hidden.Rows, hidden.Time = hidden.Rows+1, histogram.Sum(hidden.Time, weights[i])
		evict(row)
	}
	clear(rows[len(kept):])
	return kept
}

// named are rows by the numbers of their names, in the order first seen. All names beyond the limit share the row of
// others.
type named[N comparable, R any] struct {
	numbers map[N]uint32
	rows    []*R
	limit   int
	others  N
	newRow  func(N) *R
}

func newNamed[N comparable, R any](limit int, others N, newRow func(N) *R) named[N, R] {
	return named[N, R]{numbers: map[N]uint32{}, limit: limit, others: others, newRow: newRow}
}

// numberOf returns the number of the name. A new name gets a row.
func (n *named[N, R]) numberOf(name N) uint32 {
	number, ok := n.numbers[name]
	if !ok && len(n.rows) >= n.limit {
		name = n.others
		number, ok = n.numbers[name]
	}
	if !ok {
		number = uint32(len(n.rows))
		n.numbers[name], n.rows = number, append(n.rows, n.newRow(name))
	}
	return number
}

// of returns the row of the name.
func (n *named[N, R]) of(name N) *R { return n.rows[n.numberOf(name)] }

// put gives the row the name, or merges it into the row that has the name.
func (n *named[N, R]) put(name N, row *R, merge func(sum, row *R)) {
	if _, ok := n.numbers[name]; ok || len(n.rows) >= n.limit {
		merge(n.of(name), row)
		return
	}
	n.numbers[name], n.rows = uint32(len(n.rows)), append(n.rows, row)
}

// ordered are rows by their keys, in the order first seen.
type ordered[K comparable, R any] struct {
	rows  []R
	index map[K]int
}

// of returns the row of the key, valid until the next call.
func (o *ordered[K, R]) of(key K) *R {
	i, ok := o.index[key]
	if !ok {
		if o.index == nil {
			o.index = map[K]int{}
		}
		i = len(o.rows)
		o.index[key], o.rows = i, append(o.rows, *new(R))
	}
	return &o.rows[i]
}

func (o *ordered[K, R]) reset() {
	clear(o.index)
	o.rows = o.rows[:0]
}

// set is a set of numbers, to count different things: words, each for 64 consecutive numbers, sorted.
type set []word

type word struct {
	number uint32 // of the word
	bits   uint64
}

// maxSet limits the words of a set; further numbers are not counted.
const maxSet = 1 << 16

// add adds a number.
func (s *set) add(number uint32) {
	added := word{number / 64, 1 << (number % 64)}
	at, ok := slices.BinarySearchFunc(*s, added, func(a, b word) int { return cmp.Compare(a.number, b.number) })
	switch {
	case ok:
		(*s)[at].bits |= added.bits
	case len(*s) < maxSet:
		*s = slices.Insert(*s, at, added)
	}
}

// all yields the numbers, ascending.
func (s *set) all(yield func(uint32) bool) {
	for _, w := range *s {
		for left := w.bits; left != 0; left &= left - 1 {
			if !yield(w.number*64 + uint32(bits.TrailingZeros64(left))) {
				return
			}
		}
	}
}

// tallies are a table for pairs of things, with a limit of rows.
type tallies[K comparable] struct {
	batches[tally[K]]
	table top[*tally[K]]
	byKey map[K]*tally[K]
}

// tally is the row of a pair of things.
type tally[K comparable] struct {
	of K
	Tally
}

func newTallies[K comparable](limit int) *tallies[K] {
	t := &tallies[K]{byKey: map[K]*tally[K]{}}
	t.count = t.merge
	t.table = top[*tally[K]]{limit: limit, weight: func(row *tally[K]) uint64 { return row.Total },
		evict: func(row *tally[K]) { delete(t.byKey, row.of) }}
	return t
}

// add adds the lengths to the row of the key, later.
func (t *tallies[K]) add(of K, lengths Tally) { t.batches.add(tally[K]{of, lengths}) }

// merge adds the tallies to the rows of their keys.
func (t *tallies[K]) merge(all []tally[K]) {
	for i := range all {
		row := t.byKey[all[i].of]
		if row == nil {
			row = &tally[K]{of: all[i].of}
			t.byKey[row.of] = row
			t.table.add(row)
		}
		row.Tally.merge(all[i].Tally)
	}
}

// heaviest returns all rows, those with the largest total first, equal ones in their order.
func (t *tallies[K]) heaviest() []*tally[K] {
	t.wait()
	slices.SortStableFunc(t.table.rows, func(a, b *tally[K]) int { return cmp.Compare(b.Total, a.Total) })
	return t.table.rows
}
