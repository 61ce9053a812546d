package dot

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/internal/names"
	"github.com/trcx/trcx/trace"
)

// Graph is a trace.Sink whose intervals become a graph.
type Graph struct {
	out     io.Writer
	most    int
	book    names.Book
	nodes   map[trace.ThreadKey]*node
	edges   map[edgeKey]*edge
	steps   map[trace.ThreadKey]step // of the threads that are deadlocked
	loops   int
	groups  *groups // nil as long as each thread is a node of its own
	left    sum     // what is not in edges any more, or not drawn
	dropped int     // edges that were given up on the way
	// how much of the critical path is in the node of the key; in 0, how much is in none
	critical map[trace.ThreadKey]int64
	path     int64 // how long it is
}

// MostEdges is how many edges are drawn if nothing else is asked for; more of them nobody can follow.
const MostEdges = 40

// mostKept is how many edges are kept on the way. When there are more, threads are brought together, and if that is not
// enough, edges with the shortest waits are given up.
var mostKept = 1 << 14

// node is a thread, or several of a group.
type node struct {
	names.Thread     // the first one
	threads      int // how many
	blocked      sum // on monitors
}

// edgeKey is what edges are told apart by.
type edgeKey struct {
	kind
	waiter, holder trace.ThreadKey // holder is 0 if unknown
	class          string          // of the monitor
}

// edge is what is said of an edge.
type edge struct {
	sum
	object  trace.ObjectID
	several bool // monitors of the class
}

// sum is how often threads waited and for how long, in nanoseconds.
type sum struct{ count, total, max int64 }

func (s *sum) add(more sum) {
	s.count += more.count
	s.total += min(more.total, math.MaxInt64-s.total) // 292 years
	s.max = max(s.max, more.max)
}

// one is the wait of an interval.
func one(s *trace.Interval) sum { return sum{1, s.Length(), s.Length()} }

// kind is a way in which a thread waits for another.
type kind uint8

const (
	blocked  kind = iota // on a monitor
	joining              // for the other's end
	deadlock             // on a monitor, for ever
)

// step is a thread's place in a deadlock.
type step struct {
	loop, number, of int // counted from 1
	next             trace.ThreadKey
}

// New returns a sink that writes a graph of at most so many edges to out; 0 is MostEdges. Deadlocks are always drawn.
// Where there are more, threads become one node if their names differ in digits only, as those of a pool do.
func New(out io.Writer, most int) *Graph {
	return &Graph{
		out: out, most: cmp.Or(most, MostEdges),
		nodes: make(map[trace.ThreadKey]*node), edges: make(map[edgeKey]*edge), steps: make(map[trace.ThreadKey]step),
	}
}

// CriticalPath marks the threads that the critical path runs through. The shares are in nanoseconds; all of them
// together are the length of the path. It is to be called before End.
func (g *Graph) CriticalPath(shares map[trace.ThreadKey]int64) { g.critical = shares }

// place brings the shares of the critical path to the nodes.
func (g *Graph) place() {
	shares := g.critical
	g.critical = make(map[trace.ThreadKey]int64)
	for key, share := range shares {
		if g.groups != nil && g.steps[key].of == 0 {
			known := g.book.Of(trace.ThreadRef{Key: key})
			key = g.groups.first[pattern(&known)]
		}
		if g.nodes[key] == nil {
			key = 0
		}
		g.critical[key] += share
		g.path += share
	}
}

// Put adds the record to the graph. The Summary makes it write the graph.
func (g *Graph) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		g.thread(r)
	case *trace.Interval:
		g.interval(r)
	case *trace.DeadlockLoop:
		g.deadlock(r)
	case *trace.Summary:
		return g.write(r)
	}
	return nil
}

// thread keeps the name of the thread.
func (g *Graph) thread(t *trace.ModelThread) {
	g.book.Thread(t)
	if known := g.nodes[t.Key]; known != nil && g.groups == nil {
		known.Thread = names.Thread{ID: t.ID, Name: t.Name, Session: t.Session}
	}
}

// deadlock notes whom each of the threads waits for: what is known of the holders at the end counts, not what they held
// when the waits began.
func (g *Graph) deadlock(d *trace.DeadlockLoop) {
	g.loops++
	for i, t := range d.Threads {
		next := d.Threads[(i+1)%len(d.Threads)]
		g.steps[t.Key] = step{g.loops, i + 1, len(d.Threads), next.Key}
		g.at(next.Key, next)
	}
}

// interval adds a wait for another thread.
func (g *Graph) interval(s *trace.Interval) {
	key := edgeKey{class: s.Class}
	switch s.Type {
	case trace.WaitingForLock:
	case trace.WaitingForJoin:
		key = edgeKey{kind: joining}
	default:
		return
	}
	if at, stuck := g.steps[s.Thread.Key]; stuck && s.Deadlocked {
		key.kind, key.waiter, key.holder = deadlock, s.Thread.Key, at.next
		g.at(s.Thread.Key, s.Thread)
	} else {
		key.waiter, key.holder = g.node(s.Thread), g.node(s.Other)
	}
	if key.kind != joining {
		g.nodes[key.waiter].blocked.add(one(s))
	}
	g.edge(key, s)
}

// node is the key of the node that the thread is, or is in. The unknown thread is 0.
func (g *Graph) node(t trace.ThreadRef) trace.ThreadKey {
	if _, stuck := g.steps[t.Key]; g.groups == nil || t.Key == 0 || stuck {
		g.at(t.Key, t)
		return t.Key
	}
	known := g.book.Of(t)
	key := g.groups.of(t.Key, &known)
	g.at(key, t)
	return key
}

// at makes sure that there is a node of the key, and that the thread is in it.
func (g *Graph) at(key trace.ThreadKey, t trace.ThreadRef) {
	n := g.nodes[key]
	if n == nil {
		n = &node{}
		if key != 0 {
			n.Thread = g.book.Of(t)
		}
		g.nodes[key] = n
	}
	if g.groups == nil {
		n.threads = 1
	} else if g.groups.join(t.Key) {
		n.threads++
	}
}

func (g *Graph) edge(key edgeKey, s *trace.Interval) {
	known := g.edges[key]
	if known == nil {
		known = &edge{object: s.Object}
		g.edges[key] = known
	}
	known.add(one(s))
	known.several = known.several || known.object != s.Object
	if len(g.edges) > mostKept {
		g.group()
	}
	if len(g.edges) > mostKept {
		g.dropped += g.keep(mostKept / 2)
		g.forget()
	}
}

// keep gives up all edges but so many, those with the longest waits, and says how many it gave up.
func (g *Graph) keep(most int) int {
	ranked := g.ranked()
	least := min(most, len(ranked))
	for least < len(ranked) && ranked[least].kind == deadlock {
		least++
	}
	for _, key := range ranked[least:] {
		g.left.add(g.edges[key].sum)
		delete(g.edges, key)
	}
	return len(ranked) - least
}

// forget gives up the threads that no edge leads from or to.
func (g *Graph) forget() {
	used := make(map[trace.ThreadKey]bool)
	for key := range g.edges {
		used[key.waiter], used[key.holder] = true, true
	}
	for key := range g.nodes {
		if _, stuck := g.steps[key]; !used[key] && !stuck {
			delete(g.nodes, key)
			g.groups.forget(key)
		}
	}
}

// ranked are the edges, deadlocks first, and then those with the longest waits.
func (g *Graph) ranked() []edgeKey {
	keys := make([]edgeKey, 0, len(g.edges))
	for key := range g.edges {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b edgeKey) int {
		x, y := g.edges[a], g.edges[b]
		if a.kind == deadlock || b.kind == deadlock {
			p, q := g.steps[a.waiter], g.steps[b.waiter]
			return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(p.loop, q.loop), cmp.Compare(p.number, q.number),
				strings.Compare(a.class, b.class))
		}
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.count, x.count), cmp.Compare(a.waiter, b.waiter),
			cmp.Compare(a.holder, b.holder),
			cmp.Compare(a.kind, b.kind), strings.Compare(a.class, b.class))
	})
	return keys
}
