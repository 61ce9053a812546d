// Package largest keeps the first values of an order, such as the longest calls, out of any number.
package largest

import "slices"

// List keeps the values that are first in an order, up to a limit. While values are added, it holds up to twice as
// many.
type List[T any] struct {
	Limit   int
	Compare func(a, b T) int // the order; it is not 0 for different values
	Values  []T
	Omitted int // number of values that were dropped

	cut  bool
	last T // of the values at the latest cut: values after it are not among the first
}

// Add adds a value.
func (l *List[T]) Add(value T) {
	if l.Limit <= 0 || l.cut && l.Compare(value, l.last) > 0 {
		l.Omitted++
		return
	}
	if l.Values = append(l.Values, value); len(l.Values)/2 >= l.Limit {
		l.Cut()
	}
}

// Cut drops the values beyond the limit. It must be called after the last Add.
func (l *List[T]) Cut() {
	more := len(l.Values) - max(l.Limit, 0)
	if more <= 0 {
		return
	}
	slices.SortFunc(l.Values, l.Compare)
	l.Values, l.Omitted = l.Values[:l.Limit], l.Omitted+more
	l.cut, l.last = true, l.Values[l.Limit-1]
}
