package hprof

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// maxDefinitions limits the bytes of names, classes, frames, stack traces and threads, as estimated by the costs below.
// The garbage collector may double it. A large server has 60 MB.
const maxDefinitions = 96 << 20

// The cost of one item without its text: the values, and their share of the growing tables that have them.
const (
	classCost      = 320
	frameCost      = 72
	methodCost     = 96
	traceCost      = 96
	threadCost     = 48
	nameCost       = 96
	serialCost     = 48
	suspensionCost = 160
)

// The limits of single items.
const (
	maxName      = 64 << 10 // bytes of a name, as in a class file
	maxFieldName = 64       // bytes kept of the name of a field
	maxRedefined = 100      // redefinitions of classes; each invalidates all resolved classes
	maxDepth     = 1 << 10  // superclasses of a class. HotSpot has fewer than a hundred; more are a cycle
)

// memoryLimit is the rest of maxDefinitions.
type memoryLimit struct {
	left    int
	reached []string // kinds of items that exceeded it
}

// reserve charges bytes for an item of a kind. It reports false if that exceeds the limit, and adds a finding once for
// each kind.
func (r *memoryLimit) reserve(what string, bytes int, found *findings, place trace.Place) bool {
	if bytes <= r.left {
		r.left -= bytes
		return true
	}
	if !slices.Contains(r.reached, what) {
		r.reached = append(r.reached, what)
		found.add(ruleLimit, trace.Error, place,
			"limit of %[2]d MiB for definitions reached: further %[1]s are skipped; objects are still read",
			what, maxDefinitions>>20)
	}
	return false
}
