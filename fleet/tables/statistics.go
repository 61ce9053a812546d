package tables

import (
	"slices"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/fleet/rows"
)

// Statistics returns sorted rows as the statistics of several traces, for comparisons: their threads are pools, and
// there are no single monitors.
func Statistics(all []rows.Row) *contention.Statistics {
	s := &contention.Statistics{}
	for _, t := range subjects(all, rows.Trace) {
		if t.Status != rows.StatusOfDead {
			s.Traces = append(s.Traces, contention.Trace{Name: t.Trace, Duration: int64(t.Length), Events: t.Events})
		}
	}
	if len(s.Traces) == 0 { // the rows of traces are of no hour
		for _, h := range subjects(all, rows.Hour) {
			for range h.Traces {
				s.Traces = append(s.Traces, contention.Trace{Duration: int64(h.Length / h.Traces)})
			}
		}
	}
	for _, a := range subjects(all, rows.All) {
		times := a.distributions()
		s.All.Merge(&times)
	}
	for _, p := range subjects(all, rows.Pool) {
		s.Threads = append(s.Threads, &contention.Thread{NamedThread: contention.NamedThread{Name: p.Pool},
			Times: p.distributions()})
	}
	for _, c := range subjects(all, rows.Class) {
		s.Classes = append(s.Classes, &contention.Class{Name: c.Class, Times: c.distributions()})
	}
	for _, c := range subjects(all, rows.Caller) {
		s.Callers = append(s.Callers, &contention.Caller{Class: c.Class, Method: c.Method, Times: c.distributions()})
	}
	s.Blame = blamed(all)
	return s
}

// blamed returns who kept threads waiting, without the classes of what they waited for.
func blamed(all []rows.Row) *contention.Blame {
	sums, byKey := &contention.Blame{}, map[contention.BlameKey]*contention.BlameRow{}
	for _, b := range subjects(all, rows.Blame) {
		key := contention.BlameKey{Pool: b.Pool, Kind: b.Kind, State: b.State}
		row := byKey[key]
		if row == nil {
			row = &contention.BlameRow{BlameKey: key}
			byKey[key], sums.Rows = row, append(sums.Rows, row)
		}
		row.Total = histogram.Sum(row.Total, b.Total)
		row.Count += b.Count
		if b.Name != "" && !slices.Contains(row.States, b.Name) {
			row.States = append(row.States, b.Name)
		}
		sums.Total = histogram.Sum(sums.Total, b.Total)
	}
	return sums
}

// distributions returns the times of the subject.
func (s *subject) distributions() (times contention.Times) {
	for kind := range contention.KindCount {
		if v := s.times[kind.String()]; v != nil {
			d, _ := v.Distribution()
			times.Set(kind, d)
		}
	}
	return times
}
