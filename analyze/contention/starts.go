package contention

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/trace"
)

// Starts are the times from a call of Thread.start until the new thread ran. In between, it waited for a processor or,
// if it is virtual, for a carrier.
type Starts struct {
	StartTally
	Rows []*StartRow `json:"rows"` // by descending total
}

// StartTally counts starts. Open ones, which no thread has answered at the end of the trace, are in none of the other
// figures.
type StartTally struct {
	Tally
	Open uint64 `json:"open"`
}

// StartRow is about the threads of one pool that threads of another one started.
type StartRow struct {
	startPools
	StartTally
}

type startPools struct {
	Pool string `json:"pool"` // of the threads that started; "" if none has, or they have no names
	By   string `json:"by"`
}

// startKey identifies a row while it is counted.
type startKey struct {
	startPools
	nameless trace.ThreadKey // the starting thread, while it has no name
	open     bool
}

// addStart counts a start.
func (c *Collector) addStart(s *trace.Start) {
	key := startKey{startPools: startPools{By: c.poolNameOf(s.By)}, open: s.Open}
	if key.By == "" {
		key.nameless = s.By
	}
	of := Tally{1, uint64(s.Length()), s.Length()}
	if s.Open {
		of = Tally{Count: 1}
	} else {
		key.Pool = c.poolNameOf(s.Thread)
	}
	c.starts.add(key, of)
}

func (c *Collector) poolNameOf(key trace.ThreadKey) string { return c.poolOf(key).Name }

// startRows returns the starts.
func (c *Collector) startRows() (all Starts) {
	rows := map[startPools]*StartRow{}
	for _, t := range c.starts.heaviest() {
		of := StartTally{Tally: t.Tally}
		if t.of.open {
			of = StartTally{Open: t.Count}
		}
		all.add(of)
		pools := t.of.startPools
		if t.of.nameless != 0 {
			pools.By = c.poolNameOf(t.of.nameless)
		}
		mergeRow(rows, &all.Rows, pools, &StartRow{pools, of}, (*StartRow).merge)
	}
	slices.SortStableFunc(all.Rows, (*StartRow).byTotal)
	return all
}

func (s *StartTally) add(other StartTally) {
	s.Tally.merge(other.Tally)
	s.Open += other.Open
}

func (r *StartRow) merge(other *StartRow) { r.add(other.StartTally) }

// merge adds the starts of other traces. rows has the rows by their keys.
func (s *Starts) merge(other *Starts, rows map[startPools]*StartRow) {
	s.add(other.StartTally)
	for _, row := range other.Rows {
		mergeRow(rows, &s.Rows, row.startPools, row, (*StartRow).merge)
	}
}

// byTotal compares for the order of Starts.Rows.
func (r *StartRow) byTotal(other *StartRow) int {
	return cmp.Or(cmp.Compare(other.Total, r.Total), strings.Compare(r.Pool, other.Pool),
		strings.Compare(r.By, other.By))
}

// late is the length from which a start has a row for people, in nanoseconds.
const late = int64(10 * time.Millisecond)

// startTable shows the starts. It is empty if all threads started soon.
func startTable(s *Statistics, order Order) answer.Table {
	rows := slices.DeleteFunc(slices.Clone(s.Starts.Rows), func(r *StartRow) bool { return r.Max < late })
	return startRows.print(s, "STARTING: threads that had to wait for a processor or a carrier after Thread.start",
		slices.Concat(answer.Left("pool"), answer.Left("started by").Spare(2), answer.Right("starts").Spare(3),
			answer.Right("total", "longest"), answer.Right("open").Spare(4)), rows, order, Blocked, func(r *StartRow) []any {
			return answer.Row(cmp.Or(r.Pool, "(no name)"), cmp.Or(r.By, "(no name)"), r.Count, answer.Total(r.Total),
				answer.Time(r.Max), answer.Known(r.Open))
		})
}
