package validate

import (
	"cmp"
	"container/heap"
	"maps"
	"slices"

	"github.com/trcx/trcx/dtd"
	"github.com/trcx/trcx/trace"
)

// Findings collects the findings of one document. It counts all of them, and keeps a limited number: errors rather than
// warnings, and earlier ones rather than later ones.
type Findings struct {
	selection        RuleSelection
	limit            int
	kept             leastFirst
	counts           map[string]int
	errors, warnings int
}

// NewFindings returns a collector of findings of the selected rules. It keeps at most limit findings, and none if limit
// is 0 or negative.
func NewFindings(selection RuleSelection, limit int) *Findings {
	return &Findings{selection: selection, limit: max(limit, 0), counts: map[string]int{}}
}

// Keeps reports whether Add would keep a finding of the rule now. If not, the finding to add needs only the offset of
// its place, and no message or quote.
func (f *Findings) Keeps(rule string, severity trace.Severity, offset int64) bool {
	if !f.selection.Enabled(rule) || f.limit == 0 {
		return false
	}
	return len(f.kept) < f.limit || outranks(severity, offset, &f.kept[0])
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
	case len(f.kept) < f.limit:
		heap.Push(&f.kept, arrived{finding, arrival})
	default:
		f.kept[0] = arrived{finding, arrival}
		heap.Fix(&f.kept, 0)
	}
}

// AddByTable adds a finding of the reader, for a trace that is checked against the DTD derived from trace.Elements. An
// undeclared attribute is a warning if the table may lack attributes of the element.
func (f *Findings) AddByTable(finding trace.Finding) {
	if finding.Rule == dtd.RuleAttribute && !trace.Lookup([]byte(finding.Element)).Element().Established {
		finding.Severity = trace.Warning
	}
	f.Add(finding)
}

// Result returns the findings so far; the caller sets Input.
func (f *Findings) Result() *Result {
	sorted := slices.Clone(f.kept)
	slices.SortFunc(sorted, func(a, b arrived) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Place.Offset, b.Place.Offset), a.arrival-b.arrival)
	})
	result := &Result{Counts: maps.Clone(f.counts), Errors: f.errors, Warnings: f.warnings}
	for _, finding := range sorted {
		result.Findings = append(result.Findings, finding.Finding)
	}
	return result
}

// arrived is a finding with the number of findings before it.
type arrived struct {
	trace.Finding
	arrival int
}

// outranks reports whether a new finding replaces an earlier one that was kept.
func outranks(severity trace.Severity, offset int64, than *arrived) bool {
	return severity < than.Severity || severity == than.Severity && offset < than.Place.Offset
}

// leastFirst is a heap with the finding to be dropped next on top.
type leastFirst []arrived

func (h leastFirst) Len() int      { return len(h) }
func (h leastFirst) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h leastFirst) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Place.Offset, a.Place.Offset),
		b.arrival-a.arrival) < 0
}

// Push implements heap.Interface.
func (h *leastFirst) Push(finding any) { *h = append(*h, finding.(arrived)) }

// Pop implements heap.Interface.
func (h *leastFirst) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// Result has the findings of one document: a file, the standard input, or an entry of a zip.
type Result struct {
	// Input names the document: the file as given, "-", or file.zip!entry.
	Input string
	// Findings are sorted by place. Beyond the limit, errors are kept rather than warnings, and earlier ones first.
	Findings []trace.Finding
	// Counts has the number of findings of each rule that has any, including those that were not kept.
	Counts map[string]int
	// Errors and Warnings count all findings by severity.
	Errors, Warnings int
}

// Valid reports whether the document has no errors.
func (r *Result) Valid() bool { return r.Errors == 0 }

// Hidden returns how many findings were counted and not kept.
func (r *Result) Hidden() int { return r.Errors + r.Warnings - len(r.Findings) }
