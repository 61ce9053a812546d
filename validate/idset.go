package validate

import (
	"hash/maphash"
	"math/bits"

	"github.com/trcx/trcx/internal/threadstate"
)

// idSet is a set of ids: a hash table of words, each with the bits of those ids that differ in their last digits only,
// since agents number in order.
type idSet struct {
	slots []idWord // a power of two of them, at least a quarter of them free
	shift uint     // a hash shifted by this is the place of a slot
	used  int      // slots that are not free
	words int      // … and have an id
	// most is how many words the set may have. A set that forgets loses the ids that came first then; any other becomes
	// full.
	most    int
	forgets bool
	order   []threadstate.Key // of a set that forgets: the keys, as they came, as a ring of most places
	oldest  int
	full    bool // an id was not added
}

// idWord is a slot: the key is 0 where it is free.
type idWord struct {
	key  threadstate.Key
	bits uint64
}

const fewestSlots = 64

func newIDSet(most int, forgets bool) idSet {
	s := idSet{most: most, forgets: forgets}
	s.resize(fewestSlots)
	return s
}

// lastDigits are the bits of an id by which the ids of one word differ: four of its last digit, two of the one before.
const lastDigits threadstate.Key = 0x0F03 << 48

// wordOf returns what the ids of one word have in common.
func wordOf(i threadstate.Key) threadstate.Key { return i &^ lastDigits }

// bitOf returns the number of the id's bit in its word.
func bitOf(i threadstate.Key) uint { return uint(i>>54&60|i>>48&3) & 63 }

// multiplier makes the hashes. It is odd, and another one in each process, so nobody can write a trace whose keys crowd
// together.
var multiplier = maphash.Bytes(maphash.MakeSeed(), nil) | 1

// slot is the slot of the key, or a free one where it would be.
func (s *idSet) slot(key threadstate.Key) *idWord {
	place := uint64(key) * multiplier >> (s.shift & 63)
	for {
		slot := &s.slots[place]
		if slot.key == key || slot.key == 0 {
			return slot
		}
		place = (place + 1) & uint64(len(s.slots)-1)
	}
}

// has says whether the set has the id.
func (s *idSet) has(i threadstate.Key) bool {
	return s.slot(wordOf(i)).bits>>bitOf(i)&1 != 0
}

// add adds the id, and says whether it was not there.
func (s *idSet) add(i threadstate.Key) bool {
	key, bit := wordOf(i), uint64(1)<<bitOf(i)
	slot := s.slot(key)
	switch {
	case slot.bits&bit != 0:
		return false
	case slot.bits == 0:
		if slot = s.admit(key); slot == nil {
			return true
		}
	}
	slot.bits |= bit
	return true
}

// remove takes the id out of the set. Its slot stays, for most ids come again.
func (s *idSet) remove(i threadstate.Key) {
	key, bit := wordOf(i), uint64(1)<<bitOf(i)
	if slot := s.slot(key); slot.bits&bit != 0 {
		if slot.bits &^= bit; slot.bits == 0 {
			s.words--
		}
	}
}

// admit makes room for a new word and returns its slot, or nil if there is none.
func (s *idSet) admit(key threadstate.Key) *idWord {
	switch {
	case !s.forgets:
		if s.words >= s.most {
			s.full = true
			return nil
		}
	case len(s.order) < s.most:
		s.order = append(s.order, key)
	default:
		s.forget(s.order[s.oldest])
		s.order[s.oldest] = key
		s.oldest = (s.oldest + 1) % s.most
	}
	if 4*s.used >= 3*len(s.slots) {
		s.resize(fewestSlots << bits.Len(uint(2*s.words/fewestSlots)))
	}
	slot := s.slot(key)
	if slot.key == 0 {
		slot.key = key
		s.used++
	}
	s.words++
	return slot
}

func (s *idSet) forget(key threadstate.Key) {
	if slot := s.slot(key); slot.bits != 0 {
		slot.bits = 0
		s.words--
	}
}

// resize puts the words into so many slots.
func (s *idSet) resize(slots int) {
	old := s.slots
	s.slots, s.shift, s.used = make([]idWord, slots), uint(64-bits.Len(uint(slots-1))), s.words
	for _, word := range old {
		if word.bits != 0 {
			*s.slot(word.key) = word
		}
	}
}
