package enrich

import "github.com/trcx/trcx/trace"

// index finds values by ids. Agents number densely, from 1 or from some round number on, so those lie in a slice; the
// rest lie in maps.
type index[V comparable] struct {
	base   uint64 // the number of the first in the slice
	dense  []V
	sparse map[uint64]V
	texts  map[string]V
	size   int
}

// spread is how many places the slice may have for each value in the index, beyond a first block.
const (
	spread     = 8
	firstBlock = 1 << 12
)

func (x *index[V]) get(id trace.ID) V {
	number, ok := id.Number()
	switch {
	case !ok:
		return x.texts[id.String()]
	case number-x.base < uint64(len(x.dense)): // a number below the base is far beyond then
		return x.dense[number-x.base]
	}
	return x.sparse[number]
}

// set sets the value of an id; the zero value removes it.
func (x *index[V]) set(id trace.ID, value V) {
	var none V
	number, ok := id.Number()
	if value != none {
		x.size++
		if len(x.dense) == 0 && ok {
			x.base = number &^ (firstBlock - 1)
		}
	}
	switch place := number - x.base; {
	case !ok:
		x.texts = put(x.texts, id.String(), value)
	case place < uint64(len(x.dense)):
		x.dense[place] = value
	case value != none && place < firstBlock+uint64(x.size)*spread:
		x.grow(place)
		x.dense[place] = value
	default:
		x.sparse = put(x.sparse, number, value)
	}
}

// grow makes the slice reach the place, and moves into it what it then reaches.
func (x *index[V]) grow(place uint64) {
	x.dense = append(x.dense, make([]V, max(place+1, uint64(len(x.dense))*5/4, 64)-uint64(len(x.dense)))...)
	for n, value := range x.sparse {
		if n-x.base < uint64(len(x.dense)) {
			x.dense[n-x.base] = value
			delete(x.sparse, n)
		}
	}
}

func put[K, V comparable](m map[K]V, key K, value V) map[K]V {
	var none V
	if value == none {
		delete(m, key)
		return m
	}
	if m == nil {
		m = map[K]V{}
	}
	m[key] = value
	return m
}
