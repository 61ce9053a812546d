package heap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trcx/trcx/internal/list"
)

// randomDump collects a random dump: objects of a few classes with random ids, references, weak references, references
// to missing objects, and roots.
func randomDump(r *rand.Rand) *Collector {
	c := &Collector{}
	objects, classes := 1+r.IntN(200), 1+r.IntN(5)
	spread := uint64(8)
	if r.IntN(3) == 0 {
		spread = 1 + r.Uint64N(1<<40)
	}
	id := func(i int) uint64 { return 4096 + uint64(i)*spread }
	for class := range classes {
		c.classes = append(c.classes, Class{})
		c.numbers = map[uint64]uint32{}
		_ = class
	}
	c.classes = append(c.classes, Class{})
	for class := range classes + 1 {
		c.numbers[uint64(class)] = uint32(class)
		if class > 0 && r.IntN(3) > 0 {
			c.classes[class].object = id(r.IntN(objects))
		}
	}
	for _, i := range r.Perm(objects) {
		c.Object(id(i), uint64(1+r.IntN(classes)), uint64(8*r.IntN(20)), 0)
	}
	for range r.IntN(3 * objects) {
		c.Reference(id(r.IntN(objects)), id(r.IntN(objects+3)), r.IntN(10) == 0)
	}
	for range r.IntN(5) {
		c.Root(id(r.IntN(objects+1)), "JNI global", 0, "")
	}
	return c
}

// reached returns the objects that the roots reach without the excluded ones.
func reached(g *Graph, without func(uint32) bool) []bool {
	seen := make([]bool, g.Size())
	var next []uint32
	visit := func(o uint32) {
		if !seen[o] && !without(o) {
			seen[o] = true
			next = append(next, o)
		}
	}
	for _, root := range g.roots {
		visit(uint32(root.Object))
	}
	for len(next) > 0 {
		o := next[len(next)-1]
		next = next[:len(next)-1]
		for _, to := range g.edges[g.first[o]:g.first[o+1]] {
			visit(to)
		}
	}
	return seen
}

// lost returns the bytes that roots no longer reach without the objects.
func lost(g *Graph, all []bool, without func(uint32) bool) (bytes uint64) {
	left := reached(g, without)
	for o := range all {
		if all[o] && !left[o] {
			bytes += g.Bytes(Object(o))
		}
	}
	return bytes
}

// retainedBy returns the bytes of the objects that roots no longer reach without one of the selected objects.
func retainedBy(g *Graph, all []bool, selects func(uint32) bool) (bytes uint64) {
	retained := make([]bool, g.Size())
	for o := range uint32(g.Size()) {
		if !selects(o) || !all[o] {
			continue
		}
		for x, left := range reached(g, func(x uint32) bool { return x == o }) {
			retained[x] = retained[x] || all[x] && !left
		}
	}
	for o := range retained {
		if retained[o] {
			bytes += g.Bytes(Object(o))
		}
	}
	return bytes
}

// TestRetained compares retained sizes, of objects and of classes, with what becomes unreachable without them.
func TestRetained(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		g, err := randomDump(r).Graph(r.IntN(2) == 0)
		if err != nil {
			t.Fatal(err)
		}
		d := g.Dominators()
		all := reached(g, func(uint32) bool { return false })
		total, count := d.Total()
		for o := range uint32(g.Size()) {
			if d.Reachable(Object(o)) != all[o] {
				t.Fatalf("seed %d: object %d is reachable: %v", seed, o, all[o])
			}
			if all[o] {
				total -= g.Bytes(Object(o))
				count--
			}
			want := lost(g, all, func(x uint32) bool { return x == o })
			if got := d.Retained(Object(o)); got != want {
				t.Fatalf("seed %d: object %d retains %d bytes, want %d", seed, o, got, want)
			}
			if above, is := d.Dominator(Object(o)); is && reached(g, func(x uint32) bool { return x == uint32(above) })[o] {
				t.Fatalf("seed %d: %d does not dominate %d", seed, above, o)
			}
		}
		if total != 0 || count != 0 {
			t.Fatalf("seed %d: the total is wrong by %d bytes of %d objects", seed, total, count)
		}
		for _, row := range g.Classes(d) {
			want := retainedBy(g, all, func(x uint32) bool { return &g.classes[g.classOf[x]] == row.Class })
			if row.Retained != want {
				t.Fatalf("seed %d: a class retains %d bytes, want %d", seed, row.Retained, want)
			}
		}
	}
}

// dominatorsAmong returns the given objects that dominate o, the nearest first.
func dominatorsAmong(d *Dominators, o Object, objects []Object) (all []Object) {
	for above, is := d.Dominator(o); is; above, is = d.Dominator(above) {
		if slices.Contains(objects, above) {
			all = append(all, above)
		}
	}
	return all
}

// TestTree proves that a tree has each object once, below the nearest one that dominates it, and that the objects below
// the same one are sorted by what they retain.
func TestTree(t *testing.T) {
	nested := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		g, err := randomDump(r).Graph(false)
		check(t, err)
		d := g.Dominators()
		objects, _ := d.Largest(r.IntN(g.Size()+1), func(Object) bool { return r.IntN(4) > 0 })
		above := []Object{} // the last object of each level
		left := map[Object]bool{}
		for _, o := range objects {
			left[o] = true
		}
		for _, branch := range d.Tree(objects) {
			want := dominatorsAmong(d, branch.Object, objects)
			if branch.Level != len(want) || branch.Level > 0 && above[branch.Level-1] != want[0] {
				t.Fatalf("seed %d: object %d is at level %d", seed, branch.Object, branch.Level)
			}
			if branch.Level < len(above) && d.Retained(above[branch.Level]) < d.Retained(branch.Object) {
				t.Fatalf("seed %d: object %d comes after one that retains less", seed, branch.Object)
			}
			above = append(above[:branch.Level], branch.Object)
			nested = max(nested, branch.Level)
			delete(left, branch.Object)
		}
		if len(left) > 0 {
			t.Fatalf("seed %d: the tree does not have %v", seed, left)
		}
	}
	if nested < 3 {
		t.Errorf("the trees have %d levels", nested)
	}
}

// TestWeakPaths proves that a path has weak references only if all paths have them, and is then the shortest of all.
func TestWeakPaths(t *testing.T) {
	weak := 0
	for seed := range uint64(300) {
		strong, err := randomDump(rand.New(rand.NewPCG(seed, 3))).Graph(false)
		check(t, err)
		all, err := randomDump(rand.New(rand.NewPCG(seed, 3))).Graph(true)
		check(t, err)
		short, weakly := strong.distances(), all.distances()
		for o := range uint32(strong.Size()) {
			path, _ := strong.RootPath(Object(o))
			want := short[o]
			if want == 0 {
				want = weakly[o]
			}
			if len(path) != int(want) {
				t.Fatalf("seed %d: the path to %d has %d objects, want %d", seed, o, len(path), want)
			}
			r := Report{graph: strong, paths: path}
			steps := 0
			for i := range path {
				if r.isWeakStep(i) {
					steps++
				}
			}
			if (steps > 0) != (short[o] == 0 && weakly[o] > 0) {
				t.Fatalf("seed %d: the path to %d has %d weak steps", seed, o, steps)
			}
			weak += steps
		}
	}
	if weak < 100 {
		t.Errorf("%d steps are weak references", weak)
	}
}

// TestRootPaths compares paths with all shortest ones without weak references.
func TestRootPaths(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		g, err := randomDump(r).Graph(false)
		if err != nil {
			t.Fatal(err)
		}
		distance := g.distances()
		for o := range uint32(g.Size()) {
			path, roots := g.rootPaths()(Object(o))
			if len(path) != int(distance[o]) {
				t.Fatalf("seed %d: the path to %d has %d objects, want %d", seed, o, len(path), distance[o])
			}
			if len(path) == 0 {
				continue
			}
			if len(roots) == 0 || path[len(path)-1] != Object(o) {
				t.Fatalf("seed %d: the path to %d has %d roots and ends at %d", seed, o, len(roots), path[len(path)-1])
			}
			for i := 1; i < len(path); i++ {
				if !slices.Contains(g.edges[g.first[path[i-1]]:g.first[path[i-1]+1]], uint32(path[i])) {
					t.Fatalf("seed %d: %d does not refer to %d", seed, path[i-1], path[i])
				}
				for lower := range uint32(path[i-1]) {
					if distance[lower] == uint32(i) && slices.Contains(g.edges[g.first[lower]:g.first[lower+1]], uint32(path[i])) {
						t.Fatalf("seed %d: %d has a lower id than %d", seed, lower, path[i-1])
					}
				}
			}
		}
	}
}

// TestLargeObjects: sizes beyond 32 bits are kept, by object; of several objects with one id the last one counts.
func TestLargeObjects(t *testing.T) {
	const small, least, huge = 24, math.MaxUint32, 1 << 40
	c := &Collector{}
	sizes := map[uint64]uint64{} // by id
	for _, o := range [][2]uint64{{3, huge}, {1, least - 1}, {2, least}, {4, least + 1}, {5, huge}, {5, small}, {6, small},
		{6, huge + 8}} {
		if err := c.Object(o[0], 1, o[1], 0); err != nil {
			t.Fatal(err)
		}
		sizes[o[0]] = o[1]
	}
	g, err := c.Graph(false)
	if err != nil {
		t.Fatal(err)
	}
	sum := uint64(0)
	for id, size := range sizes {
		sum += size
		if o, found := g.Find(id); !found || g.Bytes(o) != size {
			t.Errorf("object %d has %d bytes, want %d", id, g.Bytes(o), size)
		}
	}
	if rows := g.Classes(nil); len(rows) != 1 || rows[0].Count != 6 || rows[0].Bytes != sum || rows[0].Largest != huge+8 {
		t.Errorf("the classes are %+v, want one with %d bytes", rows, sum)
	}
}

// TestIDs checks that an id is found at its index, and that others are not found.
func TestIDs(t *testing.T) {
	for _, spread := range []uint64{1, 8, 24, 64, 512, 1 << 30} {
		var all list.List[uint64]
		for i := range uint64(1000) {
			all.Add(1<<33 + (i*7919%1000)*spread)
		}
		x := newIDs(&all)
		if x.count != 1000 {
			t.Errorf("spread %d: %d ids", spread, x.count)
		}
		for i := range uint64(1000) {
			id := 1<<33 + i*spread
			if at, found := x.index(id); !found || uint64(at) != i || x.id(at) != id {
				t.Errorf("spread %d: id %d is at %d, %v; there is %d", spread, id, at, found, x.id(at))
			}
			if _, found := x.index(id + 1); found && spread != 1 {
				t.Errorf("spread %d: %d is found", spread, id+1)
			}
		}
		for _, id := range []uint64{0, 1<<33 - 8, 1<<33 + 1000*spread, 1 << 62, ^uint64(0)} {
			if _, found := x.index(id); found {
				t.Errorf("spread %d: %d is found", spread, id)
			}
		}
	}
}
