package dot

import (
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// groups are sets of threads whose names differ only in digits. The key of its first thread identifies a group.
type groups struct {
	first   map[string]trace.ThreadKey
	pattern map[trace.ThreadKey]string // of the first threads
	members map[trace.ThreadKey]bool   // all threads that were counted
}

// maxMembers is the limit of threads that are counted.
const maxMembers = 1 << 16

// pattern returns the common part of the names of a group.
func pattern(t *threads.Thread) string { return threads.PoolOf(t.Title()) }

// of returns the key of the thread's group.
func (g *groups) of(key trace.ThreadKey, t *threads.Thread) trace.ThreadKey {
	common := pattern(t)
	first, ok := g.first[common]
	if !ok {
		first = key
		g.first[common], g.pattern[key] = key, common
	}
	return first
}

// join adds a thread to the members. It reports whether the thread is new.
func (g *groups) join(key trace.ThreadKey) bool {
	if g.members[key] || len(g.members) >= maxMembers {
		return false
	}
	g.members[key] = true
	return true
}

// forget drops the group with the key.
func (g *groups) forget(first trace.ThreadKey) {
	if g == nil {
		return
	}
	if common, ok := g.pattern[first]; ok {
		delete(g.first, common)
		delete(g.pattern, first)
	}
}

// group groups threads from now on, and existing nodes and edges. Threads in a deadlock are not grouped.
func (w *Writer) group() {
	if w.groups != nil {
		return
	}
	w.groups = &groups{make(map[string]trace.ThreadKey), make(map[trace.ThreadKey]string),
		make(map[trace.ThreadKey]bool)}
	nodes, edges := w.nodes, w.edges
	w.nodes, w.edges = make(map[trace.ThreadKey]*node), make(map[edgeKey]*edge)
	to := make(map[trace.ThreadKey]trace.ThreadKey)
	for _, key := range sorted(nodes) {
		n := nodes[key]
		to[key] = key
		if _, stuck := w.steps[key]; key != 0 && !stuck {
			to[key] = w.groups.of(key, &n.Thread)
		}
		if w.nodes[to[key]] == nil {
			w.nodes[to[key]] = &node{Thread: n.Thread}
		}
		together := w.nodes[to[key]]
		together.blocked.add(n.blocked)
		if w.groups.join(key) {
			together.threads++
		}
	}
	for key, e := range edges {
		key.waiter, key.holder = to[key.waiter], to[key.holder]
		together := w.edges[key]
		if together == nil {
			w.edges[key] = e
			continue
		}
		together.add(e.sum)
		together.several = together.several || e.several || together.object != e.object
	}
}
