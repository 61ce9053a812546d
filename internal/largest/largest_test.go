package largest_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/trcx/trcx/internal/largest"
)

// TestLargest compares the values that are kept with the first ones of all, sorted.
func TestLargest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int{-1, 0, 1, 2, 7, 99, 100, 101, math.MaxInt} {
		all := random.Perm(100)
		list := largest.List[int]{Limit: limit, Compare: func(a, b int) int { return cmp.Compare(b, a) }}
		for _, value := range all {
			list.Add(value)
			if len(list.Values)/2 > max(limit, 0) {
				t.Fatalf("with a limit of %d the list has %d values", limit, len(list.Values))
			}
		}
		list.Cut()
		got, want := slices.Sorted(slices.Values(list.Values)), slices.Sorted(slices.Values(all))
		want = want[len(want)-min(max(limit, 0), len(want)):]
		if !slices.Equal(got, want) || list.Omitted != len(all)-len(want) {
			t.Errorf("with a limit of %d: %v and %d omitted, want %v", limit, got, list.Omitted, want)
		}
	}
}
