// Package lru keeps the latest values up to a limit.
//
// A Ring replaces its oldest value, a Cache drops all values when it is full. Both bound the memory of readers and
// analyses, whatever the length of a trace.
package lru

// Ring holds the last values put, up to its limit. Its memory grows up to that.
type Ring[T any] struct {
	limit  int
	values []T
	oldest int
}

// NewRing returns an empty Ring with a limit of one value or more.
func NewRing[T any](limit int) *Ring[T] { return &Ring[T]{limit: limit} }

// Put adds a value. At the limit it replaces the oldest one, returns it and reports true.
func (r *Ring[T]) Put(value T) (oldest T, left bool) {
	if len(r.values) < r.limit {
		r.values = append(r.values, value)
		return oldest, false
	}
	oldest, r.values[r.oldest] = r.values[r.oldest], value
	r.oldest = (r.oldest + 1) % r.limit
	return oldest, true
}
