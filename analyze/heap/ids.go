package heap

import (
	"math/bits"
	"slices"

	"github.com/trcx/trcx/internal/list"
)

// ids are the ids of objects in ascending order. HotSpot's ids are addresses: a bitmap, with a bit for each 8 bytes of
// their range, finds an object in constant time, and is smaller than the ids. Other ids are searched.
type ids struct {
	sorted []uint64 // nil with words

	lowest uint64
	words  []uint64 // a bit for each address
	before []uint32 // number of bits set before each word
	count  int
}

// granule is the distance of addresses in bytes.
const granule = 8

// newIDs returns the ids of the list, each once.
func newIDs(all *list.List[uint64]) *ids {
	lowest, highest, aligned := ^uint64(0), uint64(0), true
	for _, block := range all.Blocks {
		for _, id := range block {
			lowest, highest = min(lowest, id), max(highest, id)
		}
	}
	for _, block := range all.Blocks {
		for _, id := range block {
			aligned = aligned && (id-lowest)%granule == 0
		}
	}
	if all.Len() == 0 {
		return &ids{}
	}
	// A bitmap is only used if it is smaller than the sorted ids. So a hostile file cannot make it larger than its ids.
	if width := (highest-lowest)/granule + 1; aligned && width/64 <= uint64(all.Len()) {
		return bitmap(all, lowest, width)
	}
	sorted := slices.Concat(all.Blocks...)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	return &ids{sorted: sorted, count: len(sorted)}
}

// bitmap returns the ids as the bits of a range.
func bitmap(all *list.List[uint64], lowest, width uint64) *ids {
	x := &ids{lowest: lowest, words: make([]uint64, (width+63)/64)}
	for _, block := range all.Blocks {
		for _, id := range block {
			bit := (id - lowest) / granule
			x.words[bit/64] |= 1 << (bit % 64)
		}
	}
	x.before = make([]uint32, len(x.words))
	for i, word := range x.words {
		x.before[i] = uint32(x.count)
		x.count += bits.OnesCount64(word)
	}
	return x
}

// index returns the index of the id in ascending order.
func (x *ids) index(id uint64) (uint32, bool) {
	if x.words == nil {
		at, found := slices.BinarySearch(x.sorted, id)
		return uint32(at), found
	}
	bit := (id - x.lowest) / granule
	if id < x.lowest || (id-x.lowest)%granule != 0 || bit/64 >= uint64(len(x.words)) {
		return 0, false
	}
	word, mask := x.words[bit/64], uint64(1)<<(bit%64)
	return x.before[bit/64] + uint32(bits.OnesCount64(word&(mask-1))), word&mask != 0
}

// id returns the id at the index.
func (x *ids) id(at uint32) uint64 {
	if x.words == nil {
		return x.sorted[at]
	}
	i, found := slices.BinarySearch(x.before, at)
	if !found {
		i--
	}
	for ; x.words[i] == 0; i++ { // words without a bit have the same number before them
	}
	word := x.words[i]
	for range at - x.before[i] {
		word &= word - 1
	}
	return x.lowest + granule*(64*uint64(i)+uint64(bits.TrailingZeros64(word)))
}
