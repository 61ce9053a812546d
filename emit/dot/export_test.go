package dot

// KeepAtMost sets how many edges are kept on the way, and returns a function that sets it back.
func KeepAtMost(edges int) func() {
	before := mostKept
	mostKept = edges
	return func() { mostKept = before }
}

// Waits are those of all edges, and of those that were given up.
func (g *Graph) Waits() (count, total int64) {
	all := g.left
	for _, e := range g.edges {
		all.add(e.sum)
	}
	return all.count, all.total
}

// Size is how many nodes, edges and groups are kept.
func (g *Graph) Size() int {
	if g.groups != nil {
		return len(g.nodes) + len(g.edges) + len(g.groups.first) + len(g.groups.pattern)
	}
	return len(g.nodes) + len(g.edges)
}
