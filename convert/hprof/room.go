package hprof

import (
	"slices"

	"github.com/trcx/trcx/trace"
)

// maxKept is how many bytes of a log are kept, as they are counted by what follows: names, classes, frames, stacks and
// threads. The collector of garbage lets it become twice as much. A large server has some 60 MB.
const maxKept = 96 << 20

// What is counted for one of each, beside its text: the values, their share of the tables that find them, and the room
// that these grow into.
const (
	classCost  = 320
	frameCost  = 48
	methodCost = 96
	traceCost  = 96
	threadCost = 48
	slotCost   = 16
	nameCost   = 32
	serialCost = 48
	heldCost   = 160
)

// The bounds of single things.
const (
	maxName      = 64 << 10 // bytes of a name: that is all that a class file can hold
	longestField = 64       // bytes that are kept of the name of a field
	maxRedefined = 100      // times that a class gets other fields, after each of which all classes are looked at anew
	maxDepth     = 1 << 10  // classes above one another. HotSpot has fewer than a hundred; more are a loop
)

// room is what may still be kept.
type room struct {
	left int
	full []string // what was not kept
}

// keep takes room for something of a kind, and says whether there is any. Once for each kind it is reported that there
// is none.
func (r *room) keep(what string, bytes int, found *findings, place trace.Place) bool {
	if bytes <= r.left {
		r.left -= bytes
		return true
	}
	if !slices.Contains(r.full, what) {
		r.full = append(r.full, what)
		found.add(ruleLimit, trace.Error, place,
			"there is no room for more %s: of the names, classes, frames, stacks and threads of a log %d MiB are "+
				"kept; objects are read on", what, maxKept>>20)
	}
	return false
}
