package contention

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNth proves that nth finds the value at each index of the sorted values, and the number of smaller ones.
func TestNth(t *testing.T) {
	for seed := range uint64(300) {
		chance := rand.New(rand.NewPCG(seed, 1))
		values := make([]uint64, 1+chance.IntN(40))
		for i := range values {
			values[i] = chance.Uint64() >> chance.IntN(64)
			if chance.IntN(4) == 0 {
				values[i] = [...]uint64{0, 7, 1 << 56, unevictable}[chance.IntN(4)]
			}
		}
		sorted := slices.Sorted(slices.Values(values))
		for index, want := range sorted {
			value, smaller := nth(slices.Clone(values), index)
			if first, _ := slices.BinarySearch(sorted, want); value != want || smaller != first {
				t.Fatalf("seed %d: at %d is %d, after %d, want %d, after %d", seed, index, value, smaller, want, first)
			}
		}
	}
}
