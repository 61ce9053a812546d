package threadstate

import (
	"encoding/binary"
	"hash/maphash"
	"iter"
	"maps"
	"math/bits"

	"github.com/trcx/trcx/internal/digits"
)

// Table has the live threads by their ids. T is the caller's data of one thread. Pointers into a Table are valid until
// the thread is removed. The zero Table is empty.
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

// Get returns the live thread of the id, or nil.
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

// Add adds a thread whose id must not be live, and returns it: zero, or with the values of a removed thread whose
// memory is reused.
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

// Key is an id of a trace as one number, which is cheap to compare and to look up. A text of up to eight ASCII bytes,
// as nearly all ids are, is kept as these bytes, the last one on top. Any other text is a hash with the top bit set,
// which no ASCII byte has. Each process has its own seed, so that nobody can write a trace whose ids collide. A caller
// whose ids are numbers converts them.
type Key uint64

const (
	None  Key = 0                 // no id, or an empty one
	Zero  Key = '0' << 56         // "0", which agents write for no thread and no object
	Sleep Key = '-'<<48 | '1'<<56 // "-1", the object of a Thread.sleep

	hashed Key = 1 << 63
)

// seed makes the hashes differ between processes.
var seed = maphash.MakeSeed()

// KeyOf returns the Key of a text. Two texts have the same Key only if they are equal: 7 and 007 are two ids.
func KeyOf(text []byte) Key {
	if k := ShortKey(text); k.IsShort() {
		return k
	}
	return rareKey(text)
}

// ShortKey returns the Key of a text of one to eight ASCII bytes. The array must have eight bytes from the beginning of
// the text on, as an input has. For any other text it returns a Key that is not short.
//
// The code does not branch on the length, which the processor could not predict: it loads eight bytes and shifts out
// those after the text.
func ShortKey(text []byte) Key {
	n := uint(len(text))
	if n-1 >= 8 || cap(text) < 8 {
		return None
	}
	return Key(binary.LittleEndian.Uint64(text[:8]) << ((64 - 8*n) & 63))
}

// rareKey is KeyOf for a text that is long, not ASCII, or in a too short array.
func rareKey(text []byte) Key {
	if len(text) <= 8 {
		k := None
		for _, c := range text {
			k = k>>8 | Key(c)<<56
		}
		if k < hashed {
			return k
		}
	}
	return hashed | Key(maphash.Bytes(seed, text))
}

// IsShort reports whether the Key has the bytes of a text, at least one.
func (k Key) IsShort() bool { return k-1 < hashed-1 }

// Names reports whether the id names anything: agents write "0" and "-1" for nothing.
func (k Key) Names() bool { return k != None && k != Zero && k != Sleep }

// IsNumber reports whether the Key is of one to eight decimal digits.
func (k Key) IsNumber() bool { return k != None && k.NonDigits() == 0 }

// NonDigits returns 0 if all bytes of the Key, except for the zeros before the text, are decimal digits.
func (k Key) NonDigits() uint64 {
	return digits.Others(uint64(k) ^ digits.Zeros<<(bits.TrailingZeros64(uint64(k))&56))
}

// After reports whether a Key is larger than another. Of two numbers of up to eight digits, the larger one is later, as
// agents count.
func (k Key) After(other Key) bool {
	return bits.ReverseBytes64(uint64(k)) > bits.ReverseBytes64(uint64(other))
}
