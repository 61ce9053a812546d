package contention

import (
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
)

// DefaultRows is how many rows a table keeps unless another number is asked for.
const DefaultRows = 20_000

// shelf keeps the rows of a table by their keys, and in the order first seen. When there are too many, the lighter half
// goes.
type shelf[K comparable, R any] struct {
	rows   []shelved[K, R]
	byKey  map[K]*R
	most   int
	next   int // how many rows there are to be before the next ones go, at least
	hidden HiddenRows
	// weight says what can go: the lightest rows. One with the greatest weight there is never goes.
	weight func(*R) uint64
	// dropped is told of a row that goes.
	dropped func(*R)
}

type shelved[K comparable, R any] struct {
	key K
	row *R
}

func newShelf[K comparable, R any](most int, weight func(*R) uint64, dropped func(*R)) shelf[K, R] {
	return shelf[K, R]{byKey: map[K]*R{}, most: most, weight: weight, dropped: dropped}
}

// full says whether the next row that is put drives others out. What these have is to be counted before.
func (s *shelf[K, R]) full() bool { return len(s.rows) >= max(s.most, s.next) }

// put adds a row.
func (s *shelf[K, R]) put(key K, row *R) {
	if s.full() {
		s.lighten()
		s.next = 2 * len(s.rows)
	}
	s.rows = append(s.rows, shelved[K, R]{key, row})
	s.byKey[key] = row
}

// lighten drops the lighter half of the rows.
func (s *shelf[K, R]) lighten() {
	light := lighter(len(s.rows), (len(s.rows)+1)/2, func(i int) uint64 { return s.weight(s.rows[i].row) })
	at := -1
	s.rows = slices.DeleteFunc(s.rows, func(r shelved[K, R]) bool {
		if at++; !light(at) {
			return false
		}
		s.hidden.add(s.weight(r.row))
		if s.byKey[r.key] == r.row {
			delete(s.byKey, r.key)
		}
		s.dropped(r.row)
		return true
	})
}

// add counts a row that is hidden.
func (h *HiddenRows) add(weight uint64) {
	h.Rows++
	h.Time = histogram.Sum(h.Time, weight)
}

// sample is how many weights are looked at to find out which are light.
const sample = 1 << 10

// lighter returns a function that says, asked for each of so many rows in their order, whether it is one of the
// lightest: about as many as are to go, and not more of those that weigh the same.
func lighter(rows, gone int, weight func(i int) uint64) func(i int) bool {
	step := max(rows/sample, 1)
	var weights []uint64
	for i := 0; i < rows; i += step {
		weights = append(weights, weight(i))
	}
	slices.Sort(weights)
	limit := weights[min(gone/step, len(weights)-1)]
	below := 0
	for i := range rows {
		if weight(i) < limit {
			below++
		}
	}
	even := max(gone-below, 0)
	return func(i int) bool {
		switch w := weight(i); {
		case w == math.MaxUint64:
			return false
		case w < limit:
			return true
		case w == limit && even > 0:
			even--
			return true
		}
		return false
	}
}
