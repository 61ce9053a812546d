// Package lru keeps what came last, as much as there is room for: what is known of threads that have ended, of which
// a trace can have any number.
package lru

// Ring holds the values that were put in last, at most as many as its room. Its memory grows up to that.
type Ring[T any] struct {
	room   int
	values []T
	oldest int
}

// NewRing returns an empty Ring with room for so many values, one or more.
func NewRing[T any](room int) *Ring[T] { return &Ring[T]{room: room} }

// Put puts a value in. If there is no room for it, it takes that of the oldest one, which is returned.
func (r *Ring[T]) Put(value T) (oldest T, left bool) {
	if len(r.values) < r.room {
		r.values = append(r.values, value)
		return oldest, false
	}
	oldest, r.values[r.oldest] = r.values[r.oldest], value
	r.oldest = (r.oldest + 1) % r.room
	return oldest, true
}
