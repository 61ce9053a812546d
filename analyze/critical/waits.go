package critical

import "github.com/trcx/trcx/trace"

// waitsForSomething has the states whose object is listed.
var waitsForSomething = [trace.ModelTypeCount]bool{trace.WaitingForObject: true, trace.WaitingForLock: true,
	trace.WaitingForJoin: true}

// waitKey identifies what threads waited for: a monitor, to enter it or to be notified, or the end of a thread.
type waitKey struct {
	state  trace.State
	object uint32 // its index plus one, or 0
}

// waited is the time that passed on a path while threads waited for something.
type waited struct {
	key     waitKey
	time    int64   // nanoseconds
	count   int     // of waits
	longest segment // of them, by its share of the path
	most    int64   // that share
}

// waits adds up, during the walk, what threads waited for meanwhile. When the path leaves a thread for the one that let
// it continue, the path back to the beginning of the thread's wait is time in which the thread waited. Waits are nested
// if a thread that is waited for had waited, too; the innermost counts, since the current thread is the one it waited
// for.
type waits struct {
	resolved []openWait
	sums     map[waitKey]*waited
}

type openWait struct {
	key     waitKey
	segment segment
	since   trace.Time
	share   int64
}

func newWaits() waits { return waits{sums: map[waitKey]*waited{}} }

func (r *Recorder) key(s segment) waitKey { return waitKey{r.stateOf(s), r.of(s).object} }

// open opens a wait, at whose end the path is.
func (w *waits) open(key waitKey, s segment, since trace.Time) {
	w.resolved = append(w.resolved, openWait{key, s, since, 0})
}

// pass adds the time that the path passes to the waits.
func (w *waits) pass(from, to trace.Time) {
	for len(w.resolved) > 0 && from < to {
		inner := &w.resolved[len(w.resolved)-1]
		if inner.since >= to {
			w.pop()
			continue
		}
		begin := max(inner.since, from)
		inner.share += int64(to - begin)
		to = begin
	}
}

// pop closes the innermost wait, at whose beginning the path is.
func (w *waits) pop() {
	last := len(w.resolved) - 1
	inner := w.resolved[last]
	w.resolved = w.resolved[:last]
	if inner.share > 0 {
		w.count(inner.key, inner.segment, inner.share)
	}
}

// close closes all waits.
func (w *waits) close() {
	for len(w.resolved) > 0 {
		w.pop()
	}
}

// count counts a wait.
func (w *waits) count(key waitKey, s segment, share int64) {
	sum := w.sums[key]
	if sum == nil {
		sum = &waited{key: key}
		w.sums[key] = sum
	}
	sum.time += share
	sum.count++
	if share > sum.most {
		sum.longest, sum.most = s, share
	}
}
