package dot

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Writer is a trace.Sink that writes the waits of threads for each other as a graph. Its memory does not grow with the
// length of the trace.
type Writer struct {
	out      io.Writer
	most     int // edges that are drawn
	limit    int // of edges in memory; see maxEdges
	names    threads.Names
	nodes    map[trace.ThreadKey]*node
	edges    map[edgeKey]*edge
	steps    map[trace.ThreadKey]step // of the threads that are deadlocked
	loops    int
	possible bool    // a loop may be no deadlock
	stuck    int     // edges of deadlocks
	name     string  // of deadlocks in labels
	groups   *groups // nil as long as each thread has its own node
	left     sum     // of edges that are dropped or not drawn
	dropped  int     // edges over the limit
	// critical is the length of the critical path by node; 0 is no node
	critical map[trace.ThreadKey]int64
	// threadless is the length of its pieces without a thread.
	threadless int64
	path       int64 // the whole length of the critical path
	err        error
}

// Options limit the graph.
type Options struct {
	// MaxEdges is the limit of edges that are drawn; 0 is 40. Deadlocks are always drawn. Above the limit, threads
	// whose names differ only in digits, as in a pool, become one node.
	MaxEdges int
}

// defaultMaxEdges is the default limit of edges; a graph with more is hard to read.
const defaultMaxEdges = 40

// maxEdges is the limit of edges in memory. Edges of deadlocks do not count: a thread has at most one. Above the limit,
// threads are grouped. If that is not enough, edges with the shortest waits are dropped.
const maxEdges = 1 << 14

// node is a thread, or several threads of a group.
type node struct {
	threads.Thread     // the first one
	threads        int // their number
	blocked        sum // on monitors
}

// edgeKey identifies an edge.
type edgeKey struct {
	kind
	waiter, holder trace.ThreadKey // holder is 0 if unknown
	class          string          // of the monitor
}

// edge has the waits of an edge.
type edge struct {
	sum
	object  trace.ObjectID
	several bool // several monitors of the class
}

// sum is a number of waits and their lengths in nanoseconds.
type sum struct{ count, total, max int64 }

func (s *sum) add(more sum) {
	s.count += more.count
	s.total += min(more.total, math.MaxInt64-s.total) // 292 years
	s.max = max(s.max, more.max)
}

// one returns the wait of an interval.
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

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer, o Options) *Writer {
	return &Writer{
		out: w, most: cmp.Or(o.MaxEdges, defaultMaxEdges), limit: maxEdges,
		nodes: make(map[trace.ThreadKey]*node), edges: make(map[edgeKey]*edge), steps: make(map[trace.ThreadKey]step),
	}
}

// CriticalPath marks the threads of the critical path. The shares are in nanoseconds and add up to the path's length.
// Thread 0 has the time of no thread: collections, and times when the owner of a lock is unknown. It must be called
// before the Summary is put.
func (w *Writer) CriticalPath(shares map[trace.ThreadKey]int64) { w.critical = shares }

// place assigns the shares of the critical path to the nodes.
func (w *Writer) place() {
	shares := w.critical
	w.threadless = shares[0]
	w.critical = make(map[trace.ThreadKey]int64)
	for key, share := range shares {
		if key != 0 && w.groups != nil && w.steps[key].of == 0 {
			known := w.names.Get(key)
			key = w.groups.first[pattern(&known)]
		}
		if w.nodes[key] == nil {
			key = 0
		}
		w.critical[key] += share
		w.path += share
	}
}

// Put adds the record to the graph. The Summary makes it write the graph.
func (w *Writer) Put(r trace.Record) error {
	switch r := r.(type) {
	case *trace.ModelThread:
		w.thread(r)
	case *trace.Interval:
		w.interval(r)
	case *trace.DeadlockLoop:
		w.deadlock(r)
	case *trace.Summary:
		w.err = w.write(r)
	}
	return w.err
}

// Close returns the error of writing the graph.
func (w *Writer) Close() error { return w.err }

// thread keeps the name of the thread.
func (w *Writer) thread(t *trace.ModelThread) {
	w.names.Put(t)
	if known := w.nodes[t.Key]; known != nil && w.groups == nil {
		known.Thread = w.names.Get(t.Key)
	}
}

// deadlock records the thread that each thread waits for: the owner at the end, not at the start of the wait.
func (w *Writer) deadlock(d *trace.DeadlockLoop) {
	w.loops++
	w.possible = w.possible || d.IsPossible()
	for i, t := range d.Threads {
		next := d.Threads[(i+1)%len(d.Threads)]
		w.steps[t.Key] = step{w.loops, i + 1, len(d.Threads), next.Key}
		w.at(next.Key, next)
	}
}

// interval adds a wait for another thread.
func (w *Writer) interval(s *trace.Interval) {
	key := edgeKey{class: s.Class}
	switch s.Type {
	case trace.WaitingForLock:
	case trace.WaitingForJoin:
		key = edgeKey{kind: joining}
	default:
		return
	}
	if at, stuck := w.steps[s.Thread.Key]; stuck && s.Deadlocked {
		key.kind, key.waiter, key.holder = deadlock, s.Thread.Key, at.next
		w.at(s.Thread.Key, s.Thread)
	} else {
		key.waiter, key.holder = w.node(s.Thread), w.node(s.Other)
	}
	if key.kind != joining {
		w.nodes[key.waiter].blocked.add(one(s))
	}
	w.edge(key, s)
}

// node returns the key of the thread's node. The unknown thread is 0.
func (w *Writer) node(t trace.ThreadRef) trace.ThreadKey {
	if _, stuck := w.steps[t.Key]; w.groups == nil || t.Key == 0 || stuck {
		w.at(t.Key, t)
		return t.Key
	}
	known := w.names.Get(t.Key)
	key := w.groups.of(t.Key, &known)
	w.at(key, t)
	return key
}

// at adds the thread to the node of the key.
func (w *Writer) at(key trace.ThreadKey, t trace.ThreadRef) {
	n := w.nodes[key]
	if n == nil {
		n = &node{}
		if key != 0 {
			n.Thread = w.names.Get(t.Key)
		}
		w.nodes[key] = n
	}
	if w.groups == nil {
		n.threads = 1
	} else if w.groups.join(t.Key) {
		n.threads++
	}
}

func (w *Writer) edge(key edgeKey, s *trace.Interval) {
	known := w.edges[key]
	if known == nil {
		known = &edge{object: s.Object}
		w.edges[key] = known
		if key.kind == deadlock {
			w.stuck++
		}
	}
	known.add(one(s))
	known.several = known.several || known.object != s.Object
	if len(w.edges)-w.stuck > w.limit {
		w.group()
	}
	if len(w.edges)-w.stuck > w.limit {
		w.dropped += w.keep(w.limit / 2)
		w.forget()
	}
}

// keep drops the edges with the shortest waits until at most most are left. It never drops or counts edges of
// deadlocks. It returns the number of dropped edges.
func (w *Writer) keep(most int) int {
	ranked := w.ranked(func(k kind) bool { return k != deadlock })
	left := ranked[min(most, len(ranked)):]
	for _, key := range left {
		w.left.add(w.edges[key].sum)
		delete(w.edges, key)
	}
	return len(left)
}

// forget drops the nodes without edges.
func (w *Writer) forget() {
	used := make(map[trace.ThreadKey]bool)
	for key := range w.edges {
		used[key.waiter], used[key.holder] = true, true
	}
	for key := range w.nodes {
		if _, stuck := w.steps[key]; !used[key] && !stuck {
			delete(w.nodes, key)
			w.groups.forget(key)
		}
	}
}

// ranked returns the edges of some kinds: deadlocks first, then by descending waits.
func (w *Writer) ranked(selects func(kind) bool) (keys []edgeKey) {
	for key := range w.edges {
		if selects(key.kind) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b edgeKey) int {
		x, y := w.edges[a], w.edges[b]
		if a.kind == deadlock || b.kind == deadlock {
			p, q := w.steps[a.waiter], w.steps[b.waiter]
			return cmp.Or(cmp.Compare(b.kind, a.kind), cmp.Compare(p.loop, q.loop), cmp.Compare(p.number, q.number),
				strings.Compare(a.class, b.class))
		}
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.count, x.count), cmp.Compare(a.waiter, b.waiter),
			cmp.Compare(a.holder, b.holder), cmp.Compare(a.kind, b.kind), strings.Compare(a.class, b.class))
	})
	return keys
}
