package histogram_test

import (
	"fmt"
	"time"

	"github.com/trcx/trcx/analyze/histogram"
)

// Distributions of several traces merge.
func ExampleDistribution() {
	var first, second histogram.Distribution
	for i := range 90 {
		first.Add(int64(time.Duration(i+1) * time.Millisecond))
	}
	for range 10 {
		second.Add(int64(2 * time.Second))
	}
	first.Merge(&second)
	fmt.Println(first.Count, time.Duration(first.Percentile(50)).Round(time.Millisecond), time.Duration(first.Max))
	// Output: 100 50ms 2s
}
