package contention

// numberSet is a set of numbers, to count different ones: a hash table with open addressing and linear probing.
type numberSet struct {
	slots []uint32 // a number plus one, or 0; the length is a power of two, at most three quarters are in use
	size  int
	last  uint32 // the number that was added last, plus one
}

// maxNumbers limits the size of a set; further numbers are not counted.
const maxNumbers = 1 << 16

// add adds the number and reports whether it is new.
func (s *numberSet) add(number uint32) bool {
	if s.last == number+1 {
		return false
	}
	s.last = number + 1
	if 4*s.size >= 3*len(s.slots) {
		s.grow()
	}
	slot := s.slot(number)
	if s.slots[slot] != 0 || s.size >= maxNumbers {
		return false
	}
	s.slots[slot] = number + 1
	s.size++
	return true
}

// has reports whether the number is in the set.
func (s *numberSet) has(number uint32) bool { return len(s.slots) > 0 && s.slots[s.slot(number)] != 0 }

// slot returns the slot of the number, or the free one for it.
func (s *numberSet) slot(number uint32) uint32 {
	mask := uint32(len(s.slots) - 1)
	slot := number * 0x9E3779B1 >> 7 & mask
	for s.slots[slot] != 0 && s.slots[slot] != number+1 {
		slot = (slot + 1) & mask
	}
	return slot
}

func (s *numberSet) grow() {
	old := s.slots
	s.slots = make([]uint32, max(2*len(old), 8))
	for _, used := range old {
		if used != 0 {
			s.slots[s.slot(used-1)] = used
		}
	}
}

// all yields the numbers, in no order.
func (s *numberSet) all(yield func(uint32) bool) {
	for _, used := range s.slots {
		if used != 0 && !yield(used-1) {
			return
		}
	}
}
