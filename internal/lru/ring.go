// Package lru keeps the latest values up to a limit.
//
// A Ring replaces its oldest value, a Cache drops all values when it is full. Both bound the memory of readers and
// analyses, whatever the length of a trace.
package lru

// Ring holds the last values put, up to its limit. Its memory grows with them.
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

// Cache maps keys to values of a limited total size. A value that exceeds the limit drops all others.
type Cache[K comparable, V any] struct {
	limit, size int // in the caller's unit
	values      map[K]V
}

// NewCache returns an empty Cache with a limit for the sum of the values' sizes.
func NewCache[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, values: map[K]V{}}
}

// Get returns the value of the key, and reports whether it is cached.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	value, ok = c.values[key]
	return value, ok
}

// Put adds the value of a key that is not cached.
func (c *Cache[K, V]) Put(key K, value V, size int) {
	if c.size += size; c.size > c.limit {
		c.values, c.size = map[K]V{}, size
	}
	c.values[key] = value
}
