package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// orders are the lock orders of a recording, a graph whose nodes are monitors.
type orders struct {
	known   map[pair]*order
	nodes   []*node
	made    [Supposed + 1]int // by the evidence that they began with
	dropped [Supposed + 1]uint64
}

// pair is a monitor that was held and one that was wanted.
type pair struct{ held, wanted *monitor }

// node is a monitor in the graph.
type node struct {
	*monitor
	index int
	out   []*order
	component
}

// order says that one monitor was held while another one was wanted.
type order struct {
	pair
	// tallies has what was seen, and all there is, be it seen or supposed.
	tallies [Supposed + 1]tally
}

// tally is how often something happened, with examples.
type tally struct {
	times     int
	witnesses []witness // of different threads
	gates     []Gate    // which were held every time
}

// witness is a thread that held one monitor while it wanted the other.
type witness struct {
	Block
	evidence Evidence
	by       Thread
	namedAt  trace.Time
}

const (
	// mostOrders is how many orders are kept that were seen when they first came, and how many that were supposed.
	mostOrders = 1 << 16
	// mostWitnesses is how many threads an order is known to be of: no fewer than an inversion may have orders, for
	// which it needs different ones.
	mostWitnesses = longest
	// mostGates is how many monitors are considered as gates.
	mostGates = mostHeld
)

// add notes that the thread, whose attempt to enter a monitor is over, held another one meanwhile.
func (o *orders) add(t *thread, c *claim, until trace.Time) {
	p := pair{c.monitor, t.block.monitor}
	evidence := c.evidence()
	found := o.known[p]
	if found == nil {
		if o.made[evidence] >= mostOrders {
			o.dropped[evidence]++
			return
		}
		o.made[evidence]++
		found = &order{pair: p}
		o.known[p] = found
		held := o.node(p.held)
		o.node(p.wanted)
		held.out = append(held.out, found)
	}
	gates := gatesOf(t, c)
	for e := evidence; e <= Supposed; e++ {
		found.tallies[e].add(t, c, until, gates)
	}
}

// node is the monitor's place in the graph.
func (o *orders) node(m *monitor) *node {
	if m.node == nil {
		m.node = &node{monitor: m, index: len(o.nodes)}
		o.nodes = append(o.nodes, m.node)
	}
	return m.node
}

// gatesOf is what the thread held besides, at most mostGates.
func gatesOf(t *thread, c *claim) []Gate {
	var gates []Gate
	for i := range t.block.beneath {
		if len(gates) == mostGates {
			break
		}
		if other := &t.block.beneath[i]; other.monitor != c.monitor && other.monitor != t.block.monitor {
			gates = append(gates, Gate{other.monitor.Monitor, other.evidence()})
		}
	}
	return gates
}

func (y *tally) add(t *thread, c *claim, until trace.Time, gates []Gate) {
	if y.times++; y.times == 1 {
		y.gates = gates
	} else {
		y.gates = common(y.gates, gates)
	}
	at := slices.IndexFunc(y.witnesses, func(w witness) bool { return w.Thread.Key == t.Key })
	switch {
	case at < 0 && len(y.witnesses) < mostWitnesses:
		y.witnesses = append(y.witnesses, witnessOf(t, c, until))
	case at >= 0 && c.evidence() < y.witnesses[at].evidence:
		y.witnesses[at] = witnessOf(t, c, until)
	}
}

// common are the gates of both lists, each with its weaker evidence.
func common(a, b []Gate) []Gate {
	var both []Gate
	for _, gate := range a {
		at := slices.IndexFunc(b, func(other Gate) bool { return other.Monitor.ID == gate.Monitor.ID })
		if at >= 0 {
			gate.Evidence = max(gate.Evidence, b[at].Evidence)
			both = append(both, gate)
		}
	}
	return both
}

func witnessOf(t *thread, c *claim, until trace.Time) witness {
	w := witness{Block: t.blockUntil(until), evidence: c.evidence()}
	w.Taken = c.taken
	if c.by != nil {
		w.by, w.namedAt = c.by.Thread, c.at
	}
	return w
}

// blockUntil is the thread's attempt to enter a monitor, which ends at the time.
func (t *thread) blockUntil(until trace.Time) Block {
	b := &t.block
	return Block{Thread: t.Thread, Monitor: b.monitor.Monitor, Since: b.at, Until: until, Caller: b.caller,
		Stack: b.stack}
}
