package blame

import (
	"cmp"
	"iter"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Waits iterates over the finished waits, in the order in which they ended in the trace, with the parts of each, the
// largest first. Both are valid until the next one. Each is walked by itself: a convoy's waits have many parts.
func (b *Blame) Waits() iter.Seq2[*Wait, []Part] {
	return func(yield func(*Wait, []Part) bool) {
		for s := range b.forest.finished() {
			running := b.recorder.Segment(trace.SegmentID(s))
			wait := b.waitOf(running.Previous, b.recorder.Segment(running.Previous), running.Begin)
			if !yield(&wait, b.parts(trace.SegmentID(s))) {
				return
			}
		}
	}
}

// finished iterates over the Running segments that ended the chosen waits.
func (f *forest) finished() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		odd := 0
		for s := range f.hops {
			isOdd := odd < len(f.odd) && int(f.odd[odd]) == s
			if isOdd {
				odd++
			}
			if (isOdd || f.hops[s].chosen) && !yield(uint32(s)) {
				return
			}
		}
	}
}

// parts returns the parts of the wait that the Running segment ended.
func (b *Blame) parts(s trace.SegmentID) []Part {
	k, sums := newKeys(false), tally{}
	b.forest.addParts(k, &sums, s)
	var parts []Part
	for n, sum := range sums {
		if sum.total == 0 {
			continue
		}
		parts = append(parts, Part{b.culprit(k.list[n]), sum.total})
	}
	slices.SortStableFunc(parts, func(x, y Part) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), compareCulprits(&x.Culprit, &y.Culprit))
	})
	return parts
}

// addParts walks back from the end of the wait that the Running segment ended to the wait's begin, and adds its parts.
func (f *forest) addParts(k *keys, sums *tally, s trace.SegmentID) {
	from, passed := f.from(uint32(s)), map[int]int64{}
	at := f.begin(uint32(s))
	add := func(key int, begin trace.Time) {
		if begin = max(begin, from); begin < at {
			passed[key] += int64(at - begin)
		}
	}
	seen := map[trace.SegmentID]bool{}
	for s != 0 && at > from {
		seen[s] = true
		kept := f.recorder.Segment(s)
		begin := min(kept.Begin, at)
		add(k.segment(f.recorder, s), begin)
		at = begin
		step, ok := f.recorder.Back(s, begin)
		if !ok || seen[step.Next] {
			s = kept.Previous
			continue
		}
		if step.At < at {
			add(k.latency(f.recorder, step.Let), step.At)
			at = step.At
		}
		s = step.Next
	}
	if at > from {
		passed[k.unknown()] += int64(at - from)
	}
	for key, time := range passed {
		sum := sums.at(key)
		sum.total += time
		sum.count++
	}
}
