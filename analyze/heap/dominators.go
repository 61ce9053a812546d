package heap

import (
	"cmp"
	"math"
	"runtime"
	"slices"

	"github.com/trcx/trcx/internal/largest"
)

// Dominators is the dominator tree of a Graph. An object dominates another one if each way from a root to the other
// leads through it. It is computed by semi-NCA (Georgiadis, Linear-Time Algorithms for Dominators, 2005).
type Dominators struct {
	graph *Graph
	// number is the preorder number plus one by node, 0 if no root reaches the node; node is the reverse.
	number, node []uint32
	idom         []uint32 // the number of the immediate dominator of each number; 0 is the super root
	retained     []uint64 // by number
}

// Dominators computes the dominator tree.
func (g *Graph) Dominators() *Dominators {
	d := &Dominators{graph: g}
	parent := d.number0()
	d.idom = parent.dominators(d.predecessors(), d.node)
	runtime.GC() // frees the predecessors
	d.sumRetained()
	return d
}

// tree is a spanning tree: the parent of each preorder number.
type tree []uint32

// number0 numbers the nodes in the preorder of a depth-first search from the super root, and returns its tree.
func (d *Dominators) number0() tree {
	g := d.graph
	d.number = make([]uint32, g.Size()+1)
	type step struct{ node, edge uint32 }
	root := g.root()
	d.number[root] = 1
	d.node = append(d.node, root)
	parent := tree{0}
	path := []step{{root, g.first[root]}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if top.edge == g.first[top.node+1] {
			path = path[:len(path)-1]
			continue
		}
		to := g.edges[top.edge]
		top.edge++
		if d.number[to] != 0 {
			continue
		}
		parent = append(parent, d.number[top.node]-1)
		d.node = append(d.node, to)
		d.number[to] = uint32(len(d.node))
		path = append(path, step{to, g.first[to]})
	}
	return parent
}

// predecessors are the nodes with an edge to each node, or their numbers, by node.
type predecessors struct{ first, edges []uint32 }

// predecessorsOf returns the predecessors of a graph's nodes. The function each must call add for every edge; it is
// called twice.
func predecessorsOf(nodes int, each func(add func(from, to uint32))) predecessors {
	p := predecessors{first: make([]uint32, nodes+1)}
	each(func(_, to uint32) { p.first[to]++ })
	end := uint32(0)
	for node, count := range p.first {
		end += count
		p.first[node] = end
	}
	p.edges = make([]uint32, end)
	each(func(from, to uint32) {
		p.first[to]--
		p.edges[p.first[to]] = from
	})
	return p
}

// predecessors returns the numbers of the predecessors that a root reaches. It reads the graph in its order in memory.
func (d *Dominators) predecessors() predecessors {
	g := d.graph
	return predecessorsOf(g.Size()+1, func(add func(from, to uint32)) {
		for from, number := range d.number {
			if number == 0 {
				continue
			}
			for _, to := range g.edges[g.first[from]:g.first[from+1]] {
				add(number-1, to)
			}
		}
	})
}

// of returns the predecessors of the node.
func (p predecessors) of(node uint32) []uint32 { return p.edges[p.first[node]:p.first[node+1]] }

// dominators returns the immediate dominator of each number. nodes has the node of each number. The tree is consumed.
func (t tree) dominators(p predecessors, nodes []uint32) []uint32 {
	idom, semi, forest := slices.Clone(t), make([]uint32, len(t)), forest{links: make([]link, len(t))}
	for i := range t {
		forest.links[i] = link{ancestor: t[i], least: uint32(i)}
	}
	for w := uint32(len(t) - 1); w >= 1 && len(t) > 1; w-- {
		least := idom[w]
		for _, v := range p.of(nodes[w]) {
			least = min(least, forest.eval(v, w+1))
		}
		semi[w], forest.links[w].least = least, least
	}
	for w := 1; w < len(t); w++ {
		candidate := idom[w]
		for candidate > semi[w] {
			candidate = idom[candidate]
		}
		idom[w] = candidate
	}
	return idom
}

// forest has the numbers that are linked to their parents, with compressed paths.
type forest struct {
	links []link
	path  []uint32
}

// link is a number's ancestor, and the least semidominator on the path to it, without it.
type link struct{ ancestor, least uint32 }

// eval returns the least semidominator on the path from v to the root of its tree, without the root. Numbers from
// linked on are linked.
func (f *forest) eval(v, linked uint32) uint32 {
	if f.links[v].ancestor < linked {
		return f.links[v].least
	}
	f.path = f.path[:0]
	for f.links[v].ancestor >= linked {
		f.path = append(f.path, v)
		v = f.links[v].ancestor
	}
	above := f.links[v]
	for _, v := range slices.Backward(f.path) {
		at := &f.links[v]
		above.least = min(at.least, above.least)
		*at = above
	}
	return above.least
}

// sumRetained sums up the sizes of the subtrees.
func (d *Dominators) sumRetained() {
	d.retained = make([]uint64, len(d.node))
	for i := len(d.node) - 1; i >= 1; i-- { // a dominator has a smaller number
		d.retained[i] += d.graph.Bytes(Object(d.node[i]))
		d.retained[d.idom[i]] += d.retained[i]
	}
}

// Reachable reports whether a root reaches the object.
func (d *Dominators) Reachable(o Object) bool { return d.number[o] != 0 }

// Retained returns the bytes that would become unreachable without the object, its own included; 0 if no root reaches
// it.
func (d *Dominators) Retained(o Object) uint64 {
	if !d.Reachable(o) {
		return 0
	}
	return d.retained[d.number[o]-1]
}

// Total returns the bytes and the number of all objects that a root reaches.
func (d *Dominators) Total() (bytes uint64, count int) { return d.retained[0], len(d.node) - 1 }

// Dominator returns the immediate dominator of an object that a root reaches; false if that is the super root.
func (d *Dominators) Dominator(o Object) (Object, bool) {
	if !d.Reachable(o) {
		return 0, false
	}
	above := d.idom[d.number[o]-1]
	return Object(d.node[above]), above != 0
}

// Largest returns the selected objects that retain most, up to the limit, and the number of further ones; 0 is no
// limit. An object precedes the objects that it dominates.
func (d *Dominators) Largest(most int, selects func(Object) bool) (all []Object, more int) {
	numbers := largest.List[uint32]{Limit: cmp.Or(most, math.MaxInt), Compare: func(a, b uint32) int {
		return cmp.Or(cmp.Compare(d.retained[b], d.retained[a]), cmp.Compare(a, b)) // a dominator has a smaller one
	}}
	for i := 1; i < len(d.node); i++ {
		if selects(Object(d.node[i])) {
			numbers.Add(uint32(i))
		}
	}
	numbers.Cut()
	slices.SortFunc(numbers.Values, numbers.Compare)
	for _, number := range numbers.Values {
		all = append(all, Object(d.node[number]))
	}
	return all, numbers.Omitted
}

// Branch is an object with its level in a tree: 0 at the top.
type Branch struct {
	Object Object
	Level  int
}

// Tree returns the objects, which Largest returned, as a tree, depth first. Each one is below the nearest of them that
// dominates it. Objects below the same one keep their order.
func (d *Dominators) Tree(objects []Object) []Branch {
	nearest := make([]uint32, len(d.node)) // by number: the object, or the next one above it; an index plus one
	for i, o := range objects {
		nearest[d.number[o]-1] = uint32(i + 1)
	}
	for number := 1; number < len(d.node); number++ {
		if nearest[number] == 0 {
			nearest[number] = nearest[d.idom[number]]
		}
	}
	below := make([][]uint32, len(objects)+1)
	for i, o := range slices.Backward(objects) {
		above := nearest[d.idom[d.number[o]-1]]
		below[above] = append(below[above], uint32(i+1))
	}
	branches, levels, stack := make([]Branch, 0, len(objects)), make([]int, len(objects)+1), below[0]
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		branches = append(branches, Branch{objects[i-1], levels[i]})
		for _, child := range below[i] {
			levels[child] = levels[i] + 1
		}
		stack = append(stack, below[i]...)
	}
	return branches
}

// Children counts the objects that each object dominates immediately, by Object.
func (d *Dominators) Children() []uint32 {
	counts := make([]uint32, d.graph.Size()+1)
	for _, above := range d.idom[1:] {
		counts[d.node[above]]++
	}
	return counts
}
