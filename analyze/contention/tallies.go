package contention

import (
	"cmp"
	"slices"
)

// tallies is a shelf of rows that have a tally only, of which there can be very many. They are kept in the order of their keys: what is counted comes in
// batches, which are sorted and merged with the rows, so that memory is gone through from one end to the other.
type tallies[A any] struct {
	rows   []tallied[A]
	fresh  []tallied[A] // of the batch at hand
	spare  []tallied[A] // room for the next rows
	most   int
	hidden HiddenRows
}

// tallied is a row.
type tallied[A any] struct {
	key tallyKey
	Tally
	about A // what the row is about; where that is not always the same, what it was about when it took longest
}

// tallyKey is made of the numbers that tell rows apart.
type tallyKey struct {
	a uint32
	b uint64
}

func (k tallyKey) compare(other tallyKey) int {
	return cmp.Or(cmp.Compare(k.a, other.a), cmp.Compare(k.b, other.b))
}

// add notes a length for the row of the key, which is about something.
func (t *tallies[A]) add(key tallyKey, length int64, about A) {
	t.fresh = append(t.fresh, tallied[A]{key, Tally{1, uint64(length), length}, about})
}

// settle counts what was noted.
func (t *tallies[A]) settle() {
	slices.SortFunc(t.fresh, func(x, y tallied[A]) int { return x.key.compare(y.key) })
	merged := t.spare[:0]
	old, fresh := t.rows, t.fresh
	for len(old) > 0 || len(fresh) > 0 {
		from := &fresh
		if len(fresh) == 0 || len(old) > 0 && old[0].key.compare(fresh[0].key) <= 0 {
			from = &old
		}
		row := &(*from)[0]
		*from = (*from)[1:]
		if last := len(merged) - 1; last >= 0 && merged[last].key == row.key {
			if row.Max > merged[last].Max {
				merged[last].about = row.about
			}
			merged[last].Tally.merge(row.Tally)
		} else {
			merged = append(merged, *row)
		}
	}
	t.rows, t.spare, t.fresh = merged, t.rows, t.fresh[:0]
	if len(t.rows) > t.most {
		t.lighten()
	}
}

// lighten drops the lightest rows, so that half of what is allowed is left.
func (t *tallies[A]) lighten() {
	light := lighter(len(t.rows), len(t.rows)-(t.most+1)/2, func(i int) uint64 { return t.rows[i].Total })
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
}
