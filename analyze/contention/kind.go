package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/stackprofile"
)

// Kind is a way in which threads do not run. Kinds are never added up, for they have different reasons.
type Kind uint8

// The kinds. They are the states that profiles tell apart, but for one thing: Waited has those of Timed, too.
const (
	Blocked   = Kind(stackprofile.Blocked) // until another thread lets go of a monitor, deadlocked or not
	Waited    = Kind(stackprofile.Waited)  // for a notification, with a timeout or without
	Timed     = Kind(stackprofile.Timed)   // those of Waited that had a timeout above 0
	Joined    = Kind(stackprofile.Joined)  // for another thread's end
	Slept     = Kind(stackprofile.Slept)   // in Thread.sleep
	KindCount = Slept + 1
)

// Kinds names them as the JSON does.
var Kinds = [KindCount]string(stackprofile.StateNames())

// Times are the lengths of segments by kind.
type Times [KindCount]histogram.Distribution

// Of is the distribution of the kind. It must not be changed.
func (t *Times) Of(kind Kind) *histogram.Distribution { return &t[kind] }

// IsEmpty says whether there are none of any kind.
func (t *Times) IsEmpty() bool {
	for kind := range t {
		if t[kind].Count > 0 {
			return false
		}
	}
	return true
}

// completed makes Waited, which had only the waits without a timeout while segments were counted, all of them.
func (t *Times) completed() { t[Waited].Merge(&t[Timed]) }

// weight is how long all that took, whatever its kind: a measure of what can be left out.
func (t *Times) weight() uint64 { return t.sum(Blocked, Waited, Joined, Slept) }

// weightSoFar is weight while segments are counted; see completed.
func (t *Times) weightSoFar() uint64 { return t.sum(Blocked, Waited, Timed, Joined, Slept) }

func (t *Times) sum(kinds ...Kind) (total uint64) {
	for _, kind := range kinds {
		total = histogram.Sum(total, t[kind].Total)
	}
	return total
}

// Merge adds what another one has, which stays as it is.
func (t *Times) Merge(other *Times) {
	for kind := range other {
		t[kind].Merge(&other[kind])
	}
}
