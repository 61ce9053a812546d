package critical

import "github.com/trcx/trcx/trace"

// waitsForSomething marks the states whose object is listed.
var waitsForSomething = [trace.ModelTypeCount]bool{trace.WaitingForObject: true, trace.WaitingForLock: true,
	trace.WaitingForJoin: true}

// waitKey identifies what threads waited for: to enter a monitor, to be notified at it, or the end of a thread.
type waitKey struct {
	state  trace.State
	object uint32 // its index plus one, or 0
}

// waited is the time that passed on a path while threads waited for something.
type waited struct {
	key     waitKey
	time    int64   // nanoseconds
	count   int     // of waits
	longest segment // the one with the largest share of the path
	most    int64   // the share of longest
}

// waits adds up, during the walk, what threads waited for meanwhile. When the path leaves a thread for the one that let
// it continue, the thread waited during the path back to the beginning of its wait. Waits are nested if the other
// thread had waited, too; then the innermost wait counts, as it is the wait for the current thread.
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

func (r *Recorder) key(s segment) waitKey { return waitKey{r.stateOf(s), r.of(s).object} }

// open opens a wait whose end the path has reached.
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

// pop closes the innermost wait, whose beginning the path has reached.
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
