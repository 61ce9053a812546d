package contention

import "slices"

// DefaultRows is how many rows a table keeps unless another number is asked for.
const DefaultRows = 20_000

// shelf keeps the rows of a table by their keys, and in the order first seen. When there are too many, the lighter half goes.
type shelf[K comparable, R any] struct {
	rows   []shelved[K, R]
	byKey  map[K]*R
	most   int
	hidden HiddenRows
	weight func(*R) uint64
	// dropped, if not nil, is told of a row that goes.
	dropped func(*R)
}

type shelved[K comparable, R any] struct {
	key K
	row *R
}

func newShelf[K comparable, R any](most int, weight func(*R) uint64, dropped func(*R)) shelf[K, R] {
	return shelf[K, R]{byKey: map[K]*R{}, most: most, weight: weight, dropped: dropped}
}

// put adds a row.
func (s *shelf[K, R]) put(key K, row *R) {
	if len(s.rows) >= s.most {
		s.lighten()
	}
	s.rows = append(s.rows, shelved[K, R]{key, row})
	s.byKey[key] = row
}

// lighten drops the lighter half of the rows.
func (s *shelf[K, R]) lighten() {
	weights := make([]uint64, len(s.rows))
	for i, r := range s.rows {
		weights[i] = s.weight(r.row)
	}
	limit, excess := lightest(weights, (len(weights)+1)/2)
	s.rows = slices.DeleteFunc(s.rows, func(r shelved[K, R]) bool {
		weight := s.weight(r.row)
		if weight == limit && excess > 0 {
			excess--
		} else if weight >= limit {
			return false
		}
		s.drop(r, weight)
		return true
	})
}

// lightest is the weight up to which so many of the weights are, and how many of exactly that weight are among these.
func lightest(weights []uint64, n int) (limit uint64, excess int) {
	slices.Sort(weights)
	limit = weights[n-1]
	first, _ := slices.BinarySearch(weights, limit)
	return limit, n - first
}

func (s *shelf[K, R]) drop(r shelved[K, R], weight uint64) {
	s.hidden.Rows++
	s.hidden.Time += weight
	if s.byKey[r.key] == r.row {
		delete(s.byKey, r.key)
	}
	if s.dropped != nil {
		s.dropped(r.row)
	}
}
