package drain

import (
	"slices"

	"github.com/trcx/trcx/agent/ring"
)

// address has the addresses of a thread in the JVM's memory: its JavaThread structure and its stack; 0 if unknown.
type address struct{ structure, stackLow uint64 }

// addresses finds live threads by their addresses. Some JVMs name a monitor's owner by one.
type addresses struct {
	structures map[uint64]*thread
	stacks     []stackRange // in ascending order, not overlapping
}

// stackRange is the memory from low to before high.
type stackRange struct {
	low, high uint64
	thread    *thread
}

func newAddresses() addresses { return addresses{structures: map[uint64]*thread{}} }

// learn keeps the addresses of a thread that are not known yet. A thread that had the same addresses must have ended.
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

// at returns the index of the first stack that ends above the address.
func (x *addresses) at(address uint64) int {
	i, _ := slices.BinarySearchFunc(x.stacks, address, func(s stackRange, address uint64) int {
		if s.high > address {
			return 1
		}
		return -1
	})
	return i
}

// forget drops the thread's addresses.
func (x *addresses) forget(t *thread) {
	if x.structures[t.structure] == t {
		delete(x.structures, t.structure)
	}
	if i := x.at(t.stackLow); i < len(x.stacks) && x.stacks[i].thread == t {
		x.stacks = slices.Delete(x.stacks, i, i+1)
	}
}

// find returns the thread whose structure is at the address, or whose stack has it, or nil.
func (x *addresses) find(address uint64) *thread {
	if t := x.structures[address]; t != nil {
		return t
	}
	if i := x.at(address); i < len(x.stacks) && x.stacks[i].low <= address {
		return x.stacks[i].thread
	}
	return nil
}

// owner returns the monitor's owner that a ContendedEnter names: another live thread, or nil.
func (d *Drainer) owner(t *thread, r *ring.Record) *thread {
	var owner *thread
	switch {
	case r.Flags&ring.OwnerThread != 0:
		owner = d.live(r.Argument)
	case r.Flags&ring.OwnerAddress != 0:
		owner = d.addresses.find(uint64(r.Argument))
	}
	if owner == t {
		return nil
	}
	return owner
}
