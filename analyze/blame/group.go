package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Group is a sum of waits in one state that have the object, the place or the waiter in common.
type Group struct {
	Longest Wait
	Total   int64 // the sum of the finished waits' lengths, in nanoseconds
	Count   int   // of finished waits
	Waiters map[trace.ThreadKey]bool
	Objects int // different ones that they waited for
	// Culprits are who is to blame, by thread and state as people read it, the largest first.
	Culprits []CulpritRow
	// LetIn are who let the threads in, and what those did meanwhile, where the holders of a lock are not known for
	// most of the time.
	LetIn []CulpritRow
}

// CulpritRow is a sum over waits for a culprit. Its places are the calls in which the culprit waited or slept, or, if
// it ran, where it was.
type CulpritRow struct {
	Row
	// Own reports that the waits kept only their own thread.
	Own bool
}

// Largest returns the largest groups of the chosen finished waits, the largest first: of those for locks, one group for
// each lock, and of the others, whose waits have one state, at one place in the program, for objects of one class.
// These and the sums by thread take waits apart once.
func (b *Blame) Largest(locks, others int) (ofLocks, ofOthers []Group) {
	type likeness struct {
		typ   trace.ModelType
		state trace.State // of a wait for a lock; InIO, too
		of    uint32      // the number of the lock, or of the place
		class string
	}
	objects, classes := b.recorder.Objects(), map[uint32]string{}
	all := grouped(b, b.finished.ends, func(s trace.SegmentID, wait critical.Kept) likeness {
		object, state := objects(s), b.recorder.State(s)
		if wait.Type == trace.WaitingForLock {
			return likeness{typ: wait.Type, state: state, of: object}
		}
		if _, known := classes[object]; !known {
			of, _, _ := b.recorder.WaitOf(s)
			classes[object] = of.Class
		}
		if state != trace.StateInIO {
			state = 0
		}
		return likeness{wait.Type, state, b.recorder.Place(s), classes[object]}
	})
	var lists [2][][]uint32 // of the others, and for locks
	var found [2][]group
	for i := range all.list {
		of, limit := 0, others
		longest := b.recorder.Segment(trace.SegmentID(all.list[i].longest))
		if b.recorder.Segment(longest.Previous).Type == trace.WaitingForLock {
			of, limit = 1, locks
		}
		if len(found[of]) < limit {
			found[of], lists[of] = append(found[of], all.list[i]), append(lists[of], all.endsOf(i))
		}
	}
	groups := b.groupsOf(slices.Concat(lists[1], lists[0]), slices.Concat(found[1], found[0]))
	return groups[:len(found[1])], groups[len(found[1]):]
}

// groupsOf returns the groups of the waits of the lists with those who are to blame.
func (b *Blame) groupsOf(lists [][]uint32, of []group) []Group {
	groups, keys, objectOf := make([]Group, len(lists)), newKeys(byOwn).withSpots(), b.recorder.Objects()
	sums := b.sumThreads(keys, lists)
	for i := range groups {
		objects := map[uint32]bool{}
		g := Group{Longest: b.longestOf(&of[i]), Total: of[i].total, Count: int(of[i].count),
			Waiters: map[trace.ThreadKey]bool{}}
		for _, s := range lists[i] {
			end := b.recorder.Segment(trace.SegmentID(s))
			g.Waiters[end.Thread], objects[objectOf(end.Previous)] = true, true
		}
		g.Objects = len(objects)
		g.Culprits = b.culpritRows(keys.ranking(sums[i]))
		if g.Longest.Type == trace.WaitingForLock && unknownOf(g.Culprits) > g.Total/2 {
			g.LetIn = b.culpritRows(keys.ranking(b.finished.released(keys, lists[i])))
		}
		groups[i] = g
	}
	return groups
}

func (b *Blame) culpritRows(ranked *ranking) (rows []CulpritRow) {
	for row := range min(len(ranked.order), maxCulprits) {
		rows = append(rows, CulpritRow{b.row(ranked, row), ranked.key(row).own})
	}
	return rows
}

// unknownOf is the time for which nobody is to blame.
func unknownOf(rows []CulpritRow) (total int64) {
	for i := range rows {
		if rows[i].Kind == Unknown {
			total = histogram.Sum(total, rows[i].Total)
		}
	}
	return total
}

// maxCulprits limits the culprits of a group.
const maxCulprits = 1 << 12

// OpenGroup is a sum of waits for one object that the trace leaves open.
type OpenGroup struct {
	Longest Wait
	Total   int64 // up to the end of the trace, in nanoseconds
	Waiters map[trace.ThreadKey]bool
}

// OpenGroups returns the first groups of the open waits of the program's threads, by state and object, the largest sum
// first.
func (b *Blame) OpenGroups(limit int) []OpenGroup {
	all := b.openGroups(func(trace.ModelType) bool { return true })
	slices.SortStableFunc(all.list, func(x, y group) int {
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.count, x.count))
	})
	var groups []OpenGroup
	for i := range min(len(all.list), limit) {
		g := OpenGroup{b.openWait(int(all.list[i].longest)), all.list[i].total, map[trace.ThreadKey]bool{}}
		for _, wait := range all.endsOf(i) {
			g.Waiters[b.openIn(int(wait)).Thread] = true
		}
		groups = append(groups, g)
	}
	return groups
}
