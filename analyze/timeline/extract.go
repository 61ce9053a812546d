package timeline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/trcx/trcx/trace"
)

// Extract returns the window with the finest resolution that has at most the given number of rows: spans, mixes,
// instants and parts of the path. It has all arrows if no spans are merged, else at most the given number.
func (x *Index) Extract(ctx context.Context, threads []trace.ThreadKey, from, to int64, rows, arrows int) (*Window,
	error) {
	q := Request{Threads: threads, From: from, To: to}
	if x.Most(q) <= uint64(rows) {
		q.Arrows = math.MaxInt
		return x.Window(ctx, q)
	}
	q.Arrows, q.Resolution = arrows, coarsest(to-from)
	fitting, err := x.Window(ctx, q)
	for err == nil && q.Resolution > 1 && fitting.Rows() < rows/4 {
		q.Resolution /= 4
		finer, failed := x.Window(ctx, q)
		if failed != nil || finer.Rows() > rows {
			return fitting, failed
		}
		fitting = finer
	}
	return fitting, err
}

// Foremost returns the most important of the selected threads, at most limit, in the order of their keys: those that
// are deadlocked, then those longest on the critical path, then those blocked longest.
func (x *Index) Foremost(limit int) []trace.ThreadKey {
	keys := slices.DeleteFunc(x.Keys(), func(key trace.ThreadKey) bool { return x.threads[key-1].Aside })
	if len(keys) <= limit {
		return keys
	}
	slices.SortStableFunc(keys, func(a, b trace.ThreadKey) int {
		s, t := &x.threads[a-1], &x.threads[b-1]
		return cmp.Or(cmp.Compare(t.Counts[Deadlocked], s.Counts[Deadlocked]), cmp.Compare(t.OnPath, s.OnPath),
			cmp.Compare(t.Times[WaitingForLock], s.Times[WaitingForLock]))
	})
	keys = keys[:limit]
	slices.Sort(keys)
	return keys
}

// coarsest returns the first resolution that is tried, a power of four: some thousand buckets.
func coarsest(length int64) int64 {
	resolution := int64(1)
	for resolution < length/4096 {
		resolution *= 4
	}
	return resolution
}

// Most returns the largest number of rows that the window can have.
func (x *Index) Most(q Request) (n uint64) {
	from, to := q.From+x.earliest, q.To+x.earliest
	for _, key := range q.Threads {
		if key == 0 || int(key) > len(x.lanes) {
			continue
		}
		l := &x.lanes[key-1]
		for _, t := range []*track{&l.spans, &l.path} {
			n += uint64(t.records)
			for i := range t.blocks {
				if b := &t.blocks[i]; b.end >= from && b.begin <= to {
					n += uint64(b.records)
				}
			}
		}
	}
	return n
}

// Rows returns the number of spans, mixes, instants and parts of the path.
func (w *Window) Rows() (rows int) {
	for i := range w.Lanes {
		l := &w.Lanes[i]
		rows += len(l.Spans) + len(l.Mixes) + len(l.Instants) + len(l.Path)
	}
	return rows
}
