package blame

import (
	"maps"
	"slices"
	"time"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/trace"
)

// WorstWindow is the second or the minute of a trace with the most waiting time in all.
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
// window. They begin at multiples of their lengths, and are cut at the bounds of the chosen window.
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

// worstWindow returns the worst window of the length, which begins at a multiple of it. ok is false without waits.
func (b *Blame) worstWindow(length time.Duration) (worst WorstWindow, ok bool) {
	// cover is a window in which waits begin or end. all changes the number of waits that cover it and the next ones
	// wholly.
	type cover struct {
		total      int64
		count, all int
	}
	covers := map[int64]*cover{} // by the number of the window
	at := func(n int64) *cover {
		if covers[n] == nil {
			covers[n] = &cover{}
		}
		return covers[n]
	}
	add := func(n, total int64) {
		at(n).total = histogram.Sum(at(n).total, total)
		at(n).count++
	}
	for _, s := range b.finished.ends {
		begin, end := b.finished.stretch(s)
		from, to := int64(begin-b.Start()), int64(end-b.Start())
		first, last := from/int64(length), (to-1)/int64(length)
		if first == last {
			add(first, to-from)
			continue
		}
		add(first, (first+1)*int64(length)-from)
		add(last, to-last*int64(length))
		at(first+1).all++
		at(last).all--
	}
	most, all := int64(-1), 0
	for _, n := range slices.Sorted(maps.Keys(covers)) {
		all += covers[n].all
		total := histogram.Sum(covers[n].total, histogram.Product(int64(length), all))
		if most < 0 || total > worst.Total {
			most, worst.Total, worst.Count = n, total, covers[n].count+all
		}
	}
	worst.Since = time.Duration(most * int64(length))
	worst.Until = worst.Since + length
	return worst, most >= 0
}

// WorstThread returns the thread that waited longest; ok is false without waits.
func (b *Blame) WorstThread() (worst critical.Thread, ok bool) {
	sums := map[trace.ThreadKey]int64{}
	for _, s := range b.finished.ends {
		key := b.recorder.Segment(trace.SegmentID(s)).Thread
		if sums[key] = histogram.Sum(sums[key], b.finished.length(s)); worst.Key == 0 || sums[key] > sums[worst.Key] {
			worst, _ = b.recorder.Thread(key)
		}
	}
	return worst, worst.Key != 0
}
