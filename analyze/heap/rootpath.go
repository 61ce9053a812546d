package heap

import "slices"

// RootPath returns the shortest way from a root to the object, from the object that the root holds up to this one, and
// the roots that hold the first one. Of several ways it is the one with the lowest ids, compared from the object back.
// If all ways have weak references, it is the shortest of these. It is nil if no root reaches the object.
func (g *Graph) RootPath(to Object) (path []Object, roots []Root) {
	path, roots = g.rootPaths()(to)
	if path == nil && len(g.weakly) > 0 {
		return g.withWeak().rootPaths()(to)
	}
	return path, roots
}

// keeps reports whether an object refers to another one by more than weak references.
func (g *Graph) keeps(from, to Object) bool {
	return slices.Contains(g.edges[g.first[from]:g.first[from+1]], uint32(to))
}

// rootPaths returns RootPath for any number of objects, by edges only.
func (g *Graph) rootPaths() func(to Object) (path []Object, roots []Root) {
	distance := g.distances()
	before := predecessorsOf(g.Size(), func(add func(from, to uint32)) { // on the shortest ways
		for from := range uint32(g.Size()) {
			for _, to := range g.edges[g.first[from]:g.first[from+1]] {
				if distance[from]+1 == distance[to] {
					add(from, to)
				}
			}
		}
	})
	return func(to Object) ([]Object, []Root) { return g.rootPath(to, distance, before) }
}

func (g *Graph) rootPath(to Object, distance []uint32, before predecessors) (path []Object, roots []Root) {
	if distance[to] == 0 {
		return nil, nil
	}
	path = []Object{to}
	for at := to; distance[at] > 1; {
		least := slices.Min(before.of(uint32(at)))
		at = Object(least)
		path = append(path, at)
	}
	slices.Reverse(path)
	for _, r := range g.roots {
		if r.Object == path[0] {
			roots = append(roots, r)
		}
	}
	return path, roots
}

// distances returns the number of objects on the shortest way from a root to each object, itself included; 0 if no root
// reaches it.
func (g *Graph) distances() []uint32 {
	distance := make([]uint32, g.Size())
	var level, next []uint32
	for _, to := range g.edges[g.first[g.root()]:] {
		if distance[to] == 0 {
			distance[to] = 1
			level = append(level, to)
		}
	}
	for length := uint32(2); len(level) > 0; length++ {
		next = next[:0]
		for _, from := range level {
			for _, to := range g.edges[g.first[from]:g.first[from+1]] {
				if distance[to] == 0 {
					distance[to] = length
					next = append(next, to)
				}
			}
		}
		level, next = next, level
	}
	return distance
}

// Incoming returns the objects that refer to the object, in ascending order, once for each reference.
func (g *Graph) Incoming(o Object) (from []Object) {
	for holder := range uint32(g.Size()) {
		for _, to := range g.References(Object(holder)) {
			if to == uint32(o) {
				from = append(from, Object(holder))
			}
		}
	}
	return from
}

// Outgoing returns the objects to which the object refers, in the order of the dump.
func (g *Graph) Outgoing(o Object) (to []Object) {
	for _, target := range g.References(o) {
		to = append(to, Object(target))
	}
	return to
}
