package blame

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/trace"
)

// By is what waits are grouped by.
type By uint8

// The groupings.
const (
	ByMonitor By = iota // what was waited for: a monitor, or a thread's end
	ByPlace             // the place in the program at which threads waited
	ByWaiter            // the thread that waited
)

// Group is a sum of waits that have something in common, the one of Wait by which they are grouped.
type Group struct {
	Longest Wait // of the group's waits
	Total   int64
	Count   int
	// Culprits are who is to blame for the group's waits, the largest part first. Only the first groups have them.
	Culprits []Row
	ends     []uint32 // the Running segments that ended the waits
}

// groupKey identifies a group.
type groupKey struct {
	state  trace.State
	object critical.Object
	place  uint32
	thread trace.ThreadKey
}

func (b *Blame) groupKey(by By, s trace.SegmentID, kept critical.Kept) groupKey {
	switch by {
	case ByPlace:
		return groupKey{place: b.recorder.Place(s)}
	case ByWaiter:
		return groupKey{thread: kept.Thread}
	}
	object, state, _ := b.recorder.WaitOf(s)
	return groupKey{state: state, object: object}
}

// Groups returns the groups of the chosen waits, the largest first. The first ones, as many as detailed says, have
// their culprits.
func (b *Blame) Groups(by By, detailed int) []*Group {
	groups := grouped(b, func(s trace.SegmentID, kept critical.Kept) groupKey { return b.groupKey(by, s, kept) })
	for _, g := range groups[:min(detailed, len(groups))] {
		keys := newKeys(byState)
		g.Culprits = b.rowsOf(keys, b.forest.sums(keys, g.ends))
	}
	return groups
}

// grouped returns the groups of the chosen waits by a key, the largest first.
func grouped[K comparable](b *Blame, keyOf func(trace.SegmentID, critical.Kept) K) []*Group {
	byKey, groups := map[K]*Group{}, []*Group{}
	for _, s := range b.forest.ends {
		end := b.recorder.Segment(trace.SegmentID(s)).Begin
		of := b.recorder.Segment(trace.SegmentID(s)).Previous
		kept := b.recorder.Segment(of)
		key := keyOf(of, kept)
		g := byKey[key]
		if g == nil {
			g = &Group{}
			byKey[key] = g
			groups = append(groups, g)
		}
		length := int64(end - kept.Begin)
		g.Total += length
		g.Count++
		g.ends = append(g.ends, s)
		if length > g.Longest.Length() {
			g.Longest = b.waitOf(of, kept, end)
		}
	}
	slices.SortStableFunc(groups, func(x, y *Group) int { return cmp.Compare(y.Total, x.Total) })
	return groups
}
