package grammar

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/trcx/trcx/internal/xmlscan"
)

// A content model becomes a graph of nodes, built backwards, so that each part knows the node after it. A node either
// consumes a child or forks. The nodes become a deterministic automaton: a state is a set of places in the model at
// which a document can be. A deterministic model has only sets of one place. Other models can have too many sets; then
// there are no states, and validators follow the places themselves.

// node is a place in a content model.
type node struct {
	element int32   // the child that it consumes; noElement for a fork
	next    int32   // the node after the child
	forks   []int32 // where a fork goes on
}

const (
	noElement = -1
	endNode   = 0 // the end of the model
)

// state has what can come next at a place of an element's content.
type state struct {
	edges   []edge // sorted by element
	accepts bool   // the content may end here
	repeats bool   // a child leads back to here
}

// edge leads to another state by a child.
type edge struct{ element, to int32 }

// automaton decides which children an element may have.
type automaton struct {
	nodes     []node
	first     int32   // node
	states    []state // the first one is the beginning; nil if there are too many
	ambiguous int32   // an element that can be consumed in more than one way, or noElement
}

// The limits of automata. A model with more names than maxNames is not checked. If an automaton has too many states, or
// all automata of a grammar have too many edges, places are followed instead.
const (
	maxNames  = 10_000
	maxStates = 4096
	maxEdges  = 1 << 20
)

// modelNames counts the names in a content model.
func modelNames(model *xmlscan.Particle) int {
	if model.Kind == xmlscan.NameParticle {
		return 1
	}
	n := 0
	for i := range model.Children {
		n += modelNames(&model.Children[i])
	}
	return n
}

// newAutomaton compiles a content model. index maps names to indexes of elements; edges is the number of edges that the
// grammar may still have.
func newAutomaton(model *xmlscan.Particle, index func(name string) int32, edges *int) *automaton {
	a := &automaton{nodes: []node{endNode: {element: noElement}}, ambiguous: noElement}
	a.first = a.build(model, endNode, index)
	a.determine(edges)
	return a
}

func (a *automaton) add(n node) int32 {
	a.nodes = append(a.nodes, n)
	return int32(len(a.nodes) - 1)
}

// build adds the nodes of a particle that is followed by next, and returns the first one.
func (a *automaton) build(p *xmlscan.Particle, next int32, index func(string) int32) int32 {
	switch p.Repeat {
	case '?':
		return a.add(node{element: noElement, forks: []int32{a.buildOnce(p, next, index), next}})
	case '*', '+':
		again := a.add(node{element: noElement})
		once := a.buildOnce(p, again, index)
		a.nodes[again].forks = []int32{once, next}
		if p.Repeat == '+' {
			return once
		}
		return again
	}
	return a.buildOnce(p, next, index)
}

func (a *automaton) buildOnce(p *xmlscan.Particle, next int32, index func(string) int32) int32 {
	switch p.Kind {
	case xmlscan.NameParticle:
		return a.add(node{element: index(p.Name), next: next})
	case xmlscan.Choice:
		forks := make([]int32, len(p.Children))
		for i := range p.Children {
			forks[i] = a.build(&p.Children[i], next, index)
		}
		return a.add(node{element: noElement, forks: forks})
	}
	for i := len(p.Children) - 1; i >= 0; i-- {
		next = a.build(&p.Children[i], next, index)
	}
	return next
}

// walker finds the nodes that consume a child and can be reached from others without one.
type walker struct {
	visited []uint32 // by node: the round in which it was visited
	round   uint32
	stack   []int32
	takers  []int32
	accepts bool // the end of the model can be reached
}

// reach finds the nodes that can be reached from the places.
func (w *walker) reach(a *automaton, places []int32) {
	if len(w.visited) < len(a.nodes) {
		w.visited, w.round = make([]uint32, len(a.nodes)), 0
	}
	w.round++
	w.takers, w.accepts = w.takers[:0], false
	for w.stack = append(w.stack[:0], places...); len(w.stack) > 0; {
		at := w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
		if w.visited[at] == w.round {
			continue
		}
		w.visited[at] = w.round
		switch n := &a.nodes[at]; {
		case at == endNode:
			w.accepts = true
		case n.element != noElement:
			w.takers = append(w.takers, at)
		default:
			w.stack = append(w.stack, n.forks...)
		}
	}
}

// ends reports whether the content model allows the end at the places.
func (w *walker) ends(a *automaton, places ...int32) bool {
	w.reach(a, places)
	return w.accepts
}

// follow appends the places after a child of the nodes that were reached.
func (w *walker) follow(a *automaton, element int32, places []int32) []int32 {
	w.round++
	for _, taker := range w.takers {
		if n := &a.nodes[taker]; n.element == element && w.visited[n.next] != w.round {
			w.visited[n.next] = w.round
			places = append(places, n.next)
		}
	}
	return places
}

// determine makes the states.
func (a *automaton) determine(edges *int) {
	var w walker
	known := map[string]int32{}
	var sets [][]int32
	stateOf := func(places []int32) int32 {
		slices.Sort(places)
		places = slices.Compact(places)
		key := make([]byte, 0, 4*len(places))
		for _, place := range places {
			key = binary.LittleEndian.AppendUint32(key, uint32(place))
		}
		to, ok := known[string(key)]
		if !ok {
			to = int32(len(sets))
			known[string(key)] = to
			sets = append(sets, places)
		}
		return to
	}
	stateOf([]int32{a.first})
	var states []state
	for at := 0; at < len(sets); at++ {
		w.reach(a, sets[at])
		if *edges -= len(w.takers); len(sets) > maxStates && a.ambiguous != noElement || *edges < 0 {
			return
		}
		states = append(states, a.stateFrom(&w, stateOf, int32(at)))
	}
	a.states = states
}

// stateFrom makes the state for the nodes that were reached.
func (a *automaton) stateFrom(w *walker, stateOf func([]int32) int32, at int32) state {
	made := state{accepts: w.accepts}
	takers := slices.Clone(w.takers)
	slices.SortFunc(takers, func(x, y int32) int { return cmp.Compare(a.nodes[x].element, a.nodes[y].element) })
	for i := 0; i < len(takers); {
		element := a.nodes[takers[i]].element
		var places []int32
		ways := 0
		for ; i < len(takers) && a.nodes[takers[i]].element == element; i++ {
			places = append(places, a.nodes[takers[i]].next)
			ways++
		}
		if ways > 1 {
			a.ambiguous = element
		}
		to := stateOf(places)
		made.edges = append(made.edges, edge{element, to})
		made.repeats = made.repeats || to == at
	}
	return made
}

// after returns the state after a child, and whether the child is allowed there.
func (s *state) after(element int32) (to int32, ok bool) {
	i, ok := slices.BinarySearchFunc(s.edges, element, func(e edge, element int32) int {
		return cmp.Compare(e.element, element)
	})
	if !ok {
		return 0, false
	}
	return s.edges[i].to, true
}
