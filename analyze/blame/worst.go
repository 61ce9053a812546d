package blame

import (
	"time"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// WorstWindow returns the window of the length, which is a multiple of it from the trace's start, in which the longest
// waits ended, by their sum. ok is false if there are no waits.
func (b *Blame) WorstWindow(length time.Duration) (window selection.Window, ok bool) {
	sums, worst := map[int64]int64{}, int64(-1) // by the number of the window
	for _, s := range b.forest.ends {
		end := b.forest.begin(s)
		at := int64(end-b.Start()) / int64(length)
		sums[at] += int64(end - b.forest.from(s))
		if worst < 0 || sums[at] > sums[worst] {
			worst = at
		}
	}
	since := time.Duration(worst * int64(length))
	return selection.Window{Since: since, Until: since + length}, worst >= 0
}

// WorstThread returns the thread that waited longest; ok is false if there are no waits.
func (b *Blame) WorstThread() (worst critical.Thread, ok bool) {
	sums := map[trace.ThreadKey]int64{}
	for _, s := range b.forest.ends {
		key := b.recorder.Segment(trace.SegmentID(s)).Thread
		if sums[key] += int64(b.forest.begin(s) - b.forest.from(s)); worst.Key == 0 || sums[key] > sums[worst.Key] {
			worst, _ = b.recorder.Thread(key)
		}
	}
	return worst, worst.Key != 0
}
