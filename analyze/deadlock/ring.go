package deadlock

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// A ring is a list of orders of which each wants what the next one holds, and the last what the first one holds. It
// begins with the monitor that came into the graph first, so that the same ring is always the same list.
type ring []*order

const (
	// longest is how many monitors a ring may have. Deadlocks of more are hardly ever heard of, and looking for them
	// would take long.
	longest = 8
	// mostSteps is how many steps the search for rings may take, for each evidence: some tenths of a second.
	mostSteps = 4_000_000
	// mostInversions is how many inversions of each evidence are reported.
	mostInversions = 1000
)

// conclude reports the inversions, but those that are the deadlocks themselves: in each of these one monitor is wanted
// after the other.
func (o *orders) conclude(deadlocks [][]*monitor, report *Report) {
	found := map[string]bool{}
	for _, wanted := range deadlocks {
		if r := o.ringOf(wanted); r != nil {
			found[r.key()] = true
		}
	}
	for evidence := Seen; evidence <= Supposed; evidence++ {
		left := &report.Left[evidence]
		left.Orders += o.dropped[evidence]
		search := &search{orders: o, evidence: evidence, found: found}
		search.all()
		left.Search = left.Search || search.tired()
		report.Inversions = append(report.Inversions, search.inversions...)
	}
	slices.SortStableFunc(report.Inversions, func(a, b Inversion) int {
		first, second := &a.Orders[0].Example, &b.Orders[0].Example
		return cmp.Or(cmp.Compare(a.Evidence, b.Evidence), cmp.Compare(first.Thread.Session, second.Thread.Session),
			cmp.Compare(len(a.Orders), len(b.Orders)), cmp.Compare(first.Since, second.Since))
	})
}

// ringOf is the ring of monitors that are wanted one after the other, or nil if the graph does not have it.
func (o *orders) ringOf(wanted []*monitor) ring {
	var r ring
	for i, m := range wanted {
		next := o.known[pair{m, wanted[(i+1)%len(wanted)]}]
		if next == nil {
			return nil
		}
		r = append(r, next)
	}
	first := 0
	for i := range r {
		if r[i].held.node.index < r[first].held.node.index {
			first = i
		}
	}
	return append(r[first:len(r):len(r)], r[:first]...)
}

// key tells rings apart.
func (r ring) key() string {
	var key []byte
	for _, o := range r {
		i := o.held.node.index
		key = append(key, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
	}
	return string(key)
}

// search looks for rings of orders that have the evidence.
type search struct {
	*orders
	evidence   Evidence
	found      map[string]bool // rings that are reported
	steps      int
	path       ring
	inversions []Inversion
}

// tired says whether the search has taken too long, or found too much.
func (s *search) tired() bool { return s.steps > mostSteps || len(s.inversions) >= mostInversions }

// all finds the short rings before the long ones, so that these are found even where there are too many of those.
func (s *search) all() {
	s.components(s.evidence)
	for length := 2; length <= longest; length++ {
		for _, n := range s.nodes {
			if n.size < length {
				continue
			}
			s.extend(n, n, length)
			if s.tired() {
				return
			}
		}
	}
}

// extend follows the orders from a node on, to come back to the start after so many steps.
func (s *search) extend(start, at *node, steps int) {
	for _, next := range at.out {
		if s.steps++; s.tired() {
			return
		}
		to := next.wanted.node
		if next.tallies[s.evidence].times == 0 || to.component != start.component {
			continue
		}
		s.path = append(s.path, next)
		switch {
		case to == start && steps == 1:
			s.close()
		case steps > 1 && to.index > start.index && !s.passes(to):
			s.extend(start, to, steps-1)
		}
		s.path = s.path[:len(s.path)-1]
	}
}

// passes says whether the path leads from the node somewhere.
func (s *search) passes(n *node) bool {
	return slices.ContainsFunc(s.path, func(o *order) bool { return o.held.node == n })
}

// close reports the path, which is a ring, if each of its orders can be of another thread.
func (s *search) close() {
	key := s.path.key()
	if s.found[key] {
		return
	}
	chosen := s.path.differentThreads(s.evidence)
	if chosen == nil {
		return
	}
	s.found[key] = true
	inversion := Inversion{Evidence: s.evidence, Gates: s.path.gates(s.evidence)}
	for i, o := range s.path {
		w, evidence := chosen[i], chosen[i].evidence
		example := w.Block
		example.Monitor = o.wanted.Monitor // by its latest id and class
		inversion.Orders = append(inversion.Orders, Order{
			Held: o.held.Monitor, Evidence: evidence, Example: example, By: w.by, NamedAt: w.namedAt,
			Times: o.tallies[evidence].times,
		})
	}
	s.inversions = append(s.inversions, inversion)
}

// differentThreads chooses for each order a witness such that all are different threads; nil if that is not possible.
func (r ring) differentThreads(evidence Evidence) []*witness {
	choice := &choice{evidence: evidence, ring: r, of: map[trace.ThreadKey]int{}, chosen: make([]*witness, len(r))}
	for i := range r {
		if !choice.assign(i, map[trace.ThreadKey]bool{}) {
			return nil
		}
	}
	return choice.chosen
}

// choice is which witness stands for which order of a ring.
type choice struct {
	evidence Evidence
	ring     ring
	of       map[trace.ThreadKey]int // the order that the thread stands for
	chosen   []*witness
}

// assign finds a witness for an order; one that stands for another order may be replaced there by one that has not been
// asked yet.
func (c *choice) assign(i int, asked map[trace.ThreadKey]bool) bool {
	witnesses := c.ring[i].tallies[c.evidence].witnesses
	for j := range witnesses {
		key := witnesses[j].Thread.Key
		if asked[key] {
			continue
		}
		asked[key] = true
		if other, taken := c.of[key]; !taken || c.assign(other, asked) {
			c.of[key], c.chosen[i] = i, &witnesses[j]
			return true
		}
	}
	return false
}

// gates are the monitors that were held in all orders, every time.
func (r ring) gates(evidence Evidence) []Gate {
	gates := r[0].tallies[evidence].gates
	for _, o := range r[1:] {
		gates = common(gates, o.tallies[evidence].gates)
	}
	return slices.DeleteFunc(slices.Clone(gates), func(gate Gate) bool {
		return slices.ContainsFunc(r, func(o *order) bool { return o.held.ID == gate.Monitor.ID })
	})
}

// component is what a node has in common with those that it leads to and that lead back to it.
type component struct {
	number int
	size   int
}

// components finds the components of the graph of orders with the evidence, by Tarjan's algorithm.
func (o *orders) components(evidence Evidence) {
	walk := &walk{evidence: evidence, low: make([]int, len(o.nodes)), reached: make([]int, len(o.nodes))}
	for _, n := range o.nodes {
		if walk.reached[n.index] == 0 {
			walk.visit(n)
		}
	}
}

// walk is a depth-first walk through the graph.
type walk struct {
	evidence     Evidence
	count        int
	reached, low []int // by the index of nodes; reached is 0 for those that were not
	open         []*node
	parts        int
}

// done is the low of nodes whose component is known.
const done = -1

func (w *walk) visit(n *node) {
	w.count++
	w.reached[n.index], w.low[n.index] = w.count, w.count
	w.open = append(w.open, n)
	for _, o := range n.out {
		to := o.wanted.node
		switch {
		case o.tallies[w.evidence].times == 0:
		case w.reached[to.index] == 0:
			w.visit(to)
			w.low[n.index] = min(w.low[n.index], w.lowOf(to))
		case w.low[to.index] != done:
			w.low[n.index] = min(w.low[n.index], w.reached[to.index])
		}
	}
	if w.low[n.index] == w.reached[n.index] {
		w.cut(n)
	}
}

// lowOf is how early a node of an open component leads back; of the others it does not matter.
func (w *walk) lowOf(n *node) int {
	if w.low[n.index] == done {
		return w.count
	}
	return w.low[n.index]
}

// cut makes what was reached from the node on a component.
func (w *walk) cut(n *node) {
	begin := len(w.open) - 1
	for w.open[begin] != n {
		begin--
	}
	w.parts++
	for _, member := range w.open[begin:] {
		member.component = component{w.parts, len(w.open) - begin}
		w.low[member.index] = done
	}
	w.open = w.open[:begin]
}
