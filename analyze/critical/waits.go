package critical

import "github.com/trcx/trcx/trace"

// waitsForSomething says of which states it is told what they waited for.
var waitsForSomething = [trace.ModelTypeCount]bool{trace.WaitingForObject: true, trace.WaitingForLock: true,
	trace.WaitingForJoin: true}

// waitKey is what threads waited for: a monitor, to enter it or to be notified, or the end of a thread.
type waitKey struct {
	state  trace.ModelType
	object uint32 // its index plus one, or 0
}

// waited is how much of a path passed while threads waited for something.
type waited struct {
	key     waitKey
	time    int64   // nanoseconds
	count   int     // of waits
	longest segment // of them, by its share of the path
	most    int64   // that share
}

// waits finds out, while a path is walked, what was waited for during its pieces. When the path leaves a thread for the
// one that let it go on, all that it passes back to the beginning of the thread's wait is time in which the thread
// waited. Waits lie inside each other, where one who is waited for has waited too; the innermost counts, since the
// thread at hand is the one that it waited for.
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

func (r *Recorder) key(s segment) waitKey { return waitKey{r.of(s).state(), r.of(s).link} }

// open begins a wait: the path has come to its end.
func (w *waits) open(key waitKey, s segment, since trace.Time) {
	w.resolved = append(w.resolved, openWait{key, s, since, 0})
}

// pass says that the path passes the time between.
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

// pop ends the innermost wait, at whose beginning the path is.
func (w *waits) pop() {
	last := len(w.resolved) - 1
	inner := w.resolved[last]
	w.resolved = w.resolved[:last]
	if inner.share > 0 {
		w.count(inner.key, inner.segment, inner.share)
	}
}

// close ends the waits that are still open.
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
