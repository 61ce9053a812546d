package enrich

import "github.com/trcx/trcx/trace"

// index finds values by ids. Agents number densely, from 1 or from some round number on: such numbers lie in pages,
// other ids in a map. A map alone would take five times the memory of the dead threads.
type index[V comparable] struct {
	base   uint64     // the first number of the pages
	pages  []*page[V] // nil where no number has a value
	others map[trace.ID]V
	size   int // how many values have been set
}

// page has the values of pageSize consecutive numbers.
type page[V comparable] struct {
	values [pageSize]V
	used   int32
}

const (
	pageSize = 32
	// spread limits the range of the pages: this many numbers for each value that has been set, beyond a first block.
	spread     = 8
	firstBlock = 1 << 12
)

// get returns the value of the id, the zero value if it has none.
func (x *index[V]) get(id trace.ID) (value V) {
	number, _ := id.Number() // an id that is not a number gets one beyond the pages
	if at := (number - x.base) / pageSize; at < uint64(len(x.pages)) {
		if p := x.pages[at]; p != nil {
			value = p.values[number%pageSize]
		}
		return value
	}
	return x.others[id]
}

// set sets the value of an id; the zero value removes it.
func (x *index[V]) set(id trace.ID, value V) {
	var none V
	number, ok := id.Number()
	if ok && value != none {
		x.reach(number)
	}
	at := (number - x.base) / pageSize
	switch {
	case at < uint64(len(x.pages)):
		x.setInPage(&x.pages[at], number, value)
	case value == none:
		delete(x.others, id)
	default:
		if x.others == nil {
			x.others = map[trace.ID]V{}
		}
		x.others[id] = value
	}
}

// setInPage sets a value in a page, which is dropped when it becomes empty.
func (x *index[V]) setInPage(p **page[V], number uint64, value V) {
	var none V
	if *p == nil {
		if value == none {
			return
		}
		*p = &page[V]{}
	}
	old := &(*p).values[number%pageSize]
	if *old != none {
		(*p).used--
	}
	if value != none {
		(*p).used++
	}
	if *old = value; (*p).used == 0 {
		*p = nil
	}
}

// reach extends the pages to the number if the values are dense enough, and moves values from others into them.
func (x *index[V]) reach(number uint64) {
	if len(x.pages) == 0 {
		x.base = number &^ (firstBlock - 1)
	}
	x.size++
	at := (number - x.base) / pageSize
	if at < uint64(len(x.pages)) || number-x.base >= firstBlock+uint64(x.size)*spread {
		return
	}
	grown := append(x.pages, make([]*page[V], at+1-uint64(len(x.pages)))...)
	x.pages = grown[:cap(grown)]
	for id, value := range x.others {
		if n, _ := id.Number(); (n-x.base)/pageSize < uint64(len(x.pages)) {
			delete(x.others, id)
			x.setInPage(&x.pages[(n-x.base)/pageSize], n, value)
		}
	}
}
