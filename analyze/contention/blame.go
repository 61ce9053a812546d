package contention

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/internal/table"
)

// Blame is who kept threads waiting, as analyze/blame finds it, summed by pools so that runs can be merged and
// compared.
type Blame struct {
	Total uint64      `json:"total"` // of all finished waits, in nanoseconds
	Count uint64      `json:"count"` // of finished waits
	Rows  []*BlameRow `json:"rows"`  // by descending total
}

// BlameRow is the part of a pool in one state.
type BlameRow struct {
	BlameKey
	Total uint64 `json:"total"` // nanoseconds
	Count uint64 `json:"count"` // of waits in which it has a part
}

// BlameKey is who is to blame, in words.
type BlameKey struct {
	Pool string `json:"pool"` // "" if it is unknown
	Kind string `json:"kind"` // segment, latency or unknown, as in the JSON of blame
	Did  string `json:"did"`  // for people: SLEEPING, or had woken another thread
}

// merge adds the blame of other traces.
func (b *Blame) merge(other *Blame) {
	b.Total = histogram.Sum(b.Total, other.Total)
	b.Count += other.Count
	rows := map[BlameKey]*BlameRow{}
	for _, row := range b.Rows {
		rows[row.BlameKey] = row
	}
	for _, row := range other.Rows {
		if known := rows[row.BlameKey]; known != nil {
			known.Total = histogram.Sum(known.Total, row.Total)
			known.Count += row.Count
			continue
		}
		b.Rows = append(b.Rows, row)
	}
	b.sort()
}

// sort sorts the rows by their totals.
func (b *Blame) sort() {
	slices.SortStableFunc(b.Rows, func(x, y *BlameRow) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), strings.Compare(x.Pool, y.Pool), strings.Compare(x.Did, y.Did))
	})
}

// blameTable is who kept threads waiting, where that was computed.
func blameTable(s *Statistics, order Order) table.Table {
	t := table.Table{Title: "Who kept threads waiting, by pool", Columns: append(table.Right("share", "time", "waits"),
		table.Left("pool", "state")...)}
	if s.Blame == nil {
		return t
	}
	rows := s.Blame.Rows
	if more := len(rows) - order.Top; order.Top > 0 && more > 0 {
		rows = rows[:order.Top]
		t.AddNote(moreRows(more))
	}
	for _, row := range rows {
		t.Rows = append(t.Rows, []table.Cell{table.Text(percent(row.Total, s.Blame.Total)), table.Total(row.Total),
			table.Count(row.Count), table.Text(cmp.Or(phrase.Name(row.Pool), "(unknown)")), table.Text(row.Did)})
	}
	return t
}
