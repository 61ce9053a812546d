package lru_test

import (
	"slices"
	"testing"

	"github.com/trcx/trcx/internal/lru"
)

// TestRing: at the limit values leave in the order in which they came.
func TestRing(t *testing.T) {
	ring := lru.NewRing[int](3)
	var out []int
	for value := range 10 {
		oldest, left := ring.Put(value)
		if left != (value >= 3) {
			t.Errorf("%d: one left: %v", value, left)
		}
		if left {
			out = append(out, oldest)
		}
	}
	if want := []int{0, 1, 2, 3, 4, 5, 6}; !slices.Equal(out, want) {
		t.Errorf("%v left, want %v", out, want)
	}
}
