package diff

import (
	"cmp"
	"math"
	"regexp"
	"slices"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
)

// Comparison is a head beside its base.
type Comparison struct {
	Base, Head []contention.Trace
	// Scale is what the counts and totals of the base are multiplied with, where the two combine different numbers of
	// traces; else 1.
	Scale float64
	// All are the totals over all threads, by kind.
	All [contention.KindCount]Change
	// Threads are keyed by patterns of names, in which * stands for each number; Classes by names; Callers by
	// class.method.
	Threads, Classes, Callers []Row
}

// Row is what has become of something.
type Row struct {
	Key string
	// Class is that of a method, or the key itself for a class; "" for threads.
	Class string
	Kinds [contention.KindCount]Change
}

// Change is how a kind of time has changed.
type Change struct {
	Base, Head *histogram.Distribution // never nil; must not be changed
	scale      float64
}

// Delta is how much more time there is in the head, in nanoseconds; below 0 if there is less.
func (c Change) Delta() int64 {
	return whole(float64(c.Head.Total) - c.scaled())
}

// whole is the nearest number of nanoseconds that there is.
func whole(nanoseconds float64) int64 {
	switch {
	case nanoseconds >= math.MaxInt64:
		return math.MaxInt64
	case nanoseconds <= -math.MaxInt64:
		return -math.MaxInt64
	}
	return int64(math.Round(nanoseconds))
}

// scaled is the total of the base, scaled.
func (c Change) scaled() float64 { return float64(c.Base.Total) * c.scale }

// Noise is how much the difference may be by chance, in nanoseconds. It is twice the standard deviation of the
// difference of two totals in which each length comes about by itself: the square root of the sum of the squares of all
// lengths.
func (c Change) Noise() int64 {
	return whole(2 * math.Sqrt(c.Head.Squares()+c.scale*c.scale*c.Base.Squares()))
}

// Judgement is what a change comes to.
type Judgement string

// The judgements.
const (
	Same       Judgement = "within noise"
	MoreOften  Judgement = "more often"
	LessOften  Judgement = "less often"
	Longer     Judgement = "longer each time"
	Shorter    Judgement = "shorter each time"
	MoreTime   Judgement = "more time"
	LessTime   Judgement = "less time"
	OnlyInHead Judgement = "only in head"
	OnlyInBase Judgement = "only in base"
)

// deviations is how many standard deviations are more than chance.
const deviations = 2

// Judge says what has changed beyond noise: how often, how long each time, or only both together. What is on one side
// only is said where it is more than four times.
func (c Change) Judge() Judgement {
	often := (float64(c.Head.Count) - float64(c.Base.Count)*c.scale) / math.Sqrt(max(float64(c.Head.Count)+
		float64(c.Base.Count)*c.scale*c.scale, 1))
	switch {
	case c.Base.Count == 0 && often > deviations:
		return OnlyInHead
	case c.Head.Count == 0 && often < -deviations:
		return OnlyInBase
	}
	if moved := c.moved(); moved != Same {
		return moved
	}
	delta := c.Delta()
	switch beyond := max(delta, -delta) > c.Noise(); {
	case often > deviations && delta > 0:
		return MoreOften
	case often < -deviations && delta < 0:
		return LessOften
	case beyond && delta > 0:
		return MoreTime
	case beyond && delta < 0:
		return LessTime
	}
	return Same
}

// moved says whether the lengths are spread in another way, by the test of Kolmogorov and Smirnov at one percent, and
// in which direction.
func (c Change) moved() Judgement {
	n, m := float64(c.Base.Count), float64(c.Head.Count)
	if n == 0 || m == 0 {
		return Same
	}
	gap := widestGap(c.Base.Buckets(), c.Head.Buckets(), n, m)
	const onePercent = 1.628
	switch limit := onePercent * math.Sqrt((n+m)/(n*m)); {
	case gap > limit && c.Head.Mean() > c.Base.Mean():
		return Longer
	case gap < -limit && c.Head.Mean() < c.Base.Mean():
		return Shorter
	}
	return Same
}

// widestGap is the largest difference between the shares of lengths up to some length; above 0 where the head has fewer
// short ones.
func widestGap(base, head [][2]uint64, n, m float64) (widest float64) {
	below := 0.0
	for len(base) > 0 || len(head) > 0 {
		at := uint64(math.MaxUint64)
		if len(base) > 0 {
			at = base[0][0]
		}
		if len(head) > 0 {
			at = min(at, head[0][0])
		}
		if len(base) > 0 && base[0][0] == at {
			below += float64(base[0][1]) / n
			base = base[1:]
		}
		if len(head) > 0 && head[0][0] == at {
			below -= float64(head[0][1]) / m
			head = head[1:]
		}
		if math.Abs(below) > math.Abs(widest) {
			widest = below
		}
	}
	return widest
}

// Compare puts the head beside the base.
func Compare(base, head *contention.Statistics) *Comparison {
	c := &Comparison{Base: base.Traces, Head: head.Traces, Scale: 1}
	if len(base.Traces) > 0 && len(head.Traces) > 0 {
		c.Scale = float64(len(head.Traces)) / float64(len(base.Traces))
	}
	c.Threads = c.rows(threadsOf(base), threadsOf(head))
	c.Classes = c.rows(classesOf(base), classesOf(head))
	c.Callers = c.rows(callersOf(base), callersOf(head))
	for kind := range contention.KindCount {
		c.All[kind] = Change{base.All.Of(kind), head.All.Of(kind), c.Scale}
	}
	return c
}

// side is what one of the two has, by key.
type side struct {
	keys    []string
	times   map[string]*contention.Times
	classes map[string]string
}

func newSide() *side {
	return &side{times: map[string]*contention.Times{}, classes: map[string]string{}}
}

// add adds times to those of the key.
func (s *side) add(key, class string, times *contention.Times) {
	sum := s.times[key]
	if sum == nil {
		sum = &contention.Times{}
		s.times[key], s.classes[key] = sum, class
		s.keys = append(s.keys, key)
	}
	sum.Merge(times)
}

var number = regexp.MustCompile(`[0-9]+`)

// Pattern is the pattern of a thread's name: threads of a pool, which differ in their numbers, have the same.
func Pattern(name string) string { return number.ReplaceAllString(name, "*") }

func threadsOf(s *contention.Statistics) *side {
	all := newSide()
	for _, t := range s.Threads {
		all.add(Pattern(cmp.Or(t.Name, "thread "+t.ID)), "", &t.Times)
	}
	return all
}

func classesOf(s *contention.Statistics) *side {
	all := newSide()
	for _, c := range s.Classes {
		all.add(c.Name, c.Name, &c.Times)
	}
	return all
}

func callersOf(s *contention.Statistics) *side {
	all := newSide()
	for _, c := range s.Callers {
		all.add(c.Class+"."+c.Method, c.Class, &c.Times)
	}
	return all
}

// rows puts two sides together, those rows first whose times have changed most.
func (c *Comparison) rows(base, head *side) []Row {
	var all []Row
	for _, key := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(base.keys, head.keys)))) {
		row := Row{Key: key, Class: cmp.Or(head.classes[key], base.classes[key])}
		for kind := range contention.KindCount {
			row.Kinds[kind] = Change{of(base, key, kind), of(head, key, kind), c.Scale}
		}
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(a, b Row) int { return cmp.Compare(b.most(), a.most()) })
	return all
}

func of(s *side, key string, kind contention.Kind) *histogram.Distribution {
	if times := s.times[key]; times != nil {
		return times.Of(kind)
	}
	return &histogram.Distribution{}
}

// most is the largest change of the row, in either direction.
func (r Row) most() (most int64) {
	for _, change := range r.Kinds {
		delta := change.Delta()
		most = max(most, delta, -delta)
	}
	return most
}
