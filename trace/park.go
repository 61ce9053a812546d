package trace

import (
	"bytes"
	"iter"
)

// GaveUp is why a thread ended its attempt to get a lock.
type GaveUp uint8

// The reasons.
const (
	NotGivenUp GaveUp = iota
	GaveUpTimeout
	GaveUpInterrupt
)

var gaveUpNames = [...]string{GaveUpTimeout: "timeout", GaveUpInterrupt: "interrupt"}

// String returns the annotation's value: timeout or interrupt.
func (g GaveUp) String() string { return gaveUpNames[g] }

// GaveUpFrom returns the reason of an annotation's value, NotGivenUp for any other text.
func GaveUpFrom(text []byte) GaveUp {
	for reason := GaveUpTimeout; reason <= GaveUpInterrupt; reason++ {
		if string(text) == gaveUpNames[reason] {
			return reason
		}
	}
	return NotGivenUp
}

// WokenThreads returns the ids in the text of Wakes, in its order. An id may be there twice.
func WokenThreads(wakes []byte) iter.Seq[ThreadID] {
	return func(yield func(ThreadID) bool) {
		for field := range bytes.SplitSeq(wakes, []byte{' '}) {
			if len(field) > 0 && !yield(ThreadFrom(field)) {
				return
			}
		}
	}
}
