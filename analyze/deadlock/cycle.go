package deadlock

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// cycle is a list of orders. Each wants the monitor that the next one holds; the last one wants the first one's. The
// list begins with the monitor that came into the graph first, so that equal cycles are equal lists.
type cycle []*order

const (
	// maxCycle limits the number of monitors in a cycle. Deadlocks of more are rare, and the search for them is slow.
	maxCycle = 8
	// maxSteps limits the steps of the search for cycles, for each evidence. The search then takes some tenths of a
	// second.
	maxSteps = 4_000_000
	// maxInversions limits the inversions that are reported, for each evidence.
	maxInversions = 1000
)

// conclude reports the inversions that are not the deadlocks themselves. deadlocks lists the monitors wanted in each
// deadlock, in order.
func (o *orders) conclude(deadlocks [][]*monitor, report *Report) {
	found := map[string]bool{}
	for _, wanted := range deadlocks {
		if r := o.cycleOf(wanted); r != nil {
			found[r.key()] = true
		}
	}
	for evidence := Seen; evidence <= Supposed; evidence++ {
		left := &report.Omitted[evidence]
		left.Orders += o.dropped[evidence]
		search := &search{orders: o, evidence: evidence, found: found}
		search.all()
		left.Search = left.Search || search.exhausted()
		report.Inversions = append(report.Inversions, search.inversions...)
	}
	slices.SortStableFunc(report.Inversions, func(a, b Inversion) int {
		first, second := &a.Orders[0].Example, &b.Orders[0].Example
		return cmp.Or(cmp.Compare(a.Evidence, b.Evidence), cmp.Compare(first.Thread.Session, second.Thread.Session),
			cmp.Compare(len(a.Orders), len(b.Orders)), cmp.Compare(first.Since, second.Since))
	})
}

// cycleOf returns the cycle in which the monitors are wanted in this order, or nil if the graph does not have it.
func (o *orders) cycleOf(wanted []*monitor) cycle {
	var r cycle
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

// key identifies the cycle.
func (r cycle) key() string {
	var key []byte
	for _, o := range r {
		i := o.held.node.index
		key = append(key, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
	}
	return string(key)
}

// search finds the cycles of orders that have the evidence.
type search struct {
	*orders
	evidence   Evidence
	found      map[string]bool // keys of the cycles that are reported
	steps      int
	path       cycle
	inversions []Inversion
}

// exhausted reports whether a limit of the search is reached.
func (s *search) exhausted() bool { return s.steps > maxSteps || len(s.inversions) >= maxInversions }

// all searches short cycles before long ones, so that they are found even if the search is exhausted.
func (s *search) all() {
	s.components(s.evidence)
	for length := 2; length <= maxCycle; length++ {
		for _, n := range s.nodes {
			if n.size < length {
				continue
			}
			s.extend(n, n, length)
			if s.exhausted() {
				return
			}
		}
	}
}

// extend extends the path from the node at. The path has to return to start after the given number of steps.
func (s *search) extend(start, at *node, steps int) {
	for _, next := range at.out {
		if s.steps++; s.exhausted() {
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

// passes reports whether the path has an order that starts at the node.
func (s *search) passes(n *node) bool {
	return slices.ContainsFunc(s.path, func(o *order) bool { return o.held.node == n })
}

// close reports the path, which is a cycle, if its orders can be of different threads.
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

// differentThreads returns a witness for each order so that all are different threads; nil if that is impossible.
func (r cycle) differentThreads(evidence Evidence) []*witness {
	choice := &choice{evidence: evidence, cycle: r, of: map[trace.ThreadKey]int{}, chosen: make([]*witness, len(r))}
	for i := range r {
		if !choice.assign(i, map[trace.ThreadKey]bool{}) {
			return nil
		}
	}
	return choice.chosen
}

// choice assigns witnesses to the orders of a cycle: a bipartite matching.
type choice struct {
	evidence Evidence
	cycle    cycle
	of       map[trace.ThreadKey]int // the order that the thread is assigned to
	chosen   []*witness
}

// assign assigns a witness to an order. It takes a thread from another order if that one finds a thread that was not
// asked yet.
func (c *choice) assign(i int, asked map[trace.ThreadKey]bool) bool {
	witnesses := c.cycle[i].tallies[c.evidence].witnesses
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

// gates returns the monitors that were held in all orders at all times.
func (r cycle) gates(evidence Evidence) []Gate {
	gates := r[0].tallies[evidence].gates
	for _, o := range r[1:] {
		gates = common(gates, o.tallies[evidence].gates)
	}
	return slices.DeleteFunc(slices.Clone(gates), func(gate Gate) bool {
		return slices.ContainsFunc(r, func(o *order) bool { return o.held.ID == gate.Monitor.ID })
	})
}

// component is a strongly connected component of the graph.
type component struct {
	number int
	size   int
}

// components finds the strongly connected components of the graph of orders with the evidence, by Tarjan's algorithm.
func (o *orders) components(evidence Evidence) {
	t := &tarjan{evidence: evidence, low: make([]int, len(o.nodes)), reached: make([]int, len(o.nodes))}
	for _, n := range o.nodes {
		if t.reached[n.index] == 0 {
			t.visit(n)
		}
	}
}

// tarjan is a depth-first search of the graph.
type tarjan struct {
	evidence     Evidence
	count        int
	reached, low []int // by the index of nodes; reached is 0 for those not reached yet
	open         []*node
	parts        int
}

// done is the low of nodes whose component is complete.
const done = -1

func (t *tarjan) visit(n *node) {
	t.count++
	t.reached[n.index], t.low[n.index] = t.count, t.count
	t.open = append(t.open, n)
	for _, o := range n.out {
		to := o.wanted.node
		switch {
		case o.tallies[t.evidence].times == 0:
		case t.reached[to.index] == 0:
			t.visit(to)
			t.low[n.index] = min(t.low[n.index], t.lowOf(to))
		case t.low[to.index] != done:
			t.low[n.index] = min(t.low[n.index], t.reached[to.index])
		}
	}
	if t.low[n.index] == t.reached[n.index] {
		t.cut(n)
	}
}

// lowOf returns the low of a node of an open component. The low of other nodes does not matter.
func (t *tarjan) lowOf(n *node) int {
	if t.low[n.index] == done {
		return t.count
	}
	return t.low[n.index]
}

// cut makes a component of the nodes reached since n.
func (t *tarjan) cut(n *node) {
	begin := len(t.open) - 1
	for t.open[begin] != n {
		begin--
	}
	t.parts++
	for _, member := range t.open[begin:] {
		member.component = component{t.parts, len(t.open) - begin}
		t.low[member.index] = done
	}
	t.open = t.open[:begin]
}
