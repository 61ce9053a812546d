package contention

import (
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/stackprofile"
)

// Kind is a kind of time in which a thread does not run. Kinds are never added up: each has another remedy.
type Kind uint8

// The kinds are the states of internal/stackprofile, except that Waited includes Timed.
const (
	Blocked   = Kind(stackprofile.Blocked) // entering a monitor that another thread owns, deadlocked or not
	Waited    = Kind(stackprofile.Waited)  // in Object.wait, with a timeout or without
	Timed     = Kind(stackprofile.Timed)   // in Object.wait with a timeout above 0
	Joined    = Kind(stackprofile.Joined)  // in Thread.join
	Slept     = Kind(stackprofile.Slept)   // in Thread.sleep
	KindCount = Slept + 1
)

// Kinds are the names of the kinds in JSON and on the command line.
var Kinds = [KindCount]string(stackprofile.StateNames())

// atMonitor reports whether a thread of the kind is blocked on a monitor or waits for a notification.
func (k Kind) atMonitor() bool { return k <= Timed }

// Times are the lengths of intervals by kind, in nanoseconds.
type Times [KindCount]histogram.Distribution

// Of returns the distribution of the kind, which must not be changed.
func (t *Times) Of(kind Kind) *histogram.Distribution { return &t[kind] }

// isEmpty reports whether there are no lengths of any kind.
func (t *Times) isEmpty() bool {
	for kind := range t {
		if t[kind].Count > 0 {
			return false
		}
	}
	return true
}

// add adds the length of an interval; open, if the end of the trace cuts it off.
func (t *Times) add(kind Kind, length int64, open bool) {
	d := &t[kind]
	d.Add(length)
	if open {
		d.Open++
	}
	if kind == Timed {
		t.add(Waited, length, open)
	}
}

// Merge adds the lengths of other, which stays unchanged.
func (t *Times) Merge(other *Times) {
	for kind := range other {
		t[kind].Merge(&other[kind])
	}
}

// weight returns the total of all kinds, by which rows are ranked when some have to be left out.
func (t *Times) weight() (total uint64) {
	for _, kind := range []Kind{Blocked, Waited, Joined, Slept} {
		total = histogram.Sum(total, t[kind].Total)
	}
	return total
}
