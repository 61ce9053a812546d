package blame

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Waits iterates over the finished waits, in the order of their ends in the trace, with the parts of each, the largest
// first. Both are valid until the next one. Each is walked by itself: a convoy's waits have many parts.
func (b *Blame) Waits() iter.Seq2[*Wait, []Part] {
	return func(yield func(*Wait, []Part) bool) {
		w := &walk{finished: b.finished, keys: newKeys(byType), sums: &tally{}, limit: math.MaxInt}
		for _, s := range b.finished.ends {
			running := b.recorder.Segment(trace.SegmentID(s))
			wait := b.waitOf(running.Previous, b.recorder.Segment(running.Previous), running.Begin)
			wait.From, wait.To = b.finished.stretch(s)
			if !yield(&wait, b.parts(w, s)) {
				return
			}
		}
	}
}

// parts follows the walk of the wait that the Running segment ended, and returns the wait's parts.
func (b *Blame) parts(w *walk, s uint32) []Part {
	w.follow(s)
	var parts []Part
	for _, n := range w.found {
		of := w.sums.at(n)
		parts = append(parts, Part{b.culprit(w.keys.list[n], w.keys.names), of.total})
		*of = sum{}
	}
	slices.SortFunc(parts, func(x, y Part) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), compareCulprits(&x.Culprit, &y.Culprit))
	})
	return parts
}
