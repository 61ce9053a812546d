// Package gcpause unites the times in which garbage collections stopped the program.
package gcpause

import (
	"cmp"
	"slices"
	"sort"

	"github.com/trcx/trcx/trace"
)

// Pause is a GC pause: a time in which garbage collections stopped the program.
type Pause struct{ From, To trace.Time }

// Length returns the length in nanoseconds.
func (p Pause) Length() int64 { return int64(p.To - p.From) }

// List has pauses in the order of time. They neither touch nor overlap, as overlapping ones are united, and none is
// empty. The zero List is empty.
type List struct {
	list []summed
	late []Pause // begun before others in the list; see Settle
}

type summed struct {
	Pause
	before int64 // the sum of the earlier ones, in nanoseconds
}

// Add adds the collection if it stopped the program. Most begin after the latest ones, or around them.
func (l *List) Add(c *trace.Collection) {
	if c.Stopped {
		l.add(Pause{c.Time, c.End})
	}
}

func (l *List) add(added Pause) {
	if added.From >= added.To {
		return
	}
	last := len(l.list) - 1
	if last >= 0 && l.list[last].From > added.To {
		l.late = append(l.late, added)
		return
	}
	for ; last >= 0 && l.list[last].To >= added.From; last-- {
		added.From, added.To = min(added.From, l.list[last].From), max(added.To, l.list[last].To)
	}
	l.list = append(l.list[:last+1], summed{added, l.total(last)})
}

// total returns the sum of the pauses up to the one at the index.
func (l *List) total(last int) int64 {
	if last < 0 {
		return 0
	}
	return l.list[last].before + l.list[last].Length()
}

// Total returns the sum of the pauses in nanoseconds, without late ones that Settle has not added yet.
func (l *List) Total() int64 { return l.total(len(l.list) - 1) }

// Settle adds the pauses that came late to the list.
func (l *List) Settle() {
	if len(l.late) == 0 {
		return
	}
	all := l.late
	for i := range l.list {
		all = append(all, l.list[i].Pause)
	}
	slices.SortFunc(all, func(a, b Pause) int { return cmp.Compare(a.From, b.From) })
	*l = List{}
	for _, each := range all {
		l.add(each)
	}
}

// Len returns the number of pauses in the list.
func (l *List) Len() int { return len(l.list) }

// At returns the pause at the index of the list.
func (l *List) At(i int) Pause { return l.list[i].Pause }

// Before returns the number of pauses in the list that begin before a time.
func (l *List) Before(at trace.Time) int {
	return sort.Search(len(l.list), func(i int) bool { return l.list[i].From >= at })
}

// until returns the time of the pauses in the list up to a time, in nanoseconds.
func (l *List) until(at trace.Time) int64 {
	i := l.Before(at) - 1
	if i < 0 {
		return 0
	}
	return l.list[i].before + int64(min(at, l.list[i].To)-l.list[i].From)
}

// Between returns the part of the time that pauses in the list took, in nanoseconds.
func (l *List) Between(from, to trace.Time) int64 {
	if from >= to || len(l.list) == 0 || l.list[len(l.list)-1].To <= from {
		return 0
	}
	next := l.Before(from)
	if next < len(l.list) && l.list[next].From < to {
		return l.until(to) - l.until(from)
	}
	if next == 0 {
		return 0
	}
	return max(int64(min(to, l.list[next-1].To)-from), 0)
}
