package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// idleWaits are the idle waits that Options leave out.
type idleWaits struct {
	total   int64 // of the finished ones, in nanoseconds
	count   int
	ofJVM   int // waits of the JVM's own threads, in addition
	open    int
	reasons idle.Reasons              // of the finished ones
	threads map[trace.ThreadKey]int64 // of the finished ones, in nanoseconds, by the waiting thread
}

// leaveOut adds a finished wait of the length that is idle for the reason.
func (w *idleWaits) leaveOut(thread trace.ThreadKey, length int64, reason idle.Reasons) {
	if w.threads == nil {
		w.threads = map[trace.ThreadKey]int64{}
	}
	w.total = histogram.Sum(w.total, length)
	w.count++
	w.reasons |= reason
	w.threads[thread] = histogram.Sum(w.threads[thread], length)
}

// maxIdlePools limits the pools that are named.
const maxIdlePools = 3

// text names the pools whose waits are left out, the longest first; "" for none.
func (w *idleWaits) text(r *critical.Recorder) string {
	if w.count == 0 {
		return ""
	}
	totals, pools := map[string]int64{}, []string{}
	for key, total := range w.threads {
		t, _ := r.Thread(key)
		name := t.Title()
		if t.Name != "" { // a thread without a name is a pool of its own
			name = phrase.Name(threads.PoolOf(t.Name))
		}
		if _, known := totals[name]; !known {
			pools = append(pools, name)
		}
		totals[name] = histogram.Sum(totals[name], total)
	}
	slices.SortFunc(pools, func(a, b string) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), cmp.Compare(a, b))
	})
	if more := len(pools) - maxIdlePools; more > 0 {
		pools = append(pools[:maxIdlePools], phrase.Count(more, "more pool"))
	}
	return w.reasons.Sentence(phrase.List(pools, "and"), phrase.Duration(w.total)+" in "+phrase.Count(w.count, "wait"))
}
