package contention

// numberSet is a set of numbers, to count different ones. Most sets have one number, and need no table.
type numberSet struct {
	*numbers
	last uint32 // the number that was added last, plus one; without a table the only one
}

// numbers is a hash table with open addressing and linear probing.
type numbers struct {
	slots []uint32 // a number plus one, or 0; the length is a power of two, at most three quarters are in use
	size  int
}

// maxNumbers limits the size of a set; further numbers are not counted.
const maxNumbers = 1 << 16

// add adds the number and reports whether it is new.
func (s *numberSet) add(number uint32) bool {
	if s.last == number+1 {
		return false
	}
	if s.numbers == nil && !s.addTable(number) {
		return true
	}
	s.last = number + 1
	n := s.numbers
	if 4*n.size >= 3*len(n.slots) {
		n.grow()
	}
	slot := n.slot(number)
	if n.slots[slot] != 0 || n.size >= maxNumbers {
		return false
	}
	n.slots[slot] = number + 1
	n.size++
	return true
}

// addTable adds the number if the set is empty; else it adds a table, which is not full, with the set's only number. It
// reports whether it added a table.
func (s *numberSet) addTable(number uint32) bool {
	if s.last == 0 {
		s.last = number + 1
		return false
	}
	s.numbers = &numbers{size: 1}
	s.grow()
	s.slots[s.slot(s.last-1)] = s.last
	return true
}

// len returns the number of numbers.
func (s *numberSet) len() int {
	switch {
	case s.numbers != nil:
		return s.size
	case s.last != 0:
		return 1
	}
	return 0
}

// has reports whether the number is in the set.
func (s *numberSet) has(number uint32) bool {
	if s.numbers == nil {
		return s.last == number+1
	}
	return s.slots[s.slot(number)] != 0
}

// all yields the numbers, in no order.
func (s *numberSet) all(yield func(uint32) bool) {
	if s.numbers == nil {
		if s.last != 0 {
			yield(s.last - 1)
		}
		return
	}
	for _, used := range s.slots {
		if used != 0 && !yield(used-1) {
			return
		}
	}
}

// slot returns the slot of the number, or the free one for it.
func (s *numbers) slot(number uint32) uint32 {
	mask := uint32(len(s.slots) - 1)
	slot := number * 0x9E3779B1 >> 7 & mask
	for s.slots[slot] != 0 && s.slots[slot] != number+1 {
		slot = (slot + 1) & mask
	}
	return slot
}

func (s *numbers) grow() {
	old := s.slots
	s.slots = make([]uint32, max(2*len(old), 8))
	for _, used := range old {
		if used != 0 {
			s.slots[s.slot(used-1)] = used
		}
	}
}
