package blame

import (
	"math/bits"
	"slices"

	"github.com/trcx/trcx/trace"
)

// The walk of a wait can pass a key more than once. It counts once, where it passes the key last, nearest to the root.
// So a place of a key counts the walks that begin in its subtree and end after it, but before the key's next place
// nearer to the root.
//
// The subtrees are visited in preorder. A place is then numbered by the depth of its hop on the way from the root: 2d
// for the segment, 2d+1 for the latency. Each wait has the least such number that it covers. A Fenwick tree counts the
// waits by their numbers: the difference between leaving a subtree and entering it are the waits of the subtree.

// visit is a hop on the way from the root to the current one.
type visit struct {
	segment uint32
	items   [2]item // the segment's, and the latency's
}

// item is a place of a key on the way.
type item struct {
	nearer int   // the number of the key's next place nearer to the root, or -1
	before int32 // waits between that and this place when the subtree was entered
	key    int32 // -1 for none
}

// counter counts walks.
type counter struct {
	*forest
	keys  *keys
	sums  *tally
	tree  fenwick
	way   []visit
	depth []uint32 // by segment that is covered: its depth on the way, plus one
	waits []bool   // by segment: it ended a wait
	last  []int    // by key: the number of its deepest place on the way, plus one
}

// counts counts, for each key, the waits in which it has a part, of those that the segments ended.
func (f *forest) counts(k *keys, sums *tally, flow, ends []uint32) {
	order, depth := f.preorder(flow, ends)
	deepest := int(slices.Max(depth))
	c := &counter{forest: f, keys: k, sums: sums, tree: make(fenwick, 2*deepest+3), way: make([]visit, 0, deepest),
		depth: depth, waits: make([]bool, len(f.hops))}
	for _, s := range ends {
		c.waits[s] = true
	}
	for _, s := range order {
		next := f.hops[s].next
		for len(c.way) > 0 && c.way[len(c.way)-1].segment != next {
			c.leave()
		}
		c.enter(s)
	}
	for len(c.way) > 0 {
		c.leave()
	}
}

// isCovered reports whether a wait covers a part of the segment's hop.
func (f *forest) isCovered(s uint32, flow []uint32, ended []bool) bool {
	return flow[s] > 0 || ended[s]
}

// preorder returns the segments whose hops waits cover. Each comes after the one nearer to the root and before other
// subtrees. depth has, by segment, the depth plus one, or 0 where no wait covers it.
func (f *forest) preorder(flow, ends []uint32) (order, depth []uint32) {
	ended := make([]bool, len(f.hops))
	for _, s := range ends {
		if end := f.hops[s].end; f.begin(end) > f.from(s) {
			ended[end] = true
		}
	}
	size, depth := make([]uint32, len(f.hops)), make([]uint32, len(f.hops))
	covered := 0
	for s := len(f.hops) - 1; s > 0; s-- {
		if !f.isCovered(uint32(s), flow, ended) {
			continue
		}
		covered++
		size[s]++
		if next := f.hops[s].next; next != 0 && f.isCovered(next, flow, ended) {
			size[next] += size[s]
		}
	}
	cursor, total := size, uint32(0) // a size is not needed any more once the cursor is known
	order = make([]uint32, covered)
	for s := 1; s < len(f.hops); s++ {
		n := size[s]
		if n == 0 {
			continue
		}
		f.steps++
		at := &total
		depth[s] = 1
		if next := f.hops[s].next; next != 0 && depth[next] > 0 {
			at = &cursor[next]
			depth[s] = depth[next] + 1
		}
		place := *at
		*at += n
		cursor[s] = place + 1
		order[place] = uint32(s)
	}
	return order, depth
}

// enter adds the hop of the segment to the way, and the wait that it ended.
func (c *counter) enter(s uint32) {
	c.steps++
	h, d := &c.hops[s], len(c.way)
	v := visit{segment: s, items: [2]item{{key: -1}, {key: -1}}}
	if h.next != 0 && h.at > c.begin(h.next) {
		v.items[0] = c.open(c.segmentKey(c.keys, h.next), 2*d)
	}
	if c.begin(s) > h.at {
		v.items[1] = c.open(c.keys.latency(c.recorder, trace.SegmentID(h.let)), 2*d+1)
	}
	c.way = append(c.way, v)
	if c.waits[s] {
		c.tree.add(c.leastOf(s))
	}
}

// open begins the place of a key with the number.
func (c *counter) open(key, number int) item {
	for len(c.last) <= key {
		c.last = append(c.last, 0)
	}
	i := item{key: int32(key), nearer: c.last[key] - 1}
	i.before = int32(c.between(i.nearer, number))
	c.last[key] = number + 1
	return i
}

// between returns the number of waits whose number is above the one and not above the other.
func (c *counter) between(above, upTo int) int {
	c.steps += bits.OnesCount(uint(upTo+1)) + bits.OnesCount(uint(above+1))
	return c.tree.upTo(upTo) - c.tree.upTo(above)
}

// leave takes the last hop from the way.
func (c *counter) leave() {
	d := len(c.way) - 1
	v := &c.way[d]
	for n, i := range v.items {
		if i.key >= 0 {
			c.sums.at(int(i.key)).count += int32(c.between(i.nearer, 2*d+n)) - i.before
		}
	}
	for n := len(v.items) - 1; n >= 0; n-- {
		if i := v.items[n]; i.key >= 0 {
			c.last[i.key] = i.nearer + 1
		}
	}
	c.way = c.way[:d]
}

// leastOf returns the least number that the wait covers, which the Running segment ended.
func (c *counter) leastOf(s uint32) int {
	end := c.hops[s].end
	cover, d := c.coverOf(end, c.from(s)), int(c.depth[end])-1
	switch {
	case cover.segment > 0:
		return 2 * d
	case cover.latency > 0:
		return 2*d + 1
	}
	return 2 * (d + 1) // the hop of end is not covered: it is not on the way, or d is its depth
}

// fenwick counts numbers from 0 on.
type fenwick []int32

func (t fenwick) add(number int) {
	for i := number + 1; i < len(t); i += i & -i {
		t[i]++
	}
}

// upTo returns how many numbers were added that are not above.
func (t fenwick) upTo(number int) (n int) {
	for i := number + 1; i > 0; i &= i - 1 {
		n += int(t[i])
	}
	return n
}
