package drain

import (
	"slices"

	"github.com/trcx/trcx/agent/ring"
)

// address is where a thread stands in the JVM's memory; 0 where that is not known.
type address struct{ structure, stackLow uint64 }

// addresses finds living threads by addresses.
type addresses struct {
	structures map[uint64]*thread
	stacks     []stackRange // in ascending order, none within another
}

// stackRange is the memory from low to before high.
type stackRange struct {
	low, high uint64
	thread    *thread
}

func newAddresses() addresses { return addresses{structures: map[uint64]*thread{}} }

// learn notes where a thread stands, unless that is known. Who stood there before must have ended.
func (x *addresses) learn(t *thread, info *ring.ThreadInfo) {
	if t.structure == 0 && info.JavaThread != 0 {
		t.structure = info.JavaThread
		x.structures[t.structure] = t
	}
	if t.stackLow == 0 && info.StackLow != 0 && info.StackLow < info.StackHigh {
		t.stackLow = info.StackLow
		first, last := x.at(info.StackLow), x.at(info.StackHigh-1)
		if last < len(x.stacks) && x.stacks[last].low < info.StackHigh {
			last++
		}
		x.stacks = slices.Replace(x.stacks, first, last, stackRange{info.StackLow, info.StackHigh, t})
	}
}

// at is the index of the first stack that ends above the address.
func (x *addresses) at(address uint64) int {
	i, _ := slices.BinarySearchFunc(x.stacks, address, func(s stackRange, address uint64) int {
		if s.high > address {
			return 1
		}
		return -1
	})
	return i
}

// forget forgets where a thread stood.
func (x *addresses) forget(t *thread) {
	if x.structures[t.structure] == t {
		delete(x.structures, t.structure)
	}
	if i := x.at(t.stackLow); i < len(x.stacks) && x.stacks[i].thread == t {
		x.stacks = slices.Delete(x.stacks, i, i+1)
	}
}

// find is the thread whose structure is at the address, or whose stack is around it, or nil.
func (x *addresses) find(address uint64) *thread {
	if t := x.structures[address]; t != nil {
		return t
	}
	if i := x.at(address); i < len(x.stacks) && x.stacks[i].low <= address {
		return x.stacks[i].thread
	}
	return nil
}

// owner is the thread that the record of a ContendedEnter names as the monitor's owner, if it lives and can be that, or
// nil.
func (d *Drainer) owner(t *thread, r *ring.Record) *thread {
	var owner *thread
	switch {
	case r.Flags&ring.OwnerThread != 0:
		owner = d.threads.live[r.Argument]
	case r.Flags&ring.OwnerAddress != 0:
		owner = d.addresses.find(uint64(r.Argument))
	}
	if owner == t {
		return nil
	}
	return owner
}
