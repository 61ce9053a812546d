package blame

import (
	"time"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// WorstWindow is the second or the minute of a trace in which the longest waits ended, by their sum.
type WorstWindow struct {
	selection.Window
	Name  string // second or minute
	Total int64  // the sum of the waits, in nanoseconds
	Count int    // of the waits
}

// windowLengths are the lengths of the worst windows.
var windowLengths = [...]struct {
	name   string
	length time.Duration
}{{"second", time.Second}, {"minute", time.Minute}}

// WorstWindows returns the worst second and the worst minute of the chosen window, each only if it is shorter than the
// whole. They begin at multiples of their lengths, and are cut at the bounds of the chosen window.
func (b *Blame) WorstWindows() (all []WorstWindow) {
	since, until := b.options.Window.Since, time.Duration(b.End()-b.Start())
	if b.options.Window.Until != 0 {
		until = min(until, b.options.Window.Until)
	}
	for _, w := range windowLengths {
		if until-since <= w.length {
			continue
		}
		if worst, ok := b.worstWindow(w.length); ok {
			if worst.Since = max(worst.Since, since); b.options.Window.Until != 0 {
				worst.Until = min(worst.Until, b.options.Window.Until)
			}
			worst.Name = w.name
			all = append(all, worst)
		}
	}
	return all
}

// worstWindow returns the window of the length, which begins at a multiple of it. ok is false if there are no waits.
func (b *Blame) worstWindow(length time.Duration) (worst WorstWindow, ok bool) {
	sums, most := map[int64]sum{}, int64(-1) // by the number of the window
	for _, s := range b.forest.ends {
		end := b.forest.begin(s)
		at := int64(end-b.Start()) / int64(length)
		waits := sums[at]
		waits.total += int64(end - b.forest.from(s))
		waits.count++
		sums[at] = waits
		if most < 0 || waits.total > sums[most].total {
			most = at
		}
	}
	worst = WorstWindow{Total: sums[most].total, Count: int(sums[most].count)}
	worst.Since = time.Duration(most * int64(length))
	worst.Until = worst.Since + length
	return worst, most >= 0
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
