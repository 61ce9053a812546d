package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// The limits of ProbableOwners. Times are in nanoseconds.
const (
	leastKept  = 20_000_000 // the least length of a wait that is looked at
	leastTimes = 3          // how many waits of a thread must fit
	atOnce     = 5_000_000  // how soon after a wait another thread gets the lock, or a part of the wait's length:
	partAtOnce = 20
	// partSoon is for how long a thread that let the lock go runs on: a part of the time for which it had it.
	partSoon = 5
)

// ProbableOwners returns the threads that probably held the lock, for a trace that does not show who did, the longest
// first. While such a thread slept, was in input or output or waited for something else, nobody got the lock, and a
// thread that was BLOCKED on it did as soon as that was over; or it got the lock and ran until another one got it, and
// waited for something soon after that. It did so at least three times, and seldom otherwise. A Likely one was never
// BLOCKED on the lock: perhaps it only let the owner go on. ProbableOwners returns none unless they explain half of the
// time for which threads were BLOCKED.
func (b *Blame) ProbableOwners(l *Lock) []Holder {
	turns := make([]turn, 0, len(l.ends))
	for _, end := range l.ends {
		t := turn{thread: b.recorder.Segment(trace.SegmentID(end)).Thread}
		t.from, t.to = b.blockedUpTo(end)
		turns = append(turns, t)
	}
	if len(turns) < leastTimes || b.finished.tooLong {
		return nil
	}
	slices.SortStableFunc(turns, func(x, y turn) int { return cmp.Compare(x.to, y.to) })
	queue, wanted := newQueue(turns), map[trace.ThreadKey]bool{}
	for i := range turns {
		wanted[turns[i].thread] = true
	}
	last := map[trace.Time]holding{} // by the time at which a thread got the lock
	unfit, fit := map[trace.ThreadKey]int{}, map[trace.ThreadKey]int{}
	for key := trace.ThreadKey(1); key <= b.recorder.Threads(); key++ {
		if b.OfJVM(key) {
			continue
		}
		b.eachWait(key, l.Object, func(h holding) {
			h.likely = !wanted[key]
			switch got, fits := h.fits(turns, queue); {
			case fits && last[got].to < h.to: // the wait that ended last made the thread let the lock go
				last[got] = h
			case !fits && got != 0:
				unfit[key]++
			}
		})
	}
	for i := range turns[:len(turns)-1] {
		h, left, ok := b.ranFrom(turns, i)
		if _, waited := last[h.to]; waited || !ok {
			continue
		}
		if left {
			unfit[h.thread]++
		} else {
			last[h.to] = h
		}
	}
	for _, h := range last {
		fit[h.thread]++
	}
	all, sum := []holding{}, int64(0)
	for _, h := range last {
		if fit[h.thread] >= leastTimes && 4*unfit[h.thread] <= fit[h.thread] {
			all, sum = append(all, h), histogram.Sum(sum, queue.sum(h.to)-queue.sum(h.from))
		}
	}
	if sum < l.Total/2 {
		return nil
	}
	return b.holdersOf(all, queue)
}

// eachWait calls put for the waits of the thread, from the least length on, in which it can have held the lock: not for
// the lock or its own next task, and not for a condition, which gives its lock away.
func (b *Blame) eachWait(key trace.ThreadKey, lock critical.Object, put func(holding)) {
	lives := b.finished.lives()
	for i := lives.first[key]; i < lives.first[key+1]; i++ {
		s, next := lives.segments[i], lives.next(key, i)
		if next == 0 {
			return
		}
		h := holding{key, max(lives.begin(s), b.since), min(lives.begin(next), b.until), false}
		id := trace.SegmentID(s)
		if h.to-h.from < leastKept || b.recorder.Segment(id).Type.IsBusy() || b.recorder.Idle(id) != 0 {
			continue
		}
		if object, _, _ := b.recorder.WaitOf(id); object != lock && !javaname.IsCondition(object.Class) {
			put(h)
		}
	}
}

// fits returns when a thread that was BLOCKED at the end of the wait got the lock, and whether that was at once, and
// nobody got it within the wait. The time is 0 if no thread was BLOCKED then. Turns are sorted by their ends.
func (h *holding) fits(turns []turn, queue *queue) (got trace.Time, fits bool) {
	after := func(at trace.Time) int {
		i, _ := slices.BinarySearchFunc(turns, at, func(t turn, at trace.Time) int { return cmp.Compare(t.to, at) })
		return i
	}
	next := after(h.to)
	if i := queue.index(h.to - 1); i < 0 || queue.waiting[i] == 0 || next == len(turns) {
		return 0, false
	}
	t, soon := &turns[next], max(atOnce, (h.to-h.from)/partAtOnce)
	return t.to, t.to-h.to <= soon && t.thread != h.thread && after(h.from+soon) == next
}

// ranFrom returns the time from which the thread of a turn had the lock, until another thread got it. ok is false
// unless the thread ran all the time. left reports that it also ran long after that, so it may have let the lock go
// before.
func (b *Blame) ranFrom(turns []turn, i int) (h holding, left, ok bool) {
	t, lives := &turns[i], b.finished.lives()
	h = holding{t.thread, t.to, turns[i+1].to, false}
	index, found := lives.find(t.thread, t.to)
	if !found || h.to-h.from < leastKept {
		return h, false, false
	}
	next, now := lives.next(t.thread, index), b.recorder.Segment(trace.SegmentID(lives.segments[index]))
	if next == 0 || lives.begin(next) < h.to-atOnce || !now.Type.IsBusy() {
		return h, false, false
	}
	return h, lives.begin(next)-h.to > max(atOnce, (h.to-h.from)/partSoon), true
}
