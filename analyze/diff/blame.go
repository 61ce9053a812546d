package diff

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/contention"
)

// BlameRow is the difference of the share of a pool in one state in all waits. Base and Head are in nanoseconds.
type BlameRow struct {
	contention.BlameKey
	Base   BlameSum `json:"base"`
	Head   BlameSum `json:"head"`
	Change int64    `json:"change"` // head minus scaled base, in nanoseconds
	// Noise is the size of a change, in nanoseconds, that chance explains: twice the standard deviation of a sum of as
	// many exponentially distributed lengths, a few long ones among many short ones.
	Noise int64 `json:"noise"`
	// states are the states of both sides, as people read them. They are empty if the key names the only state.
	states []string
}

// variance returns the variance of the sum.
func (s BlameSum) variance() float64 {
	if s.Count == 0 {
		return 0
	}
	return 2 * float64(s.Total) * float64(s.Total) / float64(s.Count)
}

// BlameSum is a sum over waits.
type BlameSum struct {
	Count uint64 `json:"count"`
	Total uint64 `json:"total"`
}

// compareBlame joins the rows of both sides. The largest changes come first.
func (c *Comparison) compareBlame(base, head *contention.Blame) {
	if base == nil || head == nil {
		c.NoBlame = lacking(base != nil, head != nil)
		return
	}
	rows := map[contention.BlameKey]*BlameRow{}
	of := func(key contention.BlameKey) *BlameRow {
		if rows[key] == nil {
			rows[key] = &BlameRow{BlameKey: key}
		}
		return rows[key]
	}
	for _, row := range base.Rows {
		of(row.BlameKey).Base, of(row.BlameKey).states = BlameSum{row.Count, row.Total}, row.States
	}
	for _, row := range head.Rows {
		joined := of(row.BlameKey)
		if joined.Head = (BlameSum{row.Count, row.Total}); joined.Base.Count == 0 {
			joined.states = row.States
		} else {
			joined.states = row.AddStates(joined.states, row.States)
		}
	}
	for _, row := range rows {
		row.Change = whole(float64(row.Head.Total) - c.Scale*float64(row.Base.Total))
		row.Noise = whole(2 * math.Sqrt(row.Head.variance()+c.Scale*c.Scale*row.Base.variance()))
		c.Blame = append(c.Blame, *row)
	}
	slices.SortFunc(c.Blame, func(a, b BlameRow) int {
		return cmp.Or(cmp.Compare(math.Abs(float64(b.Change)), math.Abs(float64(a.Change))),
			strings.Compare(a.Pool, b.Pool), strings.Compare(a.Kind, b.Kind),
			strings.Compare(a.State, b.State))
	})
}

// lacking names the sides that lack something; "" for neither.
func lacking(base, head bool) string {
	switch {
	case base && head:
		return ""
	case base:
		return "head"
	case head:
		return "base"
	}
	return "base and head"
}

// blameTable shows the rows that changed beyond noise, or all.
func (c *Comparison) blameTable(options Options) answer.Table {
	t := answer.Table{Title: "Who kept threads waiting, by pool", Columns: slices.Concat(answer.Left("pool", "state"),
		answer.Right("waits", "→").Spare(2), answer.Right("time", "→").Spare(1), answer.Right("change"))}
	quiet := 0
	for _, row := range c.Blame {
		if !options.All && max(row.Change, -row.Change) <= row.Noise {
			quiet++
			continue
		}
		t.Add(row.Title(), row.Did(row.states), row.Base.Count, row.Head.Count, answer.Total(row.Base.Total),
			answer.Total(row.Head.Total), answer.Time(row.Change))
	}
	options.finish(&t, quiet)
	return t
}
