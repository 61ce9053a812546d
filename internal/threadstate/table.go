package threadstate

import (
	"iter"
	"maps"
)

// Table has the live threads by their ids. T is the caller's ledger of one thread. Pointers into a Table are valid
// until the thread is removed. The zero Table is empty.
type Table[T any] struct {
	live   map[Key]*T
	recent [1 << recentBits]entry[T] // a cache of live, because threads act in bursts
	free   []*T                      // of removed threads, to be used again
}

type entry[T any] struct {
	key   Key
	value *T
}

const (
	recentBits = 8
	maxFree    = 1 << 10
)

// slot returns the place of the thread in the cache.
func (t *Table[T]) slot(k Key) *entry[T] {
	return &t.recent[uint64(k)*0x9E3779B97F4A7C15>>(64-recentBits)]
}

// Get returns the thread of the id, or nil if none is live.
func (t *Table[T]) Get(k Key) *T {
	if e := t.slot(k); e.key == k {
		return e.value
	}
	return t.find(k)
}

// find is Get for a thread that is not in the cache.
func (t *Table[T]) find(k Key) *T {
	value := t.live[k]
	if value != nil {
		*t.slot(k) = entry[T]{k, value}
	}
	return value
}

// Add adds a thread, of which none may be live, and returns it: zero, or as a thread left it whose memory is used
// again.
func (t *Table[T]) Add(k Key) *T {
	if t.live == nil {
		t.live = map[Key]*T{}
	}
	var value *T
	if last := len(t.free) - 1; last >= 0 {
		value, t.free = t.free[last], t.free[:last]
	} else {
		value = new(T)
	}
	t.live[k] = value
	*t.slot(k) = entry[T]{k, value}
	return value
}

// Remove removes the thread of the id, which must be live. If reuse is true, a later Add may return its memory.
func (t *Table[T]) Remove(k Key, reuse bool) {
	value := t.live[k]
	delete(t.live, k)
	if e := t.slot(k); e.key == k {
		*e = entry[T]{}
	}
	if reuse && len(t.free) < maxFree {
		t.free = append(t.free, value)
	}
}

// Len returns how many threads are live.
func (t *Table[T]) Len() int { return len(t.live) }

// All iterates over the live threads, in no order.
func (t *Table[T]) All() iter.Seq[*T] { return maps.Values(t.live) }
