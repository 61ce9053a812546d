package heap

import (
	"cmp"
	"math"
	"runtime"
	"slices"
)

// Class is a class of a heap dump.
type Class struct {
	// Name is the internal name: java/lang/String, [I, [Ljava/lang/Object;. It is "" for objects of an unknown class.
	Name   string
	object uint64 // the id of its java.lang.Class object, 0 if unknown
}

// Object is the number of an object of a Graph, in ascending order of ids.
type Object uint32

// Root is a root that holds an object.
type Root struct {
	Object Object
	Kind   string // in words, such as "JNI global" or "Java frame"
	Thread uint64 // the serial number of its thread; 0 if it has none
	Call   string // the call that has it, in words; "" if it is unknown
}

// Graph is a heap dump. Its nodes are objects and, after the last object, a super root.
type Graph struct {
	// Dangling counts references and roots whose objects the dump does not have. They are left out.
	Dangling int
	// Unsized counts objects whose size is unknown. They count as 0 bytes.
	Unsized int

	ids     *ids
	classes []Class
	classOf []uint32
	sizes   []uint32
	large   map[uint32]uint64 // sizes that do not fit into 32 bits
	first   []uint32          // the first edge of each node, and the end of the last one
	edges   []uint32          // the objects that the nodes refer to
	own     []uint32          // number of references; an object's other edges, to its class and weak ones, follow
	roots   []Root
	weakly  []weakEdge        // weak references that are no edges, in ascending order of their objects
	weak    bool              // weak references are edges
	alike   bool              // it is unknown which references are weak: all are edges
	mirrors map[uint32]*Class // classes by their java.lang.Class objects
}

// weakEdge is a weak reference.
type weakEdge struct{ from, to uint32 }

// Graph returns the dump's graph; with weak, weak references are edges, too. It empties the collector. A dump with more
// than 4,294,967,293 edges is an error.
func (c *Collector) Graph(weak bool) (*Graph, error) {
	if c.targets.Len()+c.ids.Len()+len(c.weak)+len(c.roots) > maxObjects {
		return nil, errTooLarge
	}
	g := &Graph{Unsized: c.unsized, alike: c.events, ids: newIDs(&c.ids), classes: c.classes, weak: weak}
	g.addObjects(c)
	c.objects = objects{}
	g.addRoots(c.roots)
	g.keepWeak(c.weak)
	c.weak = nil
	g.addEdges(c)
	c.reset()
	if weak {
		g = g.withWeak()
	}
	runtime.GC() // frees what was collected, which is as large as the graph, before the next step needs that memory
	return g, nil
}

// Size returns the number of objects.
func (g *Graph) Size() int { return len(g.classOf) }

// root returns the node of the super root.
func (g *Graph) root() uint32 { return uint32(len(g.classOf)) }

// ID returns the id of the object in the dump.
func (g *Graph) ID(o Object) uint64 { return g.ids.id(uint32(o)) }

// Find returns the object of the id.
func (g *Graph) Find(id uint64) (Object, bool) {
	at, found := g.ids.index(id)
	return Object(at), found
}

// Bytes returns the size of the object, with header and alignment; 0 if it is unknown.
func (g *Graph) Bytes(o Object) uint64 {
	if size := g.sizes[o]; size != math.MaxUint32 {
		return uint64(size)
	}
	return g.large[uint32(o)]
}

// ClassOf returns the class of the object.
func (g *Graph) ClassOf(o Object) *Class { return &g.classes[g.classOf[o]] }

// References returns the objects to which the object refers, in the order of the dump, without its class and weak ones.
func (g *Graph) References(o Object) []uint32 { return g.edges[g.first[o]:][:g.own[o]] }

// addObjects sets the classes and sizes of objects. If several objects have the same id, the last one counts.
func (g *Graph) addObjects(c *Collector) {
	g.classOf, g.sizes = make([]uint32, g.ids.count), make([]uint32, g.ids.count)
	for i := range c.ids.Len() {
		at, _ := g.ids.index(*c.ids.At(i))
		g.classOf[at], g.sizes[at] = *c.classOf.At(i), *c.sizes.At(i)
		if size, is := c.large[i]; is {
			if g.large == nil {
				g.large = map[uint32]uint64{}
			}
			g.large[at] = size
		}
	}
}

// addRoots sets the roots.
func (g *Graph) addRoots(roots []root) {
	for _, r := range roots {
		if at, found := g.ids.index(r.object); found {
			g.roots = append(g.roots, Root{Object(at), r.kind, r.thread, r.call})
		} else {
			g.Dangling++
		}
	}
}

// addEdges sets the edges except weak ones: each object's references, and the object of its class.
func (g *Graph) addEdges(c *Collector) {
	classObjects := g.classObjects()
	g.first, g.own = make([]uint32, g.Size()+2), make([]uint32, g.Size())
	g.Dangling += g.eachReference(c, func(from, _ uint32) { g.own[from]++ })
	end := uint32(0)
	for o := range g.own {
		g.first[o] = end
		end += g.own[o]
		if classObjects[g.classOf[o]] != none {
			end++
		}
	}
	g.first[g.root()] = end
	g.first[g.root()+1] = end + uint32(len(g.roots))
	g.edges = make([]uint32, g.first[g.root()+1])
	clear(g.own)
	g.eachReference(c, func(from, to uint32) {
		g.edges[g.first[from]+g.own[from]] = to
		g.own[from]++
	})
	for o := range g.own {
		if class := classObjects[g.classOf[o]]; class != none {
			g.edges[g.first[o+1]-1] = class
		}
	}
	for i, r := range g.roots {
		g.edges[int(end)+i] = uint32(r.Object)
	}
}

// keepWeak keeps weak references, which are not edges yet.
func (g *Graph) keepWeak(weak []edge) {
	for _, w := range weak {
		from, known := g.ids.index(w.from)
		switch to, alsoKnown := g.ids.index(w.to); {
		case !known:
		case alsoKnown:
			g.weakly = append(g.weakly, weakEdge{from, to})
		case g.weak:
			g.Dangling++
		}
	}
	slices.SortStableFunc(g.weakly, func(a, b weakEdge) int { return cmp.Compare(a.from, b.from) })
}

// withWeak returns the graph in which weak references are edges, too, after the other edges of their objects.
func (g *Graph) withWeak() *Graph {
	all, left := *g, g.weakly
	all.weakly = nil
	all.first, all.edges = make([]uint32, len(g.first)), make([]uint32, 0, len(g.edges)+len(left))
	for node := range uint32(len(g.first) - 1) {
		all.edges = append(all.edges, g.edges[g.first[node]:g.first[node+1]]...)
		for len(left) > 0 && left[0].from == node {
			all.edges, left = append(all.edges, left[0].to), left[1:]
		}
		all.first[node+1] = uint32(len(all.edges))
	}
	return &all
}

// classIn returns the class whose java.lang.Class object o is, or nil.
func (g *Graph) classIn(o Object) *Class { return g.mirrors[uint32(o)] }

// none stands for no object.
const none = math.MaxUint32

// classObjects returns the objects of the classes, none if the dump lacks one.
func (g *Graph) classObjects() []uint32 {
	objects := make([]uint32, len(g.classes))
	g.mirrors = map[uint32]*Class{}
	for i := range g.classes {
		objects[i] = none
		if id := g.classes[i].object; id != 0 {
			if at, found := g.ids.index(id); found {
				objects[i], g.mirrors[at] = at, &g.classes[i]
			}
		}
	}
	return objects
}

// eachReference calls the function for each reference between objects of the dump, and returns the number of others.
func (g *Graph) eachReference(c *Collector, add func(from, to uint32)) (dangling int) {
	at := 0
	for i := range c.holders.Len() {
		h := c.holders.At(i)
		from, known := g.ids.index(h.id)
		for range h.count {
			to, found := g.ids.index(*c.targets.At(at))
			at++
			if known && found {
				add(from, to)
			} else {
				dangling++
			}
		}
	}
	return dangling
}
