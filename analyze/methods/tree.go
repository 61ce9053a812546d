package methods

import (
	"math"

	"github.com/trcx/trcx/analyze/histogram"
)

// tree is the call tree (calling context tree) of all threads of a recording. A node's parent has a lower number.
type tree struct {
	blocks   [][]node
	count    int32
	children map[edge]int32
	classes  int32           // the number of classes
	totals   []uint64        // number of samples of a node and the nodes below it
	waits    [][states]int64 // of the base time of nodes, what their threads did not run
}

// edge is a method below a node.
type edge struct{ parent, method int32 }

// node is a method with the calls that led to it. Times are in nanoseconds.
type node struct {
	parent, method int32
	first, next    int32 // the child that was entered last, and the next one below the parent
	below          int32 // the number of children
	open, lost     uint32
	waits          int32 // the number of its waits, from 1; 0 for none
	calls          uint64
	base           int64
	compensated    int64
	cumulative     int64
	overhead       int64
	minimum        int64 // of calls with an exit of their own; math.MaxInt64 for none
	maximum        int64 // -1 for none
}

const (
	noNode    = -1
	noMethod  = -1 // of a thread's node
	blockBits = 10
)

func (t *tree) at(i int32) *node { return &t.blocks[i>>blockBits][i&(1<<blockBits-1)] }

// add adds a time or a number to a sum, which saturates: traces may say anything.
func add[N int64 | uint64](to *N, n N) { *to = histogram.Sum(*to, n) }

// add adds a node.
func (t *tree) add(parent, method int32) int32 {
	i := t.count
	if int(i>>blockBits) == len(t.blocks) {
		t.blocks = append(t.blocks, make([]node, 1<<blockBits))
	}
	t.count++
	*t.at(i) = node{parent: parent, method: method, first: noNode, next: noNode, minimum: math.MaxInt64, maximum: -1}
	return i
}

// many is the number of children from which on a map has them.
const many = 16

// child returns the node of the method below a node.
func (t *tree) child(parent, method int32) int32 {
	p := t.at(parent)
	before := int32(noNode)
	for i := p.first; i != noNode; before, i = i, t.at(i).next {
		n := t.at(i)
		if n.method != method {
			if p.below > many {
				break
			}
			continue
		}
		if before != noNode && p.below <= many {
			t.at(before).next, n.next, p.first = n.next, p.first, i
		}
		return i
	}
	if p.below > many {
		if i, known := t.children[edge{parent, method}]; known {
			return i
		}
	}
	i := t.add(parent, method)
	t.at(i).next, p.first = p.first, i
	switch p.below++; {
	case p.below == many+1:
		if t.children == nil {
			t.children = map[edge]int32{}
		}
		for i := p.first; i != noNode; i = t.at(i).next {
			t.children[edge{parent, t.at(i).method}] = i
		}
	case p.below > many:
		t.children[edge{parent, method}] = i
	}
	return i
}

// spend adds base time, in which the thread was in the state.
func (t *tree) spend(i int32, in State, length int64) {
	n := t.at(i)
	n.base += length
	if in == Running || length == 0 {
		return
	}
	if n.waits == 0 {
		t.waits = append(t.waits, [states]int64{})
		n.waits = int32(len(t.waits))
	}
	t.waits[n.waits-1][in] += length
}
