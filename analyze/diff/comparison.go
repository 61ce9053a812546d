package diff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/threads"
)

// Comparison is the difference between a base and a head. Rows are sorted by their largest change, in either direction.
type Comparison struct {
	Base, Head []contention.Trace
	// Scale is the factor of the base's counts and totals: the ratio of the numbers of traces, head to base, or 1.
	Scale float64
	// All are the sums over all threads, by kind.
	All [contention.KindCount]Change
	// Threads are keyed by their names with each number replaced by *, Classes by names, Callers by class.method.
	Threads, Classes, Callers []Row
	// Blame is who kept threads waiting, by pool and state; nil if base or head lacks it.
	Blame []BlameRow
	// NoBlame names the sides without blame: "base", "head" or "base and head"; "" if both have it.
	NoBlame string
	// Methods are the times of methods by their measures: first the row of all methods, then one for each. It is nil if
	// base or head lacks the measure.
	Methods [measures][]MethodRow
	// NoMethods says why methods are not compared although one side has them.
	NoMethods string
	// NoTimes names, as NoBlame does, the sides whose calls are only counted: then the numbers of calls are compared.
	NoTimes string
	// WithoutMethods reports that the selection is by something that methods do not have.
	WithoutMethods bool
}

// Row is the difference of one thread pattern, class or method.
type Row struct {
	Key string
	// Class is the class of a method, or the key itself for a class; "" for threads.
	Class string
	Kinds [contention.KindCount]Change
}

// Change is the difference of one kind of time.
type Change struct {
	Base, Head *histogram.Distribution // never nil; must not be changed
	scale      float64
}

// Compare compares the statistics of a head with its base.
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
	c.compareBlame(base.Blame, head.Blame)
	return c
}

// side has the times of base or head, by key.
type side map[string]*times

// times are the times of a key, with the Class of its Row.
type times struct {
	contention.Times
	class string
}

// of returns the times of the key, which are empty if it is new.
func (s side) of(key string) *times { return cmp.Or(s[key], &times{}) }

// add adds times to the key's times.
func (s side) add(key, class string, more *contention.Times) {
	if s[key] == nil {
		s[key] = &times{class: class}
	}
	s[key].Merge(more)
}

func threadsOf(s *contention.Statistics) side {
	all := side{}
	for _, t := range s.Threads {
		all.add(threads.PoolOf(cmp.Or(t.Name, "thread "+t.ID)), "", &t.Times)
	}
	return all
}

func classesOf(s *contention.Statistics) side {
	all := side{}
	for _, c := range s.Classes {
		all.add(c.Name, c.Name, &c.Times)
	}
	return all
}

func callersOf(s *contention.Statistics) side {
	all := side{}
	for _, c := range s.Callers {
		all.add(c.Class+"."+c.Method, c.Class, &c.Times)
	}
	return all
}

// rows joins two sides by key. The largest changes come first.
func (c *Comparison) rows(base, head side) []Row {
	both := maps.Clone(base)
	maps.Copy(both, head)
	var all []Row
	for _, key := range slices.Sorted(maps.Keys(both)) {
		before, after := base.of(key), head.of(key)
		row := Row{Key: key, Class: cmp.Or(after.class, before.class)}
		for kind := range contention.KindCount {
			row.Kinds[kind] = Change{before.Of(kind), after.Of(kind), c.Scale}
		}
		all = append(all, row)
	}
	slices.SortStableFunc(all, func(a, b Row) int { return cmp.Compare(b.most(), a.most()) })
	return all
}

// most returns the largest change of the row, in either direction, in nanoseconds.
func (r Row) most() (most int64) {
	for _, change := range r.Kinds {
		delta := change.Delta()
		most = max(most, delta, -delta)
	}
	return most
}
