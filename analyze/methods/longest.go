package methods

import (
	"cmp"
	"slices"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/largest"
	"github.com/trcx/trcx/trace"
)

// newLongest returns a list of the longest calls of a recording. With a call it has all calls around it, because these
// are not shorter, and among calls of one length those entered first are preferred.
func newLongest(most int) largest.List[ended] {
	return largest.List[ended]{Limit: most, Compare: func(a, b ended) int {
		return cmp.Or(cmp.Compare(b.cumulative, a.cumulative), cmp.Compare(a.order, b.order))
	}}
}

// pageCalls are single calls by columns: the calls of each thread together, in the order of their entries.
type pageCalls struct {
	IDs     []jsontext.String `json:"ids"`     // of threads
	Threads []jsontext.String `json:"threads"` // titles
	Names   []jsontext.String `json:"names"`   // of methods
	Thread  []int             `json:"thread"`
	Name    []int             `json:"name"`
	Level   []int             `json:"level"` // how many calls are around it
	Begin   []int64           `json:"begin"` // since the previous call's begin; the first since the trace's start
	Length  []int64           `json:"length"`
	Omitted int               `json:"omitted"` // shorter calls
}

// pageCalls returns the longest calls of the selected threads; nil if none were kept or they are of several recordings,
// whose ids of threads have several meanings. Titles of methods are by their numbers.
func (s *Session) pageCalls(selected func(id, name, group string) bool, titles []jsontext.String, start trace.Time) *pageCalls {
	if len(s.longest.Values) == 0 || s.others > 0 {
		return nil
	}
	s.longest.Cut()
	calls := slices.Clone(s.longest.Values)
	slices.SortFunc(calls, func(a, b ended) int {
		return cmp.Or(cmp.Compare(a.thread, b.thread), cmp.Compare(a.order, b.order))
	})
	doc := &pageCalls{Omitted: s.longest.Omitted}
	names, before, last := map[int32]int{}, int64(start), int32(-1)
	for i := range calls {
		e := &calls[i]
		t := s.threads[e.thread]
		if selected != nil && !selected(t.id, t.name, t.group) {
			continue
		}
		if e.thread != last {
			last = e.thread
			doc.IDs, doc.Threads = append(doc.IDs, pageName(t.id)), append(doc.Threads, pageName(t.title()))
		}
		method := s.tree.at(e.node).method
		name, known := names[method]
		if !known {
			name = len(doc.Names)
			names[method], doc.Names = name, append(doc.Names, titles[method])
		}
		doc.Thread, doc.Name = append(doc.Thread, len(doc.IDs)-1), append(doc.Name, name)
		doc.Level, doc.Begin = append(doc.Level, int(e.level)), append(doc.Begin, e.begin-before)
		doc.Length, before = append(doc.Length, e.cumulative), e.begin
	}
	if len(doc.Name) == 0 {
		return nil
	}
	return doc
}
