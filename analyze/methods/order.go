package methods

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/analyze/histogram"
)

// Orders are the names of the orders of rows, the default first.
func Orders() []string {
	return []string{"base", "cumulative", "calls", "average", "min", "max", "recursive", "overhead", "open",
		"lost", "name"}
}

// Groupings are what calls can be grouped by, the default first.
func Groupings() []string { return []string{"method", "class", "package", "thread"} }

// View is what an answer shows.
type View struct {
	By          string // of Groupings; "" is the default
	Sort        string // of Orders; "" is the default
	Top         int    // rows of each table; 0 for all
	Compensated bool   // base times are without overhead
	Tree, Fold  bool
	Flow        bool // needs Options.Flow
	Coverage    bool
	Declared    []Declared // the methods that could be called; nil for those that the trace defines
	Callers     string     // a pattern for methods
	Callees     string
	// Threads reports whether a thread is selected; nil selects all.
	Threads func(id, name, group string) bool
}

// bySamples orders rows of samples that are otherwise equal.
func (v *View) bySamples(a, b *Row) int {
	if a.Samples+b.Samples == 0 || v.Sort == "name" {
		return 0
	}
	return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(b.Samples, a.Samples))
}

// noun names the kind of rows.
func (v *View) noun() string { return cmp.Or(v.By, Groupings()[0]) }

// base returns the base time that the view shows.
func (v *View) base(f *Figures) int64 {
	if v.Compensated {
		return f.Compensated
	}
	return f.Base
}

// average returns the base time of one call.
func (v *View) average(f *Figures) int64 {
	if f.Calls == 0 {
		return 0
	}
	return v.base(f) / histogram.Signed(f.Calls)
}

// sort sorts rows: the largest first, and rows that are equal by their names.
func (v *View) sort(rows []Row) []Row {
	value := func(r *Row) int64 {
		switch v.Sort {
		case "cumulative":
			return r.Cumulative
		case "calls":
			return histogram.Signed(r.Calls)
		case "average":
			return v.average(&r.Figures)
		case "min":
			return min(r.Min, r.Max) // -1 if no call had an exit
		case "max":
			return r.Max
		case "recursive":
			return histogram.Signed(r.Recursive)
		case "overhead":
			return r.Overhead
		case "open":
			return int64(r.Open)
		case "lost":
			return int64(r.Lost)
		case "name":
			return 0
		}
		return v.base(&r.Figures)
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(value(&b), value(&a)), v.bySamples(&a, &b), cmp.Compare(a.Title, b.Title),
			cmp.Compare(a.Signature, b.Signature))
	})
	return rows
}
