package threads

import (
	"iter"

	"github.com/trcx/trcx/internal/spill"
	"github.com/trcx/trcx/trace"
)

// List has a value for each thread. With a Store, blocks of threads that have all ended are in the Store only, but for
// those that were used last. The zero List is empty, and keeps everything in memory.
type List[T any] struct {
	before trace.ThreadKey // the key before the first one
	values spill.List[T]
}

// maxEnded limits the memory of blocks whose threads have all ended, in bytes.
const maxEnded = 1 << 20

// Store keeps what does not stay in memory.
type Store interface {
	// Write keeps the text at the offset, or at a new one if that is -1. If ok is false it stays in memory.
	Write(text []byte, at int64) (offset int64, ok bool)
	// Read fills the text with what was written at the offset.
	Read(text []byte, offset int64)
}

// NewList returns a list whose first key is the one after this.
func NewList[T any](before trace.ThreadKey) List[T] { return List[T]{before: before} }

// Keep makes the list, which is empty, keep threads that have ended in the Store. Their values must have no pointers.
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

// At returns the value of the thread, which the list has. With a Store it must not be changed, and is valid until the
// next call of a method.
func (l *List[T]) At(key trace.ThreadKey) *T { return l.values.At(int(key - l.before - 1)) }

// Change returns the value of the thread, to be changed; valid as that of At. Threads up to the key are added.
func (l *List[T]) Change(key trace.ThreadKey) *T {
	for l.Last() < key {
		l.Add()
	}
	return l.values.Change(int(key - l.before - 1))
}

// End notes that the thread has ended. It is to be called once for each thread.
func (l *List[T]) End(key trace.ThreadKey) { l.values.Release(int(key - l.before - 1)) }
