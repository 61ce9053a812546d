package rows_test

import (
	"fmt"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/fleet/rows"
)

// Rows of many traces merge by their keys, in any order.
func ExampleSet() {
	var sum rows.Set
	for _, length := range []int64{3_000, 5_000} {
		var waits histogram.Distribution
		waits.Add(length)
		sum.Add(rows.Key{Table: rows.Class, Class: "shop/Stock", Time: "blocked"}, rows.Of(&waits))
	}
	for _, row := range sum.Sorted() {
		fmt.Println(row.Class, row.Count, row.Total, row.Min, row.Max)
	}
	// Output: shop/Stock 2 8000 3000 5000
}
