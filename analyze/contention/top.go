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
	evict  func(R)        // is called with each evicted row; may be nil
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
		t.limit = max(t.limit, 2*len(t.rows)) // or each further row would search in vain for others to evict
	}
	t.rows = append(t.rows, row)
}

// withoutLightest returns the rows without the n lightest; of rows of the same weight, without the earlier ones. It
// counts those that are hidden, and calls evict with each, unless it is nil.
func withoutLightest[R any](rows []R, n int, weightOf func(R) uint64, hidden *HiddenRows, evict func(R)) []R {
	weights := make([]uint64, len(rows))
	for i, row := range rows {
		weights[i] = weightOf(row)
	}
	sorted := slices.Sorted(slices.Values(weights))
	heaviest := sorted[n-1]
	lighter, _ := slices.BinarySearch(sorted, heaviest)
	equal := n - lighter // rows of the weight heaviest to evict
	kept := rows[:0]
	for i, row := range rows {
		switch weight := weights[i]; {
		case weight == unevictable || weight > heaviest || weight == heaviest && equal == 0:
			kept = append(kept, row)
			continue
		case weight == heaviest:
			equal--
		}
		hidden.add(weights[i])
		if evict != nil {
			evict(row)
		}
	}
	clear(rows[len(kept):])
	return kept
}

// add counts a row that is hidden.
func (h *HiddenRows) add(weight uint64) {
	h.Rows++
	h.Time = histogram.Sum(h.Time, weight)
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

// numberOf returns the number of the name, for which a row is made if it is new.
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

// set is a set of numbers, to count different things: the bits of a word are 64 numbers in a row. Most sets need no
// more than one word.
type set struct {
	word uint32
	bits uint64
	more map[uint32]uint64 // the bits of other words
}

// maxSet limits the words of a set; further numbers are not counted.
const maxSet = 1 << 16

// add adds a number.
func (s *set) add(number uint32) {
	word, bit := number/64, uint64(1)<<(number%64)
	if s.bits == 0 || s.word == word {
		s.word, s.bits = word, s.bits|bit
		return
	}
	if bits := s.more[word]; bits&bit == 0 && (bits != 0 || len(s.more) < maxSet) {
		if s.more == nil {
			s.more = map[uint32]uint64{}
		}
		s.more[word] = bits | bit
	}
}

// all yields the numbers, in no order.
func (s *set) all(yield func(uint32) bool) {
	each := func(word uint32, left uint64) bool {
		for ; left != 0; left &= left - 1 {
			if !yield(word*64 + uint32(bits.TrailingZeros64(left))) {
				return false
			}
		}
		return true
	}
	for word, bits := range s.more {
		if !each(word, bits) {
			return
		}
	}
	each(s.word, s.bits)
}

// tallies are a table of two things that belong together.
type tallies[K comparable] struct {
	table top[tally[K]]
	batches[tally[K]]
	index map[K]uint32 // of the row in rows
}

// tally is the row of two things.
type tally[K comparable] struct {
	of K
	Tally
	held position // of the owner when it blocked longest
}

func newTallies[K comparable](limit int) *tallies[K] {
	t := &tallies[K]{index: map[K]uint32{}}
	t.table.limit, t.table.weight, t.count = limit, func(row tally[K]) uint64 { return row.Total }, t.merge
	return t
}

// merge adds the tallies to the rows of their keys.
func (t *tallies[K]) merge(all []tally[K]) {
	for _, one := range all {
		i, ok := t.index[one.of]
		if !ok {
			i = t.newRow(one.of)
		}
		row := &t.table.rows[i]
		if row.Count == 0 || one.Max > row.Max {
			row.held = one.held
		}
		row.Tally.merge(one.Tally)
	}
}

// newRow adds a row, and returns its index.
func (t *tallies[K]) newRow(of K) uint32 {
	if t.table.rows == nil {
		t.table.rows = make([]tally[K], 0, min(t.table.limit, DefaultRows)) // what is not used takes no memory
	}
	hidden := t.table.hidden.Rows
	t.table.add(tally[K]{of: of})
	if t.table.hidden.Rows > hidden { // the others have moved
		clear(t.index)
		for i := range t.table.rows {
			t.index[t.table.rows[i].of] = uint32(i)
		}
	}
	t.index[of] = uint32(len(t.table.rows) - 1)
	return uint32(len(t.table.rows) - 1)
}

// heaviest yields the rows, those with the largest total first, equal ones in their order.
func (t *tallies[K]) heaviest(yield func(*tally[K]) bool) {
	order := make([]int, len(t.table.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.table.rows[b].Total, t.table.rows[a].Total), cmp.Compare(a, b))
	})
	for _, i := range order {
		if !yield(&t.table.rows[i]) {
			return
		}
	}
}
