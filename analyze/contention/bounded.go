package contention

import (
	"math"
	"math/bits"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
)

// DefaultRows is the usual limit of rows a table.
const DefaultRows = 20_000

// bounded is a table with a limit of rows, in the order first seen. A row that exceeds the limit evicts the lighter
// half of the others. Rows are found by a hash table with open addressing: there can be very many.
type bounded[R row] struct {
	rows   []R
	slots  []uint32 // the index of a row plus one, or 0; the length is a power of two, at most half are in use
	limit  int
	hidden HiddenRows
	flush  func()  // is called before weights are compared, so that rows have all their time; may be nil
	evict  func(R) // is called with each evicted row; may be nil
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
	if at := b.slots[b.slot(k)]; at != 0 {
		return &b.rows[at-1]
	}
	return nil
}

// slot returns the slot of the key, or the free one for it.
func (b *bounded[R]) slot(k key) uint64 {
	mask := uint64(len(b.slots) - 1)
	high, low := bits.Mul64(k.a^0xD6E8FEB86659FD93, k.b^0x9E3779B97F4A7C15)
	slot := (high ^ low) & mask
	for b.slots[slot] != 0 && b.rows[b.slots[slot]-1].key() != k {
		slot = (slot + 1) & mask
	}
	return slot
}

// add appends a row whose key is new, and returns it; it is valid until the next call.
func (b *bounded[R]) add(r R) *R {
	if len(b.rows) >= b.limit {
		b.evictHalf()
		b.limit = max(b.limit, 2*len(b.rows)) // or each further row would search in vain for others to evict
	}
	b.rows = append(b.rows, r)
	if 2*len(b.rows) > len(b.slots) {
		b.slots = make([]uint32, max(2*len(b.slots), 64))
		b.index()
	} else {
		b.slots[b.slot(r.key())] = uint32(len(b.rows))
	}
	return &b.rows[len(b.rows)-1]
}

// index fills the slots, which are empty.
func (b *bounded[R]) index() {
	for i, r := range b.rows {
		b.slots[b.slot(r.key())] = uint32(i + 1)
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
	slices.Sort(weights)
	half := (len(weights) + 1) / 2
	heaviest := weights[half-1]
	first, _ := slices.BinarySearch(weights, heaviest)
	equal := half - first // rows of the weight heaviest to evict
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
	clear(b.slots)
	b.index()
}

// add counts a row that is hidden.
func (h *HiddenRows) add(weight uint64) {
	h.Rows++
	h.Time = histogram.Sum(h.Time, weight)
}
