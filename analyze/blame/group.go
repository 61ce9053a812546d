package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
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
	Culprits []Row
}

// Groups returns the first groups of the finished waits that are chosen, the largest first.
func (b *Blame) Groups(by By, limit int) []Group { return b.culpritsOf(b.groupsBy(by), limit) }

// Alike returns the first groups of the finished waits that are chosen, the largest first: those of one state at one
// place in the program, for objects of one class.
func (b *Blame) Alike(limit int) []Group {
	type likeness struct {
		typ   trace.ModelType
		io    bool
		place uint32
		class string
	}
	return b.culpritsOf(grouped(b, func(s trace.SegmentID, wait critical.Kept) likeness {
		object, state, _ := b.recorder.WaitOf(s)
		return likeness{wait.Type, state == trace.StateInIO, b.recorder.Place(s), object.Class}
	}), limit)
}

// culpritsOf returns the first of the groups with those who are to blame.
func (b *Blame) culpritsOf(all *groups, limit int) []Group {
	groups, objectOf := make([]Group, 0, min(len(all.list), limit)), b.recorder.Objects()
	for i := range min(len(all.list), limit) {
		of := &all.list[i]
		g := Group{Longest: b.longestOf(of), Total: of.total, Count: int(of.count), Waiters: map[trace.ThreadKey]bool{}}
		objects, keys, sums := map[uint32]bool{}, newKeys(byState), tally{}
		for _, s := range all.endsOf(i) {
			end := b.recorder.Segment(trace.SegmentID(s))
			g.Waiters[end.Thread], objects[objectOf(end.Previous)] = true, true
		}
		g.Objects = len(objects)
		b.forest.add(keys, &sums, all.endsOf(i))
		g.Culprits = b.rows(keys.ranking(sums), b.limits.places)
		groups = append(groups, g)
	}
	return groups
}

// OpenGroup is a sum of waits for one object that the trace leaves open.
type OpenGroup struct {
	Longest Wait
	Total   int64 // up to the end of the trace, in nanoseconds
	Waiters map[trace.ThreadKey]bool
}

// OpenGroups returns the open waits of the program's threads, by state and object, the largest sum first.
func (b *Blame) OpenGroups() []OpenGroup {
	type of struct {
		state  trace.State
		object any
		thread trace.ThreadKey // of a wait without an object
	}
	var groups []OpenGroup
	at := map[of]int{}
	for i := range b.open {
		if b.ofJVM(i) {
			continue
		}
		w := b.openWait(i)
		key := of{state: w.State, object: w.Object}
		if !w.Object.ID.Known() {
			key.thread = w.Thread.Key
		}
		n, known := at[key]
		if !known {
			n = len(groups)
			at[key], groups = n, append(groups, OpenGroup{Longest: w, Waiters: map[trace.ThreadKey]bool{}})
		}
		g := &groups[n]
		g.Total += max(w.Length(), 0)
		g.Waiters[w.Thread.Key] = true
		if w.Length() > g.Longest.Length() {
			g.Longest = w
		}
	}
	slices.SortStableFunc(groups, func(x, y OpenGroup) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(len(y.Waiters), len(x.Waiters)))
	})
	return groups
}

// IsInferred reports that Other is concluded, not told by the trace.
func (w *Wait) IsInferred() bool { return w.inferred }
