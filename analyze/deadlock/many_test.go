package deadlock_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/trace"
)

// recording gives a Finder events, a nanosecond apart.
type recording struct {
	*deadlock.Finder
	at trace.Time
}

func ref(key int) trace.ThreadRef { return trace.ThreadRef{Key: trace.ThreadKey(key)} }

func (r *recording) event(typ trace.ModelType, thread, object, other int) {
	r.at++
	e := trace.ModelEvent{Type: typ, Thread: ref(thread), Time: r.at, Other: ref(other)}
	if object > 0 {
		e.Object = trace.ObjectFrom([]byte(strconv.Itoa(object)))
	}
	r.Put(&e)
}

func (r *recording) starts(threads int) {
	for key := range threads {
		r.Put(&trace.ModelThread{Key: trace.ThreadKey(key + 1)})
	}
}

// loops is the report of a recording of pairs of deadlocked threads.
func loops(pairs int) *deadlock.Report {
	r := &recording{Finder: deadlock.NewFinder()}
	r.starts(2 * pairs)
	for a := 1; a < 2*pairs; a += 2 {
		r.event(trace.WaitingForLock, a, a, a+1)
		r.event(trace.WaitingForLock, a+1, a+1, a)
	}
	for a := 1; a < 2*pairs; a += 2 {
		r.event(trace.DeadLock, a, a, a+1)
		r.event(trace.DeadLock, a+1, a+1, a)
		r.Put(&trace.DeadlockLoop{Time: r.at, Threads: []trace.ThreadRef{ref(a), ref(a + 1)}})
	}
	r.Put(&trace.Summary{})
	return r.Report()
}

// TestManyLoops: the waiters are collected once and not for each loop, which would take memory for all threads each
// time.
func TestManyLoops(t *testing.T) {
	taken := func(pairs int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if got := len(loops(pairs).Deadlocks); got != pairs {
			t.Fatalf("%d deadlocks of %d", got, pairs)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(pairs)
	}
	if few, many := taken(100), taken(2000); many > 3*few {
		t.Errorf("a loop takes %.0f bytes where there are 100 and %.0f where there are 2000", few, many)
	}
}

// TestManyJoiners: all threads that join a deadlocked one are stuck, but not those that have stopped waiting.
func TestManyJoiners(t *testing.T) {
	const joiners = 5000
	r := &recording{Finder: deadlock.NewFinder()}
	r.starts(joiners + 2)
	for key := 3; key <= joiners+2; key++ {
		r.event(trace.WaitingForJoin, key, 0, 1)
	}
	for key := 3; key <= joiners+2; key += 2 {
		r.event(trace.Running, key, 0, 0)
	}
	for _, typ := range []trace.ModelType{trace.WaitingForLock, trace.DeadLock} {
		r.event(typ, 1, 8, 2)
		r.event(typ, 2, 7, 1)
	}
	r.Put(&trace.DeadlockLoop{Threads: []trace.ThreadRef{ref(1), ref(2)}})
	r.Put(&trace.Summary{})
	d := r.Report().Deadlocks[0]
	if len(d.Stuck) != 1000 || len(d.Stuck)+d.More != joiners/2 || d.Stuck[999].Thread.Key != 2*1000+2 ||
		!d.Stuck[0].Joins {
		t.Errorf("%d threads are listed as stuck, the last %v, and %d more; want 1000 and %d", len(d.Stuck),
			d.Stuck[len(d.Stuck)-1].Thread.Key, d.More, joiners/2-1000)
	}
}

// TestManyClaims: if a blocked thread is found to hold more and more monitors, a limited number is kept, and the others
// are counted.
func TestManyClaims(t *testing.T) {
	const claims = 1000
	r := &recording{Finder: deadlock.NewFinder()}
	r.starts(3)
	r.event(trace.WaitingForLock, 1, 9, 3)
	for object := 100; object < 100+claims; object++ {
		r.event(trace.WaitingForLock, 2, object, 1)
	}
	if held, claims := r.Most(); held != deadlock.MaxHeld || claims != deadlock.MaxClaims {
		t.Errorf("%d held monitors and %d claims are kept, want %d and %d", held, claims, deadlock.MaxHeld,
			deadlock.MaxClaims)
	}
	r.event(trace.Running, 1, 0, 0)
	r.Put(&trace.Summary{})
	if left := r.Report().Omitted[deadlock.Seen].Orders; left != claims-deadlock.MaxClaims {
		t.Errorf("%d orders are said to be left out, want %d", left, claims-deadlock.MaxClaims)
	}
}

// TestManyHeld: a thread that blocks others, each on another monitor, is kept with no more monitors than the
// limit, but all the others are stuck.
func TestManyHeld(t *testing.T) {
	const threads = 500
	r := &recording{Finder: deadlock.NewFinder()}
	r.starts(threads + 3)
	for key := 3; key < 3+threads; key++ {
		r.event(trace.WaitingForLock, key, 100+key, 1)
	}
	for _, typ := range []trace.ModelType{trace.WaitingForLock, trace.DeadLock} {
		r.event(typ, 1, 8, 2)
		r.event(typ, 2, 7, 1)
	}
	if held, claims := r.Most(); held != deadlock.MaxHeld || claims > deadlock.MaxClaims {
		t.Errorf("%d held monitors and %d claims are kept, want %d and no more than %d", held, claims,
			deadlock.MaxHeld, deadlock.MaxClaims)
	}
	r.Put(&trace.DeadlockLoop{Threads: []trace.ThreadRef{ref(1), ref(2)}})
	r.Put(&trace.Summary{})
	if d := r.Report().Deadlocks[0]; len(d.Stuck) != threads || d.More != 0 {
		t.Errorf("%d threads are stuck, and %d more, want %d", len(d.Stuck), d.More, threads)
	}
}

// TestTheDeadHoldNothing: a dead thread does not even hold monitors beyond the limit of those that are kept.
func TestTheDeadHoldNothing(t *testing.T) {
	const threads = 100
	r := &recording{Finder: deadlock.NewFinder()}
	r.starts(threads + 1)
	for key := 2; key < 2+threads; key++ {
		r.event(trace.WaitingForLock, key, 100+key, 1)
	}
	r.event(trace.Dead, 1, 0, 0)
	for key := 2; key < 2+threads; key++ {
		r.event(trace.Running, key, 0, 0)
	}
	for object := range 5000 { // the monitors that nobody holds are forgotten
		r.event(trace.Notify, 2, 1000+object, 0)
	}
	if known, monitors := r.Known(); known != threads || monitors > 3000 {
		t.Errorf("%d threads and %d monitors are known", known, monitors)
	}
	r.Put(&trace.Summary{})
	if report := r.Report(); len(report.Deadlocks)+len(report.Inversions) > 0 {
		t.Error(told(report))
	}
}
