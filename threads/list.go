package threads

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/trcx/trcx/internal/tempfile"
	"github.com/trcx/trcx/trace"
)

// List has a value for each thread. With a Store, blocks of threads that have all ended are in the Store only, but for
// those that were used last. The zero List is empty, and keeps everything in memory.
type List[T any] struct {
	before trace.ThreadKey // the key before the first one
	blocks []block[T]
	size   int
	store  Store
	ended  []int // the blocks in memory whose threads have all ended, in the order in which they ended or were loaded
}

// block has the values of threads of consecutive keys.
type block[T any] struct {
	values *[blockSize]T // nil if the block is in the Store only
	offset int64         // in the Store, or Nowhere
	living int           // threads that have not ended, and places for others
	dirty  bool          // it differs from the Store's
}

const (
	blockSize = 64
	// maxEnded limits the blocks in memory whose threads have all ended, in bytes.
	maxEnded = 1 << 20
)

// Store keeps what does not stay in memory.
type Store interface {
	// Write keeps the text at the offset, or at a new one if that is Nowhere. If ok is false it stays in memory.
	Write(text []byte, at int64) (offset int64, ok bool)
	// Read fills the text with what was written at the offset.
	Read(text []byte, offset int64)
}

// Nowhere is the offset of what has not been written.
const Nowhere = -1

// NewList returns a list whose first key is the one after this.
func NewList[T any](before trace.ThreadKey) List[T] { return List[T]{before: before} }

// Keep makes the list keep threads that have ended in the Store. Their values must have no pointers.
func (l *List[T]) Keep(s Store) {
	if t := reflect.TypeFor[T](); hasPointers(t) {
		panic("threads: values with pointers, such as " + t.String() + ", cannot be kept in a Store")
	}
	l.store = s
}

// hasPointers reports whether values of the type refer to other memory.
func hasPointers(t reflect.Type) bool {
	switch kind := t.Kind(); {
	case kind == reflect.Array:
		return hasPointers(t.Elem())
	case kind == reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return kind > reflect.Complex128
	}
}

// Last returns the last key, from which the number of threads follows.
func (l *List[T]) Last() trace.ThreadKey { return l.before + trace.ThreadKey(l.size) }

// Keys yields the keys of the threads.
func (l *List[T]) Keys() iter.Seq[trace.ThreadKey] {
	return func(yield func(trace.ThreadKey) bool) {
		for key := l.before + 1; key <= l.Last() && yield(key); key++ {
		}
	}
}

// Add adds the next thread, with the zero value, and returns its key.
func (l *List[T]) Add() trace.ThreadKey {
	if l.size%blockSize == 0 {
		l.blocks = append(l.blocks, block[T]{new([blockSize]T), Nowhere, blockSize, true})
	}
	l.size++
	return l.Last()
}

// At returns the value of the thread, which the list has. With a Store it must not be changed, and is valid until the
// next call of a method.
func (l *List[T]) At(key trace.ThreadKey) *T {
	at := key - l.before - 1
	if values := l.blocks[at/blockSize].values; values != nil {
		return &values[at%blockSize]
	}
	return &l.load(int(at / blockSize))[at%blockSize]
}

// Change returns the value of the thread, to be changed; valid as that of At. Threads up to the key are added.
func (l *List[T]) Change(key trace.ThreadKey) *T {
	for l.Last() < key {
		l.Add()
	}
	value := l.At(key)
	l.blocks[(key-l.before-1)/blockSize].dirty = true
	return value
}

// End notes that the thread has ended. It is to be called once for each thread.
func (l *List[T]) End(key trace.ThreadKey) {
	number := int(key-l.before-1) / blockSize
	if b := &l.blocks[number]; b.living > 1 {
		b.living--
	} else {
		b.living = 0
		l.enter(number)
	}
}

// enter notes that a block whose threads have all ended is in memory, and evicts the oldest one beyond the limit.
func (l *List[T]) enter(number int) {
	if l.store == nil {
		return
	}
	l.ended = append(l.ended, number)
	if len(l.ended)*int(unsafe.Sizeof([blockSize]T{})) <= maxEnded {
		return
	}
	b := &l.blocks[l.ended[0]]
	if b.dirty {
		var ok bool
		b.offset, ok = l.store.Write(tempfile.BytesOf(b.values), b.offset)
		b.dirty = !ok
	}
	if !b.dirty {
		b.values = nil
		l.ended = append(l.ended[:0], l.ended[1:]...)
	}
}

// load reads a block.
func (l *List[T]) load(number int) *[blockSize]T {
	b := &l.blocks[number]
	b.values = new([blockSize]T)
	l.store.Read(tempfile.BytesOf(b.values), b.offset)
	values := b.values
	l.enter(number)
	return values
}
