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

// openWait is a wait whose end the path has reached. When the path leaves a thread for the one that let it continue,
// the thread waited during the path back to the beginning of its wait. Waits are nested if the other thread had waited,
// too; then the innermost wait counts, as it is the wait for the current thread.
type openWait struct {
	segment segment
	since   trace.Time
	share   int64
}

// pass adds the time that the path passes to the open waits.
func (w *walk) pass(from, to trace.Time) {
	for len(w.openWaits) > 0 && from < to {
		inner := &w.openWaits[len(w.openWaits)-1]
		if inner.since >= to {
			w.closeWait()
			continue
		}
		begin := max(inner.since, from)
		inner.share += int64(to - begin)
		to = begin
	}
}

// closeWait closes the innermost wait, whose beginning the path has reached.
func (w *walk) closeWait() {
	last := len(w.openWaits) - 1
	inner := w.openWaits[last]
	w.openWaits = w.openWaits[:last]
	if inner.share > 0 {
		w.countWait(inner.segment, inner.share)
	}
}

// countWait counts a wait.
func (w *walk) countWait(s segment, share int64) {
	key := waitKey{w.stateOf(s), w.of(s).object}
	sum := w.waits[key]
	if sum == nil {
		sum = &waited{key: key}
		w.waits[key] = sum
	}
	sum.time += share
	sum.count++
	if share > sum.most {
		sum.longest, sum.most = s, share
	}
}
