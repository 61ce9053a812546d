package validate

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Findings collects the findings of one document. It counts all of them, and keeps at most so many: errors before
// warnings, and earlier ones before later ones.
type Findings struct {
	selection        Selection
	most             int
	kept             leastFirst
	counts           map[string]int
	errors, warnings int
}

// NewFindings returns a collector of findings by the rules that are selected. It keeps at most the given number; of 0
// or less, none.
func NewFindings(selection Selection, most int) *Findings {
	return &Findings{selection: selection, most: max(most, 0), counts: map[string]int{}}
}

// Keeps says whether Add would keep a finding of the rule, now. If not, the finding needs neither words nor a quote to
// be added, nor more of its place than the offset.
func (f *Findings) Keeps(rule string, severity trace.Severity, offset int64) bool {
	if !f.selection.Enabled(rule) || f.most == 0 {
		return false
	}
	return len(f.kept) < f.most || more(severity, offset, &f.kept[0])
}

// Add adds a finding, unless its rule is switched off.
func (f *Findings) Add(finding trace.Finding) {
	if !f.selection.Enabled(finding.Rule) {
		return
	}
	arrival := f.errors + f.warnings
	f.counts[finding.Rule]++
	if finding.Severity == trace.Error {
		f.errors++
	} else {
		f.warnings++
	}
	switch {
	case !f.Keeps(finding.Rule, finding.Severity, finding.Place.Offset):
	case len(f.kept) < f.most:
		heap.Push(&f.kept, arrived{finding, arrival})
	default:
		f.kept[0] = arrived{finding, arrival}
		heap.Fix(&f.kept, 0)
	}
}

// Result is what was found so far, for the caller to put the name of the Input in.
func (f *Findings) Result() *Result {
	sorted := slices.Clone(f.kept)
	slices.SortFunc(sorted, func(a, b arrived) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Place.Offset, b.Place.Offset), a.arrival-b.arrival)
	})
	result := &Result{Counts: make(map[string]int, len(f.counts)), Errors: f.errors, Warnings: f.warnings}
	for rule, count := range f.counts {
		result.Counts[rule] = count
	}
	for _, finding := range sorted {
		result.Findings = append(result.Findings, finding.Finding)
	}
	return result
}

// arrived is a finding, and how many came before it.
type arrived struct {
	trace.Finding
	arrival int
}

// more says whether a finding that comes now matters more than one that is kept.
func more(severity trace.Severity, offset int64, than *arrived) bool {
	return severity < than.Severity || severity == than.Severity && offset < than.Place.Offset
}

// leastFirst is a heap with the finding that matters least on top.
type leastFirst []arrived

func (h leastFirst) Len() int      { return len(h) }
func (h leastFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h leastFirst) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Place.Offset, a.Place.Offset),
		b.arrival-a.arrival) < 0
}

// Push is for package heap.
func (h *leastFirst) Push(finding any) { *h = append(*h, finding.(arrived)) }

// Pop is for package heap.
func (h *leastFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
