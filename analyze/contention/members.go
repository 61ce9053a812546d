package contention

// members is a set of numbers, for counting different ones: a table in which a number lies at the first free place from
// its hash on.
type members struct {
	places []uint32 // number plus one, or 0; a power of two of them, at most three quarters of them taken
	size   int
	last   uint32 // the number that came last, plus one
}

// mostMembers is how many numbers a set has at most; others are not counted.
const mostMembers = 1 << 16

// add adds the number, and says whether it is a new one.
func (m *members) add(number uint32) bool {
	if m.last == number+1 {
		return false
	}
	m.last = number + 1
	if 4*m.size >= 3*len(m.places) {
		m.grow()
	}
	place := m.place(number)
	if m.places[place] != 0 || m.size >= mostMembers {
		return false
	}
	m.places[place] = number + 1
	m.size++
	return true
}

// has says whether the number is in the set.
func (m *members) has(number uint32) bool {
	return len(m.places) > 0 && m.places[m.place(number)] != 0
}

// place is where the number lies, or is to lie.
func (m *members) place(number uint32) uint32 {
	mask := uint32(len(m.places) - 1)
	place := number * 0x9E3779B1 >> 7 & mask
	for m.places[place] != 0 && m.places[place] != number+1 {
		place = (place + 1) & mask
	}
	return place
}

func (m *members) grow() {
	old := m.places
	m.places = make([]uint32, max(2*len(old), 8))
	for _, taken := range old {
		if taken != 0 {
			m.places[m.place(taken-1)] = taken
		}
	}
}

// all gives the numbers, in no order.
func (m *members) all(yield func(uint32) bool) {
	for _, taken := range m.places {
		if taken != 0 && !yield(taken-1) {
			return
		}
	}
}
