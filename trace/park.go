package trace

import (
	"bytes"
	"iter"
)

// GaveUp is why a thread ended its attempt to get a lock.
type GaveUp uint8

// The reasons.
const (
	_ GaveUp = iota
	GaveUpTimeout
	GaveUpInterrupt
)

var gaveUpNames = [...]string{GaveUpTimeout: "timeout", GaveUpInterrupt: "interrupt"}

// String returns the annotation's value: timeout or interrupt.
func (g GaveUp) String() string { return gaveUpNames[g] }

// Woken iterates over the ids in Wakes, in its order. An id may be there twice.
func (k *Known) Woken() iter.Seq[ThreadID] {
	return func(yield func(ThreadID) bool) {
		for field := range bytes.SplitSeq(k.Wakes, []byte{' '}) {
			if len(field) > 0 && !yield(ThreadFrom(field)) {
				return
			}
		}
	}
}
