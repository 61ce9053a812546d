package contention

import (
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/stackprofile"
	"github.com/trcx/trcx/trace"
)

// Kind is a kind of time in which a thread does not run. Kinds are never added up, because each has another remedy.
type Kind uint32

// The kinds are the states of analyze/stackprofile, except that Waited includes Timed, and the parts of Blocked and
// Waited that are not at a monitor. Timed includes such parts that have a timeout.
const (
	Blocked   = Kind(stackprofile.Blocked) // for a monitor or lock that another thread owns, deadlocked or not
	Waited    = Kind(stackprofile.Waited)  // in Object.wait or LockSupport.park, or for input or output
	Timed     = Kind(stackprofile.Timed)   // the same with a timeout above 0
	Joined    = Kind(stackprofile.Joined)  // in Thread.join
	Slept     = Kind(stackprofile.Slept)   // in Thread.sleep
	Parked    = Slept + 1                  // by java.util.concurrent: a part of Blocked and Waited
	IO        = Slept + 2                  // for input or output: a part of Waited
	Init      = Slept + 3                  // for the initialisation of a class by another thread: a part of Waited
	KindCount = Slept + 4
)

// Kinds returns the names of the kinds in JSON and for users.
func Kinds() []string { return slices.Clone(kinds[:]) }

var kinds = [KindCount]string(append(stackprofile.StateNames(), "parked", "io", "init"))

// String returns the name of the kind in JSON and for users: blocked.
func (k Kind) String() string { return kinds[k] }

// Title returns the name of the kind's state for people: BLOCKED.
func (k Kind) Title() string { return stateKinds[k] }

// partOf returns the kind, Parked, IO or Init, whose times include the interval's; 0 for none.
func partOf(s *trace.Interval) Kind {
	switch {
	case s.Init:
		return Init
	case s.IO != trace.NoIO:
		return IO
	case s.Park:
		return Parked
	}
	return 0
}

// atMonitor reports whether a thread of the kind is blocked on a monitor or waits for a notification.
func (k Kind) atMonitor() bool { return k <= Timed }

// Times are the lengths of intervals by kind, in nanoseconds. A kind without lengths has no distribution, as most rows
// have one kind or two.
type Times struct {
	kinds [KindCount]*histogram.Distribution
}

// empty is the distribution of a kind without lengths.
var empty histogram.Distribution

// Of returns the distribution of the kind, which must not be changed.
func (t *Times) Of(kind Kind) *histogram.Distribution {
	if d := t.kinds[kind]; d != nil {
		return d
	}
	return &empty
}

// at returns the distribution of the kind for writing.
func (t *Times) at(kind Kind) *histogram.Distribution {
	if t.kinds[kind] == nil {
		t.kinds[kind] = new(histogram.Distribution)
	}
	return t.kinds[kind]
}

// Set sets the distribution of the kind, which the Times keep.
func (t *Times) Set(kind Kind, d *histogram.Distribution) { t.kinds[kind] = d }

// isEmpty reports whether there are no lengths of any kind.
func (t *Times) isEmpty() bool {
	for _, kind := range []Kind{Blocked, Waited, Timed, Joined, Slept} {
		if t.Of(kind).Count > 0 {
			return false
		}
	}
	return true
}

// count adds the length of an interval.
func (t *Times) count(i *interval) {
	t.add(i.kind, i.length, i.open)
	if i.part != 0 {
		t.add(i.part, i.length, i.open)
	}
}

// add adds a length; open says that the end of the trace cuts it off.
func (t *Times) add(kind Kind, length int64, open bool) {
	d := t.at(kind)
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
	for kind := range KindCount {
		if d := other.Of(kind); d.Count > 0 {
			t.at(kind).Merge(d)
		}
	}
}

// weight returns the total of all kinds, by which rows are ranked if some have to be left out.
func (t *Times) weight() (total uint64) {
	for _, kind := range []Kind{Blocked, Waited, Joined, Slept} {
		total = histogram.Sum(total, t.Of(kind).Total)
	}
	return total
}
