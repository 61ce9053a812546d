package heap

import (
	"cmp"
	"slices"
	"strings"
)

// ClassRow is the sum over the objects of a class.
type ClassRow struct {
	Class   *Class
	Count   uint64
	Bytes   uint64
	Largest uint64 // bytes of its largest object
	// Retained is the size, in bytes, of all that a single object of the class retains, for any of its objects. It
	// lacks objects that several of them hold together, but none alone.
	Retained uint64
}

// Classes returns the classes that have objects, those with the most bytes first, as jmap -histo sorts them. Retained
// is set if d is not nil.
func (g *Graph) Classes(d *Dominators) []ClassRow {
	rows := make([]ClassRow, len(g.classes))
	for i := range rows {
		rows[i].Class = &g.classes[i]
	}
	for o := range g.classOf {
		row, bytes := &rows[g.classOf[o]], g.Bytes(Object(o))
		row.Count++
		row.Bytes += bytes
		row.Largest = max(row.Largest, bytes)
	}
	if d != nil {
		for class, bytes := range d.retainedByClass() {
			rows[class].Retained = bytes
		}
	}
	rows = slices.DeleteFunc(rows, func(r ClassRow) bool { return r.Count == 0 })
	slices.SortStableFunc(rows, func(a, b ClassRow) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Class.Name, b.Class.Name))
	})
	return rows
}

// retainedByClass returns the bytes that the objects of each class retain. It sums over the objects that have no object
// of the same class above them in the tree.
func (d *Dominators) retainedByClass() []uint64 {
	child, sibling := d.children()
	totals := make([]uint64, len(d.graph.classes))
	above := make([]uint32, len(d.graph.classes)) // objects of each class on the way to the current one
	for at := child[0]; at != 0; {
		class := d.graph.classOf[d.node[at]]
		if above[class] == 0 {
			totals[class] += d.retained[at]
		}
		if child[at] != 0 {
			above[class]++
			at = child[at]
			continue
		}
		for at != 0 && sibling[at] == 0 {
			if at = d.idom[at]; at != 0 {
				above[d.graph.classOf[d.node[at]]]--
			}
		}
		if at != 0 {
			at = sibling[at]
		}
	}
	return totals
}

// children returns the first child and the next sibling of each number; 0 for none.
func (d *Dominators) children() (child, sibling []uint32) {
	child, sibling = make([]uint32, len(d.node)), make([]uint32, len(d.node))
	for i := len(d.node) - 1; i >= 1; i-- {
		above := d.idom[i]
		sibling[i], child[above] = child[above], uint32(i)
	}
	return child, sibling
}
