package contention

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/sanitize"
	"github.com/trcx/trcx/trace"
)

// MonitorTime is the time that threads were BLOCKED by place, as a profiler summed it up, without single waits.
type MonitorTime struct {
	Total int64          `json:"total"` // nanoseconds, as the profiler states it
	Rows  []MonitorShare `json:"rows"`
}

// MonitorShare is the share of the total at one place and monitors of one class.
type MonitorShare struct {
	Share float64 `json:"share"` // from 0 to 1, as the profiler rounded it
	Count uint64  `json:"count"`
	Class string  `json:"monitorClass"` // in Java's form
	Place Place   `json:"place,omitzero"`
}

// summed adds a profiler's table.
func (c *Collector) summed(m *trace.MonitorTime) {
	table := MonitorTime{Total: m.Total}
	for _, row := range m.Rows {
		table.Rows = append(table.Rows, MonitorShare{row.Share, row.Count, row.Class, placeAt(row.Caller)})
	}
	c.trace.MonitorTimes = append(c.trace.MonitorTimes, table)
}

// monitorTimes returns the tables of all traces, and the sum of their totals. They cannot be selected in part.
func (s *Statistics) monitorTimes() (all []MonitorTime, total int64) {
	if s.Selected {
		return nil, 0
	}
	for i := range s.Traces {
		all = append(all, s.Traces[i].MonitorTimes...)
	}
	for _, m := range all {
		total += m.Total
	}
	return all, total
}

// monitorTimeTable shows the tables of profilers. It is empty without any. The shares are of the sum of the stated
// totals.
func monitorTimeTable(s *Statistics, order Order) answer.Table {
	type weighted struct {
		MonitorShare
		time float64
	}
	var rows []*weighted
	all, total := s.monitorTimes()
	for _, m := range all {
		for _, row := range m.Rows {
			rows = append(rows, &weighted{row, row.Share * float64(m.Total)})
		}
	}
	if total <= 0 {
		return answer.Table{}
	}
	slices.SortStableFunc(rows, func(a, b *weighted) int { return cmp.Compare(b.time, a.time) })
	return tableOf[weighted]{}.print(s,
		fmt.Sprintf("BLOCKED by place, as shares of the %s that MONITOR TIME states", phrase.Duration(total)),
		slices.Concat(answer.Right("share"), answer.Right("count").Spare(1), answer.Left("place"),
			answer.Left("monitor").Spare(2)), rows, order, Blocked, func(row *weighted) []any {
			return answer.Row(percentOf(row.time/float64(total)), row.Count, placeTitle(row.Place),
				phrase.Name(row.Class))
		})
}

func placeTitle(p Place) string {
	if p == (Place{}) {
		return "(unknown)"
	}
	return sanitize.Text(p.String())
}
