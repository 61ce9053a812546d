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
	// Culprits are who is to blame, by thread, state as people read it, and place, the largest first.
	Culprits []CulpritRow
	// LetIn are who let the threads in, and what those did meanwhile, where the holders of a lock are not known for
	// most of the time.
	LetIn []CulpritRow
}

// CulpritRow is a sum over waits for a culprit.
type CulpritRow struct {
	Row
	// Own reports that the waits kept only their own thread.
	Own bool
	// Place is the call in the program in which the culprit waited or slept, or, if it ran, had waited before. Its
	// method is nil if that is unknown.
	Place trace.Frame
}

// Locks returns the first groups of the chosen finished waits for locks, one group for each lock, the largest first.
func (b *Blame) Locks(limit int) []Group {
	objects := b.recorder.Objects()
	return b.culpritsOf(grouped(b, b.endsOf(true), func(s trace.SegmentID, _ critical.Kept) groupKey {
		return groupKey{b.recorder.State(s), objects(s)}
	}), limit)
}

// Alike returns the first groups of the other finished waits that are chosen, the largest first. The waits of a group
// have one state, at one place in the program, for objects of one class.
func (b *Blame) Alike(limit int) []Group {
	type likeness struct {
		typ   trace.ModelType
		io    bool
		place uint32
		class string
	}
	return b.culpritsOf(grouped(b, b.endsOf(false), func(s trace.SegmentID, wait critical.Kept) likeness {
		object, state, _ := b.recorder.WaitOf(s)
		return likeness{wait.Type, state == trace.StateInIO, b.recorder.Place(s), object.Class}
	}), limit)
}

// endsOf returns the Running segments that ended the chosen waits for locks, or the others.
func (b *Blame) endsOf(locks bool) (ends []uint32) {
	for _, s := range b.finished.ends {
		wait := b.recorder.Segment(b.recorder.Segment(trace.SegmentID(s)).Previous)
		if (wait.Type == trace.WaitingForLock) == locks {
			ends = append(ends, s)
		}
	}
	return ends
}

// culpritsOf returns the first of the groups with those who are to blame.
func (b *Blame) culpritsOf(all *groups, limit int) []Group {
	groups, lists := make([]Group, min(len(all.list), limit)), [][]uint32{}
	for i := range groups {
		lists = append(lists, all.endsOf(i))
	}
	keys, objectOf := newKeys(byCall), b.recorder.Objects()
	sums := b.finished.sums(keys, lists...)
	for i := range groups {
		of, objects := &all.list[i], map[uint32]bool{}
		g := Group{Longest: b.longestOf(of), Total: of.total, Count: int(of.count), Waiters: map[trace.ThreadKey]bool{}}
		for _, s := range lists[i] {
			end := b.recorder.Segment(trace.SegmentID(s))
			g.Waiters[end.Thread], objects[objectOf(end.Previous)] = true, true
		}
		g.Objects = len(objects)
		g.Culprits = b.culpritRows(keys.ranking(sums[i]))
		if g.Longest.Type == trace.WaitingForLock && 2*unknownOf(g.Culprits) > g.Total {
			g.LetIn = b.culpritRows(keys.ranking(b.finished.released(keys, lists[i])))
		}
		groups[i] = g
	}
	return groups
}

func (b *Blame) culpritRows(ranked *ranking) (rows []CulpritRow) {
	for row := range min(len(ranked.order), maxCulprits) {
		k := ranked.key(row)
		rows = append(rows, CulpritRow{b.row(ranked, row), k.own, b.recorder.Frame(k.place)})
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
