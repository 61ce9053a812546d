package contention

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
)

// Blame is who kept threads waiting, as analyze/blame finds it. It is summed by pools, so that runs can be merged and
// compared.
type Blame struct {
	Total uint64      `json:"total"` // of all finished waits, in nanoseconds
	Count uint64      `json:"count"` // of finished waits
	Rows  []*BlameRow `json:"rows"`  // by descending total
}

// BlameRow is the share of a pool in one state.
type BlameRow struct {
	BlameKey
	Total uint64 `json:"total"` // nanoseconds
	Count uint64 `json:"count"` // of waits in which it has a share
	// States are the states of the row as people read them, unless Did returns the same without them.
	States []string `json:"states,omitempty"`
}

// BlameKey identifies a culprit, as in the JSON of blame.
type BlameKey struct {
	Pool  string `json:"pool,omitempty"` // "" if it is unknown, or has no name
	Kind  string `json:"kind"`           // segment, latency, unknown or pause
	State string `json:"state,omitempty"`
}

// Title is the pool for people.
func (k BlameKey) Title() string {
	switch {
	case k.Pool != "":
		return phrase.Name(k.Pool)
	case k.Kind == blame.Unknown.String():
		return "(unknown)"
	case k.Kind == blame.Paused.String():
		return "(garbage collection)"
	}
	return "(thread without a name)"
}

// Did says what the pool did, for people: SLEEPING, or had woken another thread. states are the States of the row.
func (k BlameKey) Did(states []string) string { return phrase.List(k.did(states), "or") }

func (k BlameKey) did(states []string) []string {
	if len(states) > 0 {
		return states
	}
	if did, ok := blame.DidOf(k.Kind, k.State); ok {
		return []string{did}
	}
	return []string{phrase.Name(cmp.Or(k.State, k.Kind))} // in statistics saved by a later trcx
}

// AddStates returns the states of two rows of the key, each once.
func (k BlameKey) AddStates(some, others []string) []string {
	if len(some)+len(others) == 0 {
		return nil
	}
	all := slices.Clone(k.did(some))
	for _, state := range k.did(others) {
		if !slices.Contains(all, state) {
			all = append(all, state)
		}
	}
	return all
}

// BlameOf returns the sums of the blame by pools.
func BlameOf(b *blame.Blame) *Blame {
	sums := &Blame{Total: uint64(b.Total), Count: uint64(b.Count)}
	byKey := map[BlameKey]*BlameRow{} // threads without a name are rows of their own in blame
	for _, row := range b.Pools() {
		key := BlameKey{row.Pool, row.Kind.String(), row.State()}
		one := &BlameRow{key, uint64(row.Total), uint64(row.Count), key.statesOf(&row)}
		mergeRow(byKey, &sums.Rows, key, one, (*BlameRow).merge)
	}
	slices.SortStableFunc(sums.Rows, (*BlameRow).byTotal)
	return sums
}

// statesOf returns the States of a row.
func (k BlameKey) statesOf(row *blame.Row) (names []string) {
	if row.Kind != blame.Segment {
		return nil
	}
	for _, state := range row.States {
		names = append(names, state.String())
	}
	if slices.Equal(names, k.did(nil)) {
		return nil
	}
	return names
}

func (r *BlameRow) merge(other *BlameRow) {
	r.Total = histogram.Sum(r.Total, other.Total)
	r.Count += other.Count
	r.States = r.AddStates(r.States, other.States)
}

// byTotal compares for the order of Blame.Rows.
func (r *BlameRow) byTotal(other *BlameRow) int {
	return cmp.Or(cmp.Compare(other.Total, r.Total), strings.Compare(r.Pool, other.Pool),
		strings.Compare(r.Kind, other.Kind), strings.Compare(r.State, other.State))
}

// unblamed is the remark that some of the traces lack the blame; "" if all have it, or none.
func (s *Statistics) unblamed() string {
	lacking := s.Unblamed
	if len(lacking) == 0 || len(lacking) == len(s.Traces) {
		return ""
	}
	names := slices.Clone(lacking[:min(maxNamed, len(lacking))])
	for i := range names {
		names[i] = phrase.Name(names[i])
	}
	if more := len(lacking) - len(names); more > 0 {
		names = append(names, phrase.Number(uint64(more))+" more")
	}
	return "Who kept threads waiting is not summed: the statistics of " + phrase.List(names, "and") + " do not have it."
}

// blameTable shows who kept threads waiting, if that was computed.
func blameTable(s *Statistics, order Order) answer.Table {
	if s.Blame == nil {
		return answer.Table{}
	}
	return blameRows.print(s, "Who kept threads waiting, by pool", slices.Concat(answer.Right("share", "time"),
		answer.Right("waits").Spare(2), answer.Left("pool"), answer.Left("state").Spare(1)), s.Blame.Rows, order, Blocked,
		func(row *BlameRow) []any {
			return answer.Row(percent(row.Total, s.Blame.Total), answer.Total(row.Total), row.Count, row.Title(),
				row.Did(row.States))
		})
}
