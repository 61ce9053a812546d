package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/trace"
)

// Group is a sum of waits in one state with the same object, place or waiter.
type Group struct {
	Longest Wait
	Total   int64 // the sum of the finished waits' lengths, in nanoseconds
	Count   int   // of finished waits
	Waiters map[trace.ThreadKey]bool
	Objects int // number of different objects that they waited for
	// Culprits are who is to blame, by thread and state as people read it, the largest first.
	Culprits []CulpritRow
	// LetIn are the threads that let the waiters in, with what they did meanwhile. It is set if the holders of a lock
	// are unknown for most of the time.
	LetIn []CulpritRow
}

// CulpritRow is a sum over waits for a culprit. Its places are the calls in which the culprit waited or slept or, if it
// ran, where it was.
type CulpritRow struct {
	Row
	// Own reports that the waits kept only their own thread.
	Own bool
}

// Largest returns the largest groups of the chosen finished waits, the largest first: of those for locks, one group for
// each lock, and of the others, whose waits have one state, at one place in the program, for objects of one class.
func (b *Blame) Largest(locks, others int) (ofLocks, ofOthers []Group) {
	var lists [][]uint32
	var found []group
	for _, of := range []struct {
		*groups
		limit int
	}{{b.locks, locks}, {b.others, others}} {
		for i := range min(len(of.list), of.limit) {
			lists, found = append(lists, of.endsOf(i)), append(found, of.list[i])
		}
	}
	groups, n := b.groupsOf(lists, found), min(len(b.locks.list), locks)
	return groups[:n], groups[n:]
}

// like groups the finished waits: waits for locks by the lock, others by their likeness.
type like struct {
	*Blame
	locks   grouping[uint32]
	others  grouping[likeness]
	classes map[stateClass]uint32  // their numbers
	known   map[stateObject]uint32 // numbers of the same classes
}

type (
	// likeness is what equal waits for other things than locks share, except the objects.
	likeness struct {
		place, class uint32 // numbers of the place in the program, and of the state and class
	}
	stateClass struct {
		typ  trace.ModelType
		inIO bool
		name string
	}
	stateObject struct {
		state  trace.State
		object uint32
	}
)

func newLike(b *Blame) *like {
	return &like{Blame: b, classes: map[stateClass]uint32{},
		known: map[stateObject]uint32{}}
}

// add adds the wait of the segment, which the segment end ended.
func (l *like) add(end uint32, s trace.SegmentID, wait critical.Kept, length int64) {
	object, state := l.objects(s), wait.State()
	if isLock(wait.Type) {
		l.locks.add(end, object, length)
		return
	}
	number, known := l.known[stateObject{state, object}]
	if !known {
		of, _, _ := l.recorder.WaitOf(s)
		class := stateClass{wait.Type, state == trace.StateInIO, of.Class}
		if number, known = l.classes[class]; !known {
			number = uint32(len(l.classes))
			l.classes[class] = number
		}
		l.known[stateObject{state, object}] = number
	}
	l.others.add(end, likeness{l.recorder.Place(s), number}, length)
}

// groupsOf returns the groups of the listed waits with those who are to blame.
func (b *Blame) groupsOf(lists [][]uint32, of []group) []Group {
	groups, keys := make([]Group, len(lists)), newKeys(byOwn).withSpots()
	objects := make([]map[uint32]bool, len(lists))
	for i := range groups {
		objects[i] = map[uint32]bool{}
		groups[i] = Group{Longest: b.longestOf(&of[i]), Total: of[i].total, Count: int(of[i].count),
			Waiters: map[trace.ThreadKey]bool{}}
	}
	for s, i := range inOrder(lists) {
		groups[i].Waiters[b.finished.known.threads[s]] = true
		if !isLock(groups[i].Longest.Type) {
			objects[i][b.objects(b.recorder.Segment(trace.SegmentID(s)).Previous)] = true
		}
	}
	sumsOf := b.finished.sums
	if b.options.RanksThreads {
		sumsOf = b.sumThreads
	}
	sums := sumsOf(keys, lists...)
	for i := range groups {
		g := &groups[i]
		g.Objects = max(len(objects[i]), 1)
		g.Culprits = b.culpritRows(keys.ranking(sums[i]))
		if g.Longest.Type == trace.WaitingForLock && unknownOf(g.Culprits) > g.Total/2 {
			g.LetIn = b.culpritRows(keys.ranking(b.finished.released(keys, lists[i])))
		}
	}
	return groups
}

func (b *Blame) culpritRows(ranked *ranking) (rows []CulpritRow) {
	n := min(len(ranked.order), maxCulprits)
	rows = make([]CulpritRow, 0, n)
	for row := range n {
		rows = append(rows, CulpritRow{b.row(ranked, row), ranked.key(row).own})
	}
	return rows
}

// unknownOf returns the time without a known culprit.
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

// OpenGroups returns the first groups of the open waits of the program's threads, by state and object, the largest
// first.
func (b *Blame) OpenGroups(limit int) []OpenGroup {
	all := b.openGroups(func(trace.ModelType) bool { return true })
	slices.SortStableFunc(all.list, func(x, y group) int {
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.count, x.count))
	})
	groups := make([]OpenGroup, 0, min(len(all.list), limit))
	for i := range cap(groups) {
		g := OpenGroup{b.openWait(int(all.list[i].longest)), all.list[i].total, map[trace.ThreadKey]bool{}}
		for _, wait := range all.endsOf(i) {
			g.Waiters[b.openIn(int(wait)).Thread] = true
		}
		groups = append(groups, g)
	}
	return groups
}
