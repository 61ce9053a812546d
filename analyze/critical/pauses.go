package critical

import (
	"cmp"
	"slices"
	"sort"

	"github.com/trcx/trcx/trace"
)

// Pause is a time in which garbage collections stopped the program.
type Pause struct{ From, To trace.Time }

// pauses are in the order of time, apart from each other and not empty: those that overlap are one.
type pauses struct {
	list []pause
	late []Pause // begun before others that are in the list; see settle
}

type pause struct {
	Pause
	before int64 // the sum of the earlier ones, in nanoseconds
}

// add adds a pause. Most come in the order of time, or around those that came last.
func (p *pauses) add(added Pause) {
	if added.From >= added.To {
		return
	}
	last := len(p.list) - 1
	if last >= 0 && p.list[last].From > added.To {
		p.late = append(p.late, added)
		return
	}
	for ; last >= 0 && p.list[last].To >= added.From; last-- {
		added.From, added.To = min(added.From, p.list[last].From), max(added.To, p.list[last].To)
	}
	before := int64(0)
	if last >= 0 {
		before = p.list[last].before + p.list[last].length()
	}
	p.list = append(p.list[:last+1], pause{added, before})
}

func (p Pause) length() int64 { return int64(p.To - p.From) }

// settle adds those that came late to the list.
func (p *pauses) settle() {
	if len(p.late) == 0 {
		return
	}
	all := p.late
	for i := range p.list {
		all = append(all, p.list[i].Pause)
	}
	slices.SortFunc(all, func(a, b Pause) int { return cmp.Compare(a.From, b.From) })
	*p = pauses{}
	for _, each := range all {
		p.add(each)
	}
}

// before returns the number of pauses in the list that begin before a time.
func (p *pauses) before(at trace.Time) int {
	return sort.Search(len(p.list), func(i int) bool { return p.list[i].From >= at })
}

// until returns the time of the pauses in the list up to a time, in nanoseconds.
func (p *pauses) until(at trace.Time) int64 {
	i := p.before(at) - 1
	if i < 0 {
		return 0
	}
	return p.list[i].before + int64(min(at, p.list[i].To)-p.list[i].From)
}

// between returns the part of the time that pauses took, in nanoseconds.
func (p *pauses) between(from, to trace.Time) int64 {
	if from >= to || len(p.list) == 0 || p.list[len(p.list)-1].To <= from {
		return 0
	}
	return p.until(to) - p.until(from)
}

// Pauses returns the times in which garbage collections stopped the program, of the records so far: in order, apart
// from each other and not empty.
func (r *Recorder) Pauses() []Pause {
	r.pauses.settle()
	all := make([]Pause, len(r.pauses.list))
	for i := range all {
		all[i] = r.pauses.list[i].Pause
	}
	return all
}

// PausedBetween returns the part of the time that Pauses took, in nanoseconds.
func (r *Recorder) PausedBetween(from, to trace.Time) int64 {
	r.pauses.settle()
	return r.pauses.between(from, to)
}
