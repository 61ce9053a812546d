package contention

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/trace"
)

// evaluation is the memory of evaluate, countNow and compact.
type evaluation struct {
	owners  []seenOwner // by the trace.ThreadKey
	base    uint64      // positions of the log count from here on
	first   int         // the index in holders.found of the first sum of the current evaluation
	open    []int32     // intervals that are open at the current part, by their begin: a Fenwick tree
	begins  []int32     // intervals by their begin
	elapsed []int64     // the lengths of all parts before each, nanoseconds
}

// seenOwner is an owner in the current evaluation.
type seenOwner struct {
	mark uint64 // base plus the position of the owner's last part plus one; older if it has had none
	sum  int32  // the index in holders.found of its sum
}

// seen returns the owner as it is seen in the current evaluation.
func (v *evaluation) seen(owner trace.ThreadKey) *seenOwner {
	if missing := int(owner) + 1 - len(v.owners); missing > 0 {
		v.owners = append(v.owners, make([]seenOwner, missing)...)
	}
	return &v.owners[owner]
}

// sumOf returns the owner's sum, which is one of found from the index first on.
func (h *holders) sumOf(number trace.ObjectKey, owner trace.ThreadKey) *holding {
	seen := h.seen(owner)
	if at := int(seen.sum); at < h.first || at >= len(h.found) || h.found[at].owner != owner {
		seen.sum = int32(len(h.found))
		h.found = append(h.found, holding{number: number, owner: owner})
	}
	return &h.found[seen.sum]
}

// last returns the position of the owner's last part, or -1 if it has had none.
func (v *evaluation) last(owner trace.ThreadKey) int {
	if seen := v.seen(owner); seen.mark > v.base {
		return int(seen.mark-v.base) - 1
	}
	return -1
}

// countNow counts the interval, which is that of the waiter or a part of it.
func (h *holders) countNow(w *waiter, l *ownerLog, i *trace.Interval, number trace.ObjectKey) {
	h.first = len(h.found)
	skip, keep := int64(i.Time-w.since), i.Length()
	var sum *holding
	run := int64(0)
	for _, parts := range [...][]hold{w.before, l.parts[w.begin:w.end], {w.after}} {
		for p := range parts {
			p := &parts[p]
			length := min(p.length-min(skip, p.length), keep)
			skip, keep = max(skip-p.length, 0), keep-length
			if length == 0 {
				continue
			}
			if sum == nil || sum.owner != p.owner {
				sum, run = h.ownSum(number, p.owner), 0
			}
			run += length
			sum.Total += uint64(length)
			sum.addRun(run, p.last)
		}
	}
}

// ownSum is sumOf for the few owners of one interval.
func (h *holders) ownSum(number trace.ObjectKey, owner trace.ThreadKey) *holding {
	for i := len(h.found) - 1; i >= h.first; i-- {
		if h.found[i].owner == owner {
			return &h.found[i]
		}
	}
	h.found = append(h.found, holding{number: number, owner: owner, Tally: Tally{Count: 1}})
	return &h.found[len(h.found)-1]
}

// evaluate counts the finished intervals of the log, all in one pass over its parts.
func (h *holders) evaluate(l *ownerLog) {
	if len(l.finished) == 0 {
		return
	}
	slices.SortFunc(l.finished, func(a, b finished) int { return cmp.Compare(a.end, b.end) })
	h.prepare(l)
	h.first = len(h.found)
	ended, covering := 0, 0
	var current run
	for at := range len(l.parts) + 1 {
		for ; ended < len(l.finished) && l.finished[ended].end == at; ended++ {
			f := &l.finished[ended]
			h.endRun(l, current, at, f.begin)
			h.addExtra(l, f)
			h.add(f.begin, -1)
			covering--
		}
		if at == len(l.parts) {
			break
		}
		p := &l.parts[at]
		if p.owner != current.owner || at == 0 {
			h.endRun(l, current, at, -1)
			current = run{owner: p.owner, begin: at}
		}
		if p.last.Method != nil {
			current.last = p.last
		}
		if n := int(h.begins[at]); n > 0 {
			h.add(at, n)
			covering += n
		}
		if covering > 0 {
			sum := h.sumOf(l.number, p.owner)
			sum.Total += uint64(p.length) * uint64(covering)
			sum.Count += uint64(covering - h.beganUpTo(h.last(p.owner)))
		}
		h.mark(p.owner, at)
	}
	h.base += uint64(len(l.parts)) + 1
	l.finished = l.finished[:0]
}

// run is a time in which the owner has not changed.
type run struct {
	owner trace.ThreadKey
	begin int // the position of its first part
	last  trace.Frame
}

// prepare clears the tables for an evaluation of the log.
func (h *holders) prepare(l *ownerLog) {
	n := len(l.parts) + 1
	h.open, h.begins, h.elapsed = cleared(h.open, n), cleared(h.begins, n), cleared(h.elapsed, n)
	for i := range l.finished {
		h.begins[l.finished[i].begin]++
	}
	for i := range l.parts {
		h.elapsed[i+1] = h.elapsed[i] + l.parts[i].length
	}
}

func cleared[E any](list []E, n int) []E {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// mark notes that the owner has a part at the position.
func (v *evaluation) mark(owner trace.ThreadKey, at int) {
	v.seen(owner).mark = v.base + uint64(at) + 1
}

// endRun counts the time from the begin of the run, or of the interval that began at the position begin, if that is
// later, up to a position. With begin -1 the interval is the one that is open longest.
func (h *holders) endRun(l *ownerLog, r run, at, begin int) {
	if begin < 0 {
		begin = h.firstOpen(len(l.parts))
	}
	if from := max(begin, r.begin); begin >= 0 && from < at {
		h.sumOf(l.number, r.owner).addRun(h.elapsed[at]-h.elapsed[from], r.last)
	}
}

// addExtra counts the parts of an interval that are not in the log, at its end.
func (h *holders) addExtra(l *ownerLog, f *finished) {
	for i, p := range f.extra {
		sum := h.sumOf(l.number, p.owner)
		sum.Total += uint64(p.length)
		sum.addRun(p.length, p.last)
		earlier := slices.ContainsFunc(f.extra[:i], func(other hold) bool { return other.owner == p.owner })
		if !earlier && h.last(p.owner) < f.begin {
			sum.Count++
		}
	}
}

// add adds n to the open intervals that began at the position.
func (v *evaluation) add(at, n int) {
	for i := at + 1; i <= len(v.open); i += i & -i {
		v.open[i-1] += int32(n)
	}
}

// beganUpTo returns the number of open intervals that began at the position or before it.
func (v *evaluation) beganUpTo(at int) (n int) {
	for i := at + 1; i > 0; i -= i & -i {
		n += int(v.open[i-1])
	}
	return n
}

// firstOpen returns the position at which the first of the open intervals began, or -1 if there are none. No position
// is above the limit.
func (v *evaluation) firstOpen(limit int) int {
	before, step := 0, 1
	for step*2 <= len(v.open) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if next := before + step; next <= len(v.open) && v.open[next-1] == 0 {
			before = next
		}
	}
	if before > limit {
		return -1
	}
	return before
}

// disorder is how far the times of real traces go back, in nanoseconds.
const disorder = 2_000_000

// compact counts the finished intervals, and drops all parts that no waiter's interval has. Between the begins of two
// intervals the parts of an owner become one, but for those of the last 2 ms: an interval may end within them.
func (h *holders) compact(l *ownerLog) {
	h.evaluate(l)
	var regular []int32 // the waiters whose intervals have parts of the log
	for _, index := range l.active {
		if !h.waiters[index].apart {
			regular = append(regular, index)
		}
	}
	slices.SortFunc(regular, func(a, b int32) int { return cmp.Compare(h.waiters[a].begin, h.waiters[b].begin) })
	recent, length := len(l.parts), int64(0)
	for ; recent > 0 && length <= disorder; recent-- {
		length += l.parts[recent-1].length
	}
	kept, begun, gap := 0, 0, 0 // gap is the position of the first part since the latest begin
	move := func(at int) {
		for ; begun < len(regular) && h.waiters[regular[begun]].begin == at; begun++ {
			h.waiters[regular[begun]].begin, gap = kept, kept
		}
	}
	for at, p := range l.parts {
		if move(at); begun == 0 {
			continue
		}
		if earlier := h.last(p.owner); at < recent && earlier >= gap {
			l.parts[earlier].length += p.length
			continue
		}
		h.mark(p.owner, kept)
		l.parts[kept] = p
		kept++
	}
	move(len(l.parts))
	h.base += uint64(len(l.parts)) + 1
	l.parts, l.limit = l.parts[:kept], max(h.limits.parts, 2*kept)
}
