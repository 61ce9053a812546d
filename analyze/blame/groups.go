package blame

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
)

// By is what waits are grouped by.
type By uint8

// The groupings.
const (
	ByMonitor By = iota // the monitor or the thread's end that was waited for
	ByPlace             // the place in the program at which threads waited
	ByWaiter            // the thread that waited
)

var byNames = [...]string{ByMonitor: "monitor", ByPlace: "place", ByWaiter: "waiter"}

// String returns the name of the grouping.
func (b By) String() string { return byNames[b] }

// group is a sum of waits that share a key.
type group struct {
	total   int64
	most    int64  // the length of the longest one
	longest uint32 // the longest one, as in groups.ends
	first   uint32 // the index of its first wait in groups.ends
	count   uint32
}

// groups are all groups of the chosen waits, the largest first.
type groups struct {
	list []group
	ends []uint32 // waits by group: the Running segments that ended them, or indexes of open ones
}

// endsOf returns the waits of a group.
func (g *groups) endsOf(i int) []uint32 {
	of := &g.list[i]
	return g.ends[of.first : of.first+of.count]
}

// grouped returns the groups, by a key, of the waits that the Running segments ended.
func grouped[K comparable](b *Blame, ends []uint32, keyOf func(trace.SegmentID, critical.Kept) K) *groups {
	return groupsOf(ends, b.finished.length, func(s uint32) K {
		wait := b.recorder.Segment(trace.SegmentID(s)).Previous
		return keyOf(wait, b.recorder.Segment(wait))
	})
}

// groupsOf returns the groups, by a key, of waits with lengths.
func groupsOf[K comparable](waits []uint32, lengthOf func(uint32) int64, keyOf func(uint32) K) *groups {
	var g grouping[K]
	for _, w := range waits {
		g.add(w, keyOf(w), lengthOf(w))
	}
	return g.groups()
}

// grouping groups waits by a key.
type grouping[K comparable] struct {
	numbers   map[K]uint32
	list      []group
	waits, of []uint32 // waits, and the numbers of their groups
}

func (g *grouping[K]) add(wait uint32, key K, length int64) {
	n, ok := g.numbers[key]
	if !ok {
		if g.numbers == nil {
			g.numbers = map[K]uint32{}
		}
		n = uint32(len(g.list))
		g.list, g.numbers[key] = append(g.list, group{most: -1}), n
	}
	g.waits, g.of = append(g.waits, wait), append(g.of, n)
	known := &g.list[n]
	known.total = histogram.Sum(known.total, length)
	known.count++
	if length > known.most {
		known.most, known.longest = length, wait
	}
}

// groups returns the groups, the largest first. Nothing can be added afterwards.
func (g *grouping[K]) groups() *groups {
	all := &groups{list: g.list}
	all.order(g.waits, g.of)
	return all
}

// order sorts the waits by the numbers of their groups, and then the groups.
func (g *groups) order(ends, of []uint32) {
	first := uint32(0)
	for i := range g.list {
		g.list[i].first = first
		first += g.list[i].count
		g.list[i].count = 0
	}
	g.ends = make([]uint32, len(ends))
	for i, s := range ends {
		known := &g.list[of[i]]
		g.ends[known.first+known.count] = s
		known.count++
	}
	slices.SortFunc(g.list, func(x, y group) int {
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(x.first, y.first))
	})
}

// longestOf returns the longest wait of the group.
func (b *Blame) longestOf(g *group) Wait {
	end := b.recorder.Segment(trace.SegmentID(g.longest))
	w := b.waitOf(end.Previous, b.recorder.Segment(end.Previous), end.Begin)
	w.From, w.To = b.finished.stretch(g.longest)
	return w
}

// groupRow is a group as a table has it.
type groupRow struct {
	total   int64
	count   int
	longest Wait
	mostly  string // its largest culprits
}

// groupKey is what the waits of a group share.
type groupKey struct {
	state trace.State
	of    uint32 // the number of a place, a thread or an object
}

// groupsBy returns the groups of the chosen waits.
func (b *Blame) groupsBy(by By) *groups {
	return grouped(b, b.finished.ends, func(s trace.SegmentID, wait critical.Kept) groupKey {
		switch by {
		case ByPlace:
			return groupKey{of: b.recorder.Place(s)}
		case ByWaiter:
			return groupKey{of: uint32(wait.Thread)}
		}
		return groupKey{b.recorder.State(s), b.objects(s)}
	})
}

// eachGroup calls put for the first groups of the chosen waits, at most limit, the largest first. It returns the number
// of all groups. The first detailed groups have their largest culprits.
func (b *Blame) eachGroup(by By, limit, detailed int, put func(groupRow)) (all int) {
	groups := b.groupsBy(by)
	culprits := newCulprits(b, groups, min(len(groups.list), limit, detailed))
	for i := range min(len(groups.list), limit) {
		g := &groups.list[i]
		row := groupRow{total: g.total, count: int(g.count), longest: b.longestOf(g)}
		if i < len(culprits.sums) {
			row.mostly = culprits.mostly(i, g.total)
		}
		put(row)
	}
	return len(groups.list)
}

// culprits finds the largest culprits of groups.
type culprits struct {
	*Blame
	keys *keys
	sums []tally // by group
}

// newCulprits returns the culprits of the first groups.
func newCulprits(b *Blame, of *groups, groups int) *culprits {
	c := &culprits{Blame: b, keys: newKeys(byState)}
	if groups == 0 {
		return c
	}
	var lists [][]uint32
	for i := range groups {
		lists = append(lists, of.endsOf(i))
	}
	c.sums = b.finished.sums(c.keys, lists...)
	return c
}

// titled is the share of the culprits with one title.
type titled struct {
	title string
	total int64
	first uint32 // number of the first key in the ranking
}

// mostly lists the largest culprits of the group, each with its sum over all states, as a share of the total.
func (c *culprits) mostly(group int, total int64) string {
	const most = 2
	of, byTitle := ranking{keys: c.keys.list, names: c.keys.names, sums: c.sums[group]}, map[string]*titled{}
	for n := range of.sums {
		sum := of.sums[n].total
		if sum <= 0 {
			continue
		}
		title := "(unknown)"
		if key := c.keys.list[n].thread; key != 0 {
			t, _ := c.recorder.Thread(key)
			title = t.Title()
		}
		p := byTitle[title]
		if p == nil {
			p = &titled{title: title, first: uint32(n)}
			byTitle[title] = p
		}
		if of.rank(uint32(n), p.first) < 0 {
			p.first = uint32(n)
		}
		p.total = histogram.Sum(p.total, sum)
	}
	found := slices.SortedFunc(maps.Values(byTitle), func(x, y *titled) int {
		return cmp.Or(cmp.Compare(y.total, x.total), of.rank(x.first, y.first))
	})
	var parts []string
	for _, p := range found[:min(most, len(found))] {
		parts = append(parts, p.title+" "+phrase.Percent(p.total, total))
	}
	return strings.Join(parts, ", ")
}
