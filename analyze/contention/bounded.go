package contention

import (
	"math"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
)

// DefaultRows is the default limit of the rows of a table.
const DefaultRows = 20_000

// bounded is a table with a limit of rows, in the order first seen. A row that exceeds the limit evicts the lighter
// half of the others. Rows are found by a hash table with open addressing: there can be very many.
type bounded[R row] struct {
	rows   []R
	slots  []slot // the length is a power of two, at most half are in use
	limit  int
	hidden HiddenRows
	flush  func()  // is called before weights are compared, so that rows have all their time; may be nil
	evict  func(R) // is called with each evicted row; may be nil
	// unfound leaves out the hash table: no row is ever searched.
	unfound bool
}

// slot is a place of the hash table. The hash is compared before the row, which is rarely in the processor's cache.
type slot struct {
	hash uint32
	at   uint32 // the index of the row plus one, or 0
}

// row is a row of a bounded table.
type row interface {
	key() key
	// weight returns the row's time, in nanoseconds, or unevictable.
	weight() uint64
}

// key is made of the numbers that identify a row.
type key struct{ a, b uint64 }

// unevictable is the weight of a row that stays, whatever the limit.
const unevictable = math.MaxUint64

// find returns the row of the key, or nil. It is valid until the next call of add.
func (b *bounded[R]) find(k key) *R {
	if len(b.slots) == 0 {
		return nil
	}
	if at := b.slot(k).at; at != 0 {
		return &b.rows[at-1]
	}
	return nil
}

// slot returns the slot of the key, or the free one for it, with its hash.
func (b *bounded[R]) slot(k key) *slot {
	mask := uint64(len(b.slots) - 1)
	high, low := bits.Mul64(k.a^0xD6E8FEB86659FD93, k.b^0x9E3779B97F4A7C15)
	place, hash := (high^low)&mask, uint32((high^low)>>32)
	for {
		s := &b.slots[place]
		if s.at == 0 {
			s.hash = hash
			return s
		}
		if s.hash == hash && b.rows[s.at-1].key() == k {
			return s
		}
		place = (place + 1) & mask
	}
}

// add appends a row whose key is new, and returns it; it is valid until the next call.
func (b *bounded[R]) add(r R) *R {
	if len(b.rows) >= b.limit {
		b.evictHalf()
		b.limit = max(b.limit, 2*len(b.rows)) // or each further row would search in vain for others to evict
	}
	b.rows = append(b.rows, r)
	if b.unfound {
		return &b.rows[len(b.rows)-1]
	}
	if 2*len(b.rows) > len(b.slots) {
		b.slots = make([]slot, max(2*len(b.slots), 64))
		b.index()
	} else {
		b.slot(r.key()).at = uint32(len(b.rows))
	}
	return &b.rows[len(b.rows)-1]
}

// index fills the slots, which are empty.
func (b *bounded[R]) index() {
	for i, r := range b.rows {
		b.slot(r.key()).at = uint32(i + 1)
	}
}

// evictHalf evicts the lighter half of the rows; of rows of the same weight, the earlier ones.
func (b *bounded[R]) evictHalf() {
	if b.flush != nil {
		b.flush()
	}
	weights := make([]uint64, len(b.rows))
	for i, r := range b.rows {
		weights[i] = r.weight()
	}
	half := (len(weights) + 1) / 2
	heaviest, lighter := nth(weights, half-1)
	equal := half - lighter // rows of the weight heaviest to evict
	kept := b.rows[:0]
	for _, r := range b.rows {
		weight := r.weight()
		switch {
		case weight == unevictable || weight > heaviest || weight == heaviest && equal == 0:
			kept = append(kept, r)
			continue
		case weight == heaviest:
			equal--
		}
		b.hidden.add(weight)
		if b.evict != nil {
			b.evict(r)
		}
	}
	clear(b.rows[len(kept):])
	b.rows = kept
	if clear(b.slots); !b.unfound {
		b.index()
	}
}

// nth returns the value that would have the index if the values were sorted, and the number of smaller ones. It changes
// the values. It decides eight bits of the value at a time, and keeps the values that have them.
func nth(values []uint64, index int) (value uint64, smaller int) {
	for shift := 56; shift >= 0; shift -= 8 {
		var counts [1 << 8]int
		for _, v := range values {
			counts[v>>shift%(1<<8)]++
		}
		digit := uint64(0)
		for ; smaller+counts[digit] <= index; digit++ {
			smaller += counts[digit]
		}
		value |= digit << shift
		values = slices.DeleteFunc(values, func(v uint64) bool { return v>>shift%(1<<8) != digit })
	}
	return value, smaller
}

// add counts a row that is hidden.
func (h *HiddenRows) add(weight uint64) {
	h.Rows++
	h.Time = histogram.Sum(h.Time, weight)
}
