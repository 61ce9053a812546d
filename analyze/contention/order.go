package contention

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
)

// Order is the order of the rows of tables, and how many are printed.
type Order struct {
	// By is one of Orders, where a kind may have a figure: blocked.p99. "" is the kind that a table is about.
	By string
	// Top limits the rows of a table; 0 is no limit.
	Top int
}

// Orders returns the names of the orders: the kinds, which sort by total or, with a point, by one of histogram.Figures;
// "name"; and "first", the order first seen.
func Orders() []string { return append(slices.Clone(kinds[:]), "name", "first") }

// CheckOrder returns an error unless by can be Order.By.
func CheckOrder(by string) error {
	kind, figure, dotted := strings.Cut(by, ".")
	valid := slices.Contains(Orders(), kind) && (!dotted || slices.Contains(kinds[:], kind) &&
		slices.Contains(histogram.Figures(), figure))
	if by != "" && !valid {
		return fmt.Errorf("invalid order %q: want %s, or one of the times followed by .%s", by,
			strings.Join(Orders(), ", "), strings.Join(histogram.Figures(), ", ."))
	}
	return nil
}
