package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/internal/phrase"
)

// Live is the live objects of a class, or of another group, in a heap.
type Live struct {
	// Title names the group; Place is where in the program its objects were allocated, "" if not asked for.
	Title, Place string
	Count, Bytes uint64
}

// Heaps is the comparison of the live objects of two heaps.
type Heaps struct {
	by         string
	base, head Live // sums
	rows       []heapRow
}

// heapRow is a group of objects in the base and in the head.
type heapRow struct{ base, head Live }

func (r *heapRow) growth() int64 { return int64(r.head.Bytes - r.base.Bytes) }

// CompareHeaps compares two heaps. by is the title of the column that names the groups: class, thread and so on.
func CompareHeaps(by string, base, head []Live) *Heaps {
	h := &Heaps{by: by}
	rows := map[Live]*heapRow{}
	row := func(l *Live) *heapRow {
		named := Live{Title: l.Title, Place: l.Place}
		if rows[named] == nil {
			rows[named] = &heapRow{named, named}
		}
		return rows[named]
	}
	for i := range base {
		row(&base[i]).base.add(&base[i])
		h.base.add(&base[i])
	}
	for i := range head {
		row(&head[i]).head.add(&head[i])
		h.head.add(&head[i])
	}
	for _, r := range rows {
		h.rows = append(h.rows, *r)
	}
	slices.SortFunc(h.rows, func(a, b heapRow) int {
		return cmp.Or(cmp.Compare(b.growth(), a.growth()), cmp.Compare(b.head.Bytes, a.head.Bytes),
			strings.Compare(a.base.Title, b.base.Title), strings.Compare(a.base.Place, b.base.Place))
	})
	return h
}

func (l *Live) add(more *Live) {
	l.Count += more.Count
	l.Bytes += more.Bytes
}

// Answer returns the answer: for people the groups that grew most, or shrank; as CSV and JSON all groups.
func (h *Heaps) Answer(o Options) *answer.Answer {
	return &answer.Answer{
		Report: func() *answer.Report {
			return &answer.Report{Headline: h.headline(), Tables: []answer.Table{h.table(o)}}
		},
		CSV:  answer.RowsOf(func() answer.Table { return h.table(Options{All: true}) }),
		JSON: func() any { return h.json() },
	}
}

func (h *Heaps) headline() string {
	sum := heapRow{h.base, h.head}
	growth := "the same size"
	switch n := sum.growth(); {
	case n > 0:
		growth = phrase.Size(uint64(n)) + " more"
	case n < 0:
		growth = phrase.Size(uint64(-n)) + " less"
	}
	return fmt.Sprintf("The base has %s, %s; the head has %s, %s: %s.", objects(h.base.Count),
		phrase.Size(h.base.Bytes), objects(h.head.Count), phrase.Size(h.head.Bytes), growth)
}

func objects(n uint64) string {
	if n == 1 {
		return "1 object"
	}
	return phrase.Number(n) + " objects"
}

func (h *Heaps) table(o Options) answer.Table {
	placed, column := slices.ContainsFunc(h.rows, func(r heapRow) bool { return r.base.Place != "" }), h.by
	if placed {
		column = "class"
	}
	t := answer.Table{Title: "Live objects by " + h.by,
		Columns: slices.Concat(answer.Right("growth").Spare(2), answer.Right("growth bytes"),
			answer.Right("base", "base bytes").Spare(3), answer.Right("head", "head bytes").Spare(1), answer.Left(column))}
	if placed {
		t.Columns = append(t.Columns, answer.Left("place")...)
	}
	same := 0
	for i := range h.rows {
		r := &h.rows[i]
		if r.growth() == 0 && r.base.Count == r.head.Count && !o.All {
			same++
			continue
		}
		t.Add(answer.CountChange(int64(r.head.Count-r.base.Count)), answer.BytesChange(r.growth()), r.base.Count,
			answer.Bytes(r.base.Bytes), r.head.Count, answer.Bytes(r.head.Bytes),
			answer.Row(r.base.Title, r.base.Place)[:len(t.Columns)-6])
	}
	t.Limit(o.Top)
	if same > 0 {
		t.Note("%s unchanged", phrase.Number(same))
	}
	return t
}

// The JSON of a comparison of heaps. Sizes are in bytes.
type (
	jsonLive struct {
		Count uint64 `json:"count"`
		Bytes uint64 `json:"bytes"`
	}
	jsonHeapRow struct {
		Name   jsontext.String `json:"name"`
		Place  jsontext.String `json:"place,omitempty"`
		Base   jsonLive        `json:"base"`
		Head   jsonLive        `json:"head"`
		Growth int64           `json:"growth"`
	}
)

// json returns the JSON of all groups.
func (h *Heaps) json() answer.Object {
	return answer.Object{{Name: "by", Value: h.by}, {Name: "heaps", Value: answer.ListOf(h.rows, func(r *heapRow) jsonHeapRow {
		return jsonHeapRow{jsontext.String(r.base.Title), jsontext.String(r.base.Place),
			jsonLive{r.base.Count, r.base.Bytes}, jsonLive{r.head.Count, r.head.Bytes}, r.growth()}
	})}}
}

// HasWaits reports which of the sides have times of threads.
func (c *Comparison) HasWaits() (base, head bool) {
	for _, change := range c.All {
		base, head = base || change.Base.Count > 0, head || change.Head.Count > 0
	}
	return base, head
}
