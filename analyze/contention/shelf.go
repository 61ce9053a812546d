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
	h.Time += weight
}

// sample is how many weights are looked at to find out which are light.
const sample = 1 << 10

// lighter returns a function that says, asked for each of so many rows in their order, whether it is one of the lightest: about as many as are to go, and
// not more of those that weigh the same.
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
		case w < limit:
			return true
		case w == limit && even > 0:
			even--
			return true
		}
		return false
	}
}

// tallies is a shelf whose rows have a tally only, about something that is described: it is made for many rows.
type tallies[K comparable, A any] struct {
	rows   []tallied[K, A]
	byKey  map[K]uint32 // the places of the rows
	most   int
	hidden HiddenRows
}

type tallied[K comparable, A any] struct {
	key K
	Tally
	about A
}

func newTallies[K comparable, A any](most int) tallies[K, A] {
	return tallies[K, A]{byKey: map[K]uint32{}, most: most}
}

// add counts a length in the row of the key. describe is asked for what a new row is about.
func (t *tallies[K, A]) add(key K, length int64, describe func() A) {
	place, known := t.byKey[key]
	if !known {
		if len(t.rows) >= t.most {
			t.lighten()
		}
		place = uint32(len(t.rows))
		t.byKey[key] = place
		t.rows = append(t.rows, tallied[K, A]{key: key, about: describe()})
	}
	t.rows[place].Tally.add(length)
}

// lighten drops the lighter half of the rows.
func (t *tallies[K, A]) lighten() {
	light := lighter(len(t.rows), (len(t.rows)+1)/2, func(i int) uint64 { return t.rows[i].Total })
	kept := 0
	for i := range t.rows { // what is kept moves forward, to places that have been decided on
		if light(i) {
			t.hidden.add(t.rows[i].Total)
			continue
		}
		t.rows[kept] = t.rows[i]
		kept++
	}
	clear(t.rows[kept:])
	t.rows = t.rows[:kept]
	clear(t.byKey)
	for i := range t.rows {
		t.byKey[t.rows[i].key] = uint32(i)
	}
}
