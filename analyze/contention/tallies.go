package contention

import (
	"cmp"
	"slices"
)

// tallies is a shelf of rows that have a tally only, of which there can be very many: counting touches little memory.
type tallies struct {
	rows []tallied // in the order first seen
	// the place in rows plus one, or 0; a power of two of them, at most half of them taken; each at the first free
	// place from its hash on
	places []uint32
	most   int
	hidden HiddenRows
}

// tallied is a row.
type tallied struct {
	key tallyKey
	Tally
	at heldAt // where an owner was when it took longest
}

// reserved is for how many rows there is room from the beginning on.
const reserved = DefaultRows

// tallyKey is made of the numbers that tell rows apart.
type tallyKey struct{ a, b uint64 }

// hash spreads keys.
func (k tallyKey) hash() uint64 {
	return (k.b*0xD6E8FEB86659FD93 + k.a) * 0x9E3779B97F4A7C15 >> 20
}

// add counts a length in the row of the key.
func (t *tallies) add(key tallyKey, length int64, at heldAt) {
	if 2*len(t.rows) >= len(t.places) {
		t.arrange(max(2*len(t.places), 64))
	}
	place := t.place(key)
	if t.places[place] == 0 {
		if len(t.rows) >= t.most {
			t.lighten()
			place = t.place(key)
		}
		if t.rows == nil {
			t.rows = make([]tallied, 0, min(t.most, reserved)) // of which only what is used takes memory
		}
		t.rows = append(t.rows, tallied{key: key})
		t.places[place] = uint32(len(t.rows))
	}
	row := &t.rows[t.places[place]-1]
	if row.Count == 0 || length > row.Max {
		row.at = at
	}
	row.Tally.merge(Tally{1, uint64(length), length})
}

// place is that of the key, or the free one where it is to be.
func (t *tallies) place(key tallyKey) uint64 {
	mask := uint64(len(t.places) - 1)
	place := key.hash() & mask
	for t.places[place] != 0 && t.rows[t.places[place]-1].key != key {
		place = (place + 1) & mask
	}
	return place
}

// arrange finds places anew for all rows, among so many.
func (t *tallies) arrange(places int) {
	if places == len(t.places) {
		clear(t.places)
	} else {
		t.places = make([]uint32, places)
	}
	for i := range t.rows {
		t.places[t.place(t.rows[i].key)] = uint32(i) + 1
	}
}

// lighten drops the lighter half of the rows.
func (t *tallies) lighten() {
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
	t.rows = t.rows[:kept]
	t.arrange(len(t.places))
}

// arrangeByTotal sorts the rows for of. Nothing can be added any more.
func (t *tallies) arrangeByTotal() {
	order := make([]uint32, len(t.rows))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		first, second := &t.rows[a], &t.rows[b]
		if first.key.a != second.key.a {
			return cmp.Compare(first.key.a, second.key.a)
		}
		return cmp.Or(cmp.Compare(second.Total, first.Total), cmp.Compare(a, b))
	})
	sorted := make([]tallied, len(t.rows))
	for i, place := range order {
		sorted[i] = t.rows[place]
	}
	t.rows, t.places = sorted, nil
}

// of are the rows whose keys begin with the number, those with the greatest totals first, and of equal ones those that
// were seen first.
func (t *tallies) of(number uint64) []tallied {
	from, _ := slices.BinarySearchFunc(t.rows, number, func(r tallied, number uint64) int {
		return cmp.Compare(r.key.a, number)
	})
	to := from
	for to < len(t.rows) && t.rows[to].key.a == number {
		to++
	}
	return t.rows[from:to]
}
