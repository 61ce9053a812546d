package pools

import (
	"testing"

	"github.com/trcx/trcx/trace"
)

// TestLongestOfEqual: the limit also holds for intervals of equal lengths, so that a pool of threads that live one
// after the other takes time in proportion to them.
func TestLongestOfEqual(t *testing.T) {
	var all []*Interval
	for i := range 3 * maxIntervals {
		length := int64(leastSaturated)
		if i%1000 == 7 {
			length++
		}
		all = append(all, &Interval{From: 0, To: trace.Time(length), Threads: i})
	}
	kept := longest(all)
	if len(kept) != maxIntervals || kept[0].Threads != 0 {
		t.Errorf("%d intervals are kept, the first is %d; want %d, from the first on", len(kept), kept[0].Threads, maxIntervals)
	}
	longer := 0
	for _, i := range kept {
		if i.To > trace.Time(leastSaturated) {
			longer++
		}
	}
	if longer != 3 {
		t.Errorf("%d of the longer intervals are kept, want 3", longer)
	}
}
