package deadlock

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// orders are the lock orders of a recording, a graph whose nodes are monitors.
type orders struct {
	known   map[pair]*order
	nodes   []*node
	made    [Supposed + 1]int    // orders by their first evidence
	dropped [Supposed + 1]uint64 // orders beyond the limit, by evidence
}

// pair is a monitor that a thread held and one that it wanted meanwhile.
type pair struct{ held, wanted *monitor }

// node is a monitor in the graph.
type node struct {
	*monitor
	index int
	out   []*order
	component
}

// order is a monitor that was held while another one was wanted.
type order struct {
	pair
	// tallies are by evidence: orders that were seen, and all orders.
	tallies [Supposed + 1]tally
}

// tally counts an order, with examples.
type tally struct {
	times     int
	witnesses []witness // of different threads
	gates     []Gate    // that were held every time
}

// witness is a thread that held one monitor while it wanted the other.
type witness struct {
	Block
	evidence Evidence
	by       Thread
	namedAt  trace.Time
}

const (
	// maxOrders limits the orders, for each evidence.
	maxOrders = 1 << 16
	// maxWitnesses limits the threads of an order. An inversion needs a different one for each of its orders.
	maxWitnesses = maxCycle
	// maxGates limits the gates of an order.
	maxGates = maxHeld
)

// add adds the order between the claimed monitor and the monitor that the thread was blocked on.
func (o *orders) add(t *thread, c *claim, until trace.Time) {
	p := pair{c.monitor, t.block.monitor}
	evidence := c.evidence()
	found := o.known[p]
	if found == nil {
		if o.made[evidence] >= maxOrders {
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

// node returns the monitor's node, a new one if it has none.
func (o *orders) node(m *monitor) *node {
	if m.node == nil {
		m.node = &node{monitor: m, index: len(o.nodes)}
		o.nodes = append(o.nodes, m.node)
	}
	return m.node
}

// gatesOf returns the other monitors that the thread held, at most maxGates.
func gatesOf(t *thread, c *claim) []Gate {
	var gates []Gate
	for i := range t.block.claims {
		if len(gates) == maxGates {
			break
		}
		if other := &t.block.claims[i]; other.monitor != c.monitor && other.monitor != t.block.monitor {
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
	case at < 0 && len(y.witnesses) < maxWitnesses:
		y.witnesses = append(y.witnesses, witnessOf(t, c, until))
	case at >= 0 && c.evidence() < y.witnesses[at].evidence:
		y.witnesses[at] = witnessOf(t, c, until)
	}
}

// common returns the gates in both lists, each with its weaker evidence.
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

// blockUntil returns what the thread is stuck in, as a Block that ends at the time.
func (t *thread) blockUntil(until trace.Time) Block {
	b := t.stuck()
	return Block{Thread: t.Thread, Monitor: b.monitor.Monitor, Since: b.at, Until: until, Caller: b.caller,
		Stack: b.stack, Init: t.init != nil}
}
