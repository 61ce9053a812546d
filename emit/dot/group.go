package dot

import (
	"regexp"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// groups are threads whose names differ in digits only. The first thread of a group stands for it.
type groups struct {
	first   map[string]trace.ThreadKey
	pattern map[trace.ThreadKey]string // of the first threads
	members map[trace.ThreadKey]bool   // all threads that were counted
}

// mostMembers is how many threads are told apart when they are counted.
const mostMembers = 1 << 16

var digits = regexp.MustCompile(`[0-9]+`)

// pattern is what the names of a group have in common.
func pattern(t *names.Thread) string { return digits.ReplaceAllString(t.Title(), "#") }

// of is the key of the thread that stands for the group of the thread.
func (g *groups) of(key trace.ThreadKey, t *names.Thread) trace.ThreadKey {
	common := pattern(t)
	first, ok := g.first[common]
	if !ok {
		first = key
		g.first[common], g.pattern[key] = key, common
	}
	return first
}

// join says whether the thread is to be counted: it was not yet.
func (g *groups) join(key trace.ThreadKey) bool {
	if g.members[key] || len(g.members) >= mostMembers {
		return false
	}
	g.members[key] = true
	return true
}

// forget gives up the group for which the thread stands.
func (g *groups) forget(first trace.ThreadKey) {
	if g == nil {
		return
	}
	if common, ok := g.pattern[first]; ok {
		delete(g.first, common)
		delete(g.pattern, first)
	}
}

// group makes groups of the threads from here on, and of the nodes and edges there are. Threads in a deadlock stay
// alone.
func (g *Graph) group() {
	if g.groups != nil {
		return
	}
	g.groups = &groups{make(map[string]trace.ThreadKey), make(map[trace.ThreadKey]string),
		make(map[trace.ThreadKey]bool)}
	nodes, edges := g.nodes, g.edges
	g.nodes, g.edges = make(map[trace.ThreadKey]*node), make(map[edgeKey]*edge)
	to := make(map[trace.ThreadKey]trace.ThreadKey)
	for _, key := range sorted(nodes) {
		n := nodes[key]
		to[key] = key
		if _, stuck := g.steps[key]; key != 0 && !stuck {
			to[key] = g.groups.of(key, &n.Thread)
		}
		if g.nodes[to[key]] == nil {
			g.nodes[to[key]] = &node{Thread: n.Thread}
		}
		together := g.nodes[to[key]]
		together.blocked.add(n.blocked)
		if g.groups.join(key) {
			together.threads++
		}
	}
	for key, e := range edges {
		key.waiter, key.holder = to[key.waiter], to[key.holder]
		together := g.edges[key]
		if together == nil {
			g.edges[key] = e
			continue
		}
		together.add(e.sum)
		together.several = together.several || e.several || together.object != e.object
	}
}
