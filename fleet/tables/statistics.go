package tables

import (
	"github.com/trcx/trcx/analyze/contention"
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
	return s
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
