// Package spill has a list whose values do not all stay in memory.
package spill

import (
	"reflect"
	"unsafe"
)

// List is a sequence of values in blocks. With a Store, blocks whose values have all been released are only in the
// Store, except for the most recently used ones. The zero List is empty, and keeps everything in memory.
type List[T any] struct {
	blocks []block[T]
	size   int
	bits   int // the logarithm of the number of values in a block
	store  Store
	limit  int   // of loaded
	loaded []int // the released blocks in memory, in the order in which they were released or loaded
	free   [][]T // the memory of evicted blocks, except the latest, whose values callers may still use
}

type block[T any] struct {
	values []T   // nil if the block is in the Store only
	offset int64 // in the Store, or nowhere
	held   int   // values that are not released, and free places
	dirty  bool  // it differs from the copy in the Store
}

const (
	// blockBits is the default of List.bits. A value that is held keeps its block in memory, so blocks are small.
	blockBits = 6
	// valid is the number of blocks that are loaded before the memory of an evicted block is reused.
	valid = 64
	// nowhere is the offset of a block that has not been written.
	nowhere = -1
)

// Store keeps blocks that do not stay in memory.
type Store interface {
	// Write stores the text at the offset, or at a new one if that is -1. If ok is false, the text stays in memory.
	Write(text []byte, at int64) (offset int64, ok bool)
	// Read fills the text with what was written at the offset.
	Read(text []byte, offset int64)
}

// Keep makes the list keep released values in the Store, except for that number of bytes. Values must have no pointers.
// A block has 2^bits values; 0 is the default. The list must be empty.
func (l *List[T]) Keep(s Store, bytes, bits int) {
	if t := reflect.TypeFor[T](); hasPointers(t) {
		panic("spill: values with pointers, such as " + t.String() + ", cannot be kept in a Store")
	}
	if l.bits = bits; bits == 0 {
		l.bits = blockBits
	}
	l.store, l.limit = s, max(bytes/int(reflect.TypeFor[T]().Size())>>l.bits, 1)
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

// Len returns the number of values.
func (l *List[T]) Len() int { return l.size }

// Add appends the zero value.
func (l *List[T]) Add() *T {
	if l.size == len(l.blocks)<<l.bits {
		if l.bits == 0 {
			l.bits = blockBits
		}
		values := l.newBlock()
		clear(values)
		l.blocks = append(l.blocks, block[T]{values, nowhere, 1 << l.bits, true})
	}
	l.size++
	return &l.blocks[len(l.blocks)-1].values[(l.size-1)&(1<<l.bits-1)]
}

// Put appends a value that need not stay in memory.
func (l *List[T]) Put(value T) *T {
	put := l.Add()
	*put = value
	l.Release(l.size - 1)
	return put
}

// At returns the value of the index, from 0 on. With a Store it must not be changed, and is valid until values of 64
// other blocks have been loaded.
func (l *List[T]) At(i int) *T {
	if values := l.blocks[i>>l.bits].values; values != nil {
		return &values[i&(1<<l.bits-1)]
	}
	return l.loadedAt(i)
}

// loadedAt is At for a value whose block is in the Store only.
//
//go:noinline
func (l *List[T]) loadedAt(i int) *T { return &l.load(i >> l.bits)[i&(1<<l.bits-1)] }

// Change returns the value of the index for a change. It is valid as long as a value of At.
func (l *List[T]) Change(i int) *T {
	value := l.At(i)
	l.blocks[i>>l.bits].dirty = true
	return value
}

// Release notes that a value need not stay in memory. It is to be called once for each value.
func (l *List[T]) Release(i int) {
	b := &l.blocks[i>>l.bits]
	if b.held--; b.held == 0 {
		l.enter(i >> l.bits)
	}
}

// enter notes that a released block is in memory, and evicts the oldest one beyond the limit.
func (l *List[T]) enter(number int) {
	if l.store == nil {
		return
	}
	l.loaded = append(l.loaded, number)
	if len(l.loaded) <= l.limit {
		return
	}
	b := &l.blocks[l.loaded[0]]
	if b.dirty {
		var ok bool
		b.offset, ok = l.store.Write(bytesOf(b.values), b.offset)
		b.dirty = !ok
	}
	if !b.dirty {
		l.free = append(l.free, b.values)
		b.values, l.loaded = nil, l.loaded[1:]
	}
}

// newBlock returns the memory for a block, with any values.
func (l *List[T]) newBlock() []T {
	if len(l.free) < valid {
		return make([]T, 1<<l.bits)
	}
	values := l.free[0]
	l.free = append(l.free[:0], l.free[1:]...)
	return values
}

// load reads a block. If that fails, its values are zero, and the Store has the error.
func (l *List[T]) load(number int) []T {
	values := l.newBlock()
	l.store.Read(bytesOf(values), l.blocks[number].offset)
	l.blocks[number].values = values
	l.enter(number)
	return values
}

// bytesOf returns the memory of the values of a block, to be written and read by the same process.
func bytesOf[T any](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(values[0])))
}
