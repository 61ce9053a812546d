package threads

import (
	"iter"

	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/trace"
)

// List has a value for each thread. With a Store, blocks of threads that have all ended are in the Store only, except
// the most recently used ones. The zero List is empty, and keeps everything in memory.
type List[T any] struct {
	before trace.ThreadKey // the key before the first one
	values spill.List[T]
}

// maxEnded limits the memory of blocks whose threads have all ended, in bytes.
const maxEnded = 1 << 20

// Store keeps what does not stay in memory.
type Store interface {
	// Write writes the text at the offset, or at a new one if it is -1. If ok is false, the caller keeps it in memory.
	Write(text []byte, at int64) (offset int64, ok bool)
	// Read fills the text with the bytes written at the offset.
	Read(text []byte, offset int64)
}

// NewList returns a list whose first key is the one after this.
func NewList[T any](before trace.ThreadKey) List[T] { return List[T]{before: before} }

// Keep makes the empty list keep threads that have ended in the Store. Their values must not have pointers.
func (l *List[T]) Keep(s Store) { l.values.Keep(s, maxEnded, 0) }

// Last returns the last key, from which the number of threads follows.
func (l *List[T]) Last() trace.ThreadKey { return l.before + trace.ThreadKey(l.values.Len()) }

// Keys yields the keys of the threads.
func (l *List[T]) Keys() iter.Seq[trace.ThreadKey] {
	return func(yield func(trace.ThreadKey) bool) {
		for key := l.before + 1; key <= l.Last() && yield(key); key++ {
		}
	}
}

// Add adds the next thread, with the zero value, and returns its key.
func (l *List[T]) Add() trace.ThreadKey {
	l.values.Add()
	return l.Last()
}

// At returns the value of a thread in the list. With a Store it must not be changed, and is valid until the next call
// of a method.
func (l *List[T]) At(key trace.ThreadKey) *T { return l.values.At(int(key - l.before - 1)) }

// Change returns the value of the thread for writing, valid like At's. It adds all threads up to the key.
func (l *List[T]) Change(key trace.ThreadKey) *T {
	for l.Last() < key {
		l.Add()
	}
	return l.values.Change(int(key - l.before - 1))
}

// End notes that the thread has ended. It is to be called once for each thread.
func (l *List[T]) End(key trace.ThreadKey) { l.values.Release(int(key - l.before - 1)) }
