package lru

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
