package validate

import (
	"hash/maphash"
	"math/bits"

	"github.com/trcx/trcx/internal/threadstate"
)

// idSet is a set of ids: a hash table of words. A word has a bit for each id that differs only in the last two digits,
// because agents number in sequence.
type idSet struct {
	slots []idWord // their number is a power of two; at least a quarter is free
	shift uint     // a hash shifted by this is the index of a slot
	used  int      // slots with a key
	words int      // slots with a key and at least one id
	// max is the limit of words. Beyond it, a set that forgets drops its oldest ids; other sets are full.
	max     int
	forgets bool
	// in a set that forgets: the keys in the order of arrival, a ring buffer of max entries
	order  []threadstate.Key
	oldest int
	full   bool // an id was not added
}

// idWord is a slot; the key is 0 if it is free.
type idWord struct {
	key  threadstate.Key
	bits uint64
}

const minSlots = 64

func newIDSet(limit int, forgets bool) idSet {
	s := idSet{max: limit, forgets: forgets}
	s.resize(minSlots)
	return s
}

// lastDigits masks the bits in which the ids of one word differ: four bits of the last digit, two of the one before.
const lastDigits threadstate.Key = 0x0F03 << 48

// wordOf returns the bits that the ids of one word have in common.
func wordOf(i threadstate.Key) threadstate.Key { return i &^ lastDigits }

// bitOf returns the number of the id's bit in its word.
func bitOf(i threadstate.Key) uint { return uint(i>>54&60|i>>48&3) & 63 }

// multiplier makes the hashes. It is odd, and differs between processes, so that nobody can write a trace whose keys
// collide.
var multiplier = maphash.Bytes(maphash.MakeSeed(), nil) | 1

// slot returns the slot of the key, or the free slot where it would go.
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

// has reports whether the set has the id.
func (s *idSet) has(i threadstate.Key) bool {
	return s.slot(wordOf(i)).bits>>bitOf(i)&1 != 0
}

// add adds the id, and reports whether the set did not have it.
func (s *idSet) add(i threadstate.Key) bool {
	key, bit := wordOf(i), uint64(1)<<bitOf(i)
	slot := s.slot(key)
	switch {
	case slot.bits&bit != 0:
		return false
	case slot.bits == 0:
		if slot = s.addWord(key); slot == nil {
			return true
		}
	}
	slot.bits |= bit
	return true
}

// remove removes the id. Its slot is kept, because most ids are added again.
func (s *idSet) remove(i threadstate.Key) {
	key, bit := wordOf(i), uint64(1)<<bitOf(i)
	if slot := s.slot(key); slot.bits&bit != 0 {
		if slot.bits &^= bit; slot.bits == 0 {
			s.words--
		}
	}
}

// addWord adds a word without ids and returns its slot, or nil if the set is full.
func (s *idSet) addWord(key threadstate.Key) *idWord {
	switch {
	case !s.forgets:
		if s.words >= s.max {
			s.full = true
			return nil
		}
	case len(s.order) < s.max:
		s.order = append(s.order, key)
	default:
		s.forget(s.order[s.oldest])
		s.order[s.oldest] = key
		s.oldest = (s.oldest + 1) % s.max
	}
	if 4*s.used >= 3*len(s.slots) {
		s.resize(minSlots << bits.Len(uint(2*s.words/minSlots)))
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

// resize moves the words into a table of that number of slots.
func (s *idSet) resize(slots int) {
	old := s.slots
	s.slots, s.shift, s.used = make([]idWord, slots), uint(64-bits.Len(uint(slots-1))), s.words
	for _, word := range old {
		if word.bits != 0 {
			*s.slot(word.key) = word
		}
	}
}
