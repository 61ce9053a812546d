package enrich

import "github.com/trcx/trcx/trace"

// index finds values by ids. Agents number densely, from 1 or from some round number on, so those lie in pages; the
// rest lie in maps. Memory follows the values in the index, but for a few bits for each id that has been in it.
type index[V comparable] struct {
	base   uint64 // the number of the first in the pages
	pages  []page[V]
	spare  *[pageSize]V // of a page that has become empty
	sparse map[uint64]V
	texts  map[string]V
	size   int // how many values have been set
}

// page has the values of pageSize consecutive numbers.
type page[V comparable] struct {
	values *[pageSize]V // nil if the page is empty
	used   int
}

const (
	pageBits = 5
	pageSize = 1 << pageBits
	// spread is how many places the pages may have for each value in the index, beyond a first block.
	spread     = 8
	firstBlock = 1 << 12
)

func (x *index[V]) get(id trace.ID) V {
	number, ok := id.Number()
	if !ok {
		return x.texts[id.String()]
	}
	var none V
	place := number - x.base // a number below the base is far beyond then
	if at := place >> pageBits; at < uint64(len(x.pages)) {
		if values := x.pages[at].values; values != nil {
			return values[place%pageSize]
		}
		return none
	}
	if len(x.sparse) == 0 {
		return none
	}
	return x.sparse[number]
}

// set sets the value of an id; the zero value removes it.
func (x *index[V]) set(id trace.ID, value V) {
	var none V
	number, ok := id.Number()
	if value != none {
		x.size++
		if len(x.pages) == 0 && ok {
			x.base = number &^ (firstBlock - 1)
		}
	}
	switch place := number - x.base; {
	case !ok:
		x.texts = put(x.texts, id.String(), value)
	case place>>pageBits < uint64(len(x.pages)):
		x.setInPage(place, value)
	case value != none && place < firstBlock+uint64(x.size)*spread:
		x.grow(place)
		x.setInPage(place, value)
	default:
		x.sparse = put(x.sparse, number, value)
	}
}

// setInPage sets the value at the place, which the pages reach.
func (x *index[V]) setInPage(place uint64, value V) {
	var none V
	p := &x.pages[place>>pageBits]
	if p.values == nil {
		if value == none {
			return
		}
		if p.values, x.spare = x.spare, nil; p.values == nil {
			p.values = new([pageSize]V)
		}
	}
	old := &p.values[place%pageSize]
	if *old == none {
		p.used++
	}
	if value == none {
		p.used--
	}
	if *old = value; p.used == 0 {
		x.spare, p.values = p.values, nil
	}
}

// grow makes the pages reach the place, and moves into them what they then reach.
func (x *index[V]) grow(place uint64) {
	pages := max(place>>pageBits+1, uint64(len(x.pages))*5/4, 2)
	x.pages = append(x.pages, make([]page[V], pages-uint64(len(x.pages)))...)
	for n, value := range x.sparse {
		if at := n - x.base; at>>pageBits < uint64(len(x.pages)) {
			delete(x.sparse, n)
			x.setInPage(at, value)
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
