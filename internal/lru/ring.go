// Package lru keeps the latest values up to a limit: what is known of threads that have ended, of which
// a trace can have any number.
package lru

// Ring holds the values that were put in last, at most as many as its limit. Its memory grows up to that.
type Ring[T any] struct {
	limit  int
	values []T
	oldest int
}

// NewRing returns an empty Ring with a limit of one value or more.
func NewRing[T any](limit int) *Ring[T] { return &Ring[T]{limit: limit} }

// Put adds a value. At the limit it replaces the oldest one, which is returned.
func (r *Ring[T]) Put(value T) (oldest T, left bool) {
	if len(r.values) < r.limit {
		r.values = append(r.values, value)
		return oldest, false
	}
	oldest, r.values[r.oldest] = r.values[r.oldest], value
	r.oldest = (r.oldest + 1) % r.limit
	return oldest, true
}
