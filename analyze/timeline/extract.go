package timeline

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/trcx/trcx/internal/largest"
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
	q.Arrows, q.Resolution = arrows, 1
	for q.Resolution < (to-from)/4096 { // some thousand buckets
		q.Resolution *= 4
	}
	window, err := x.Window(ctx, q)
	for err == nil && q.Resolution > 1 && window.Rows() < rows/4 {
		coarser := q
		q.Resolution /= 4
		window = nil // so that only one is in memory
		if window, err = x.limited(ctx, q, rows); err == nil && window == nil {
			return x.Window(ctx, coarser)
		}
	}
	return window, err
}

// Foremost returns the most important of the selected threads, at most limit, in the order of their keys: the
// deadlocked ones, then the ones longest on the critical path, then the ones blocked longest.
func (x *Index) Foremost(limit int) []trace.ThreadKey {
	all := largest.List[Thread]{Limit: limit, Compare: func(a, b Thread) int { // of equal ones, the earlier
		return cmp.Or(cmp.Compare(b.Counts[Deadlocked], a.Counts[Deadlocked]), cmp.Compare(b.OnPath, a.OnPath),
			cmp.Compare(b.Times[WaitingForLock], a.Times[WaitingForLock]), cmp.Compare(a.Key, b.Key))
	}}
	for t := range x.All() {
		if !t.Aside {
			all.Add(*t)
		}
	}
	all.Cut()
	keys := make([]trace.ThreadKey, len(all.Values))
	for i := range all.Values {
		keys[i] = all.Values[i].Key
	}
	slices.Sort(keys)
	return keys
}

// Selected returns the number of selected threads.
func (x *Index) Selected() (n int) {
	for t := range x.All() {
		if !t.Aside {
			n++
		}
	}
	return n
}

// Most returns the largest number of rows that the window can have.
func (x *Index) Most(q Request) (n uint64) {
	from, to := q.From+x.earliest, q.To+x.earliest
	for _, key := range q.Threads {
		if !x.has(key) {
			continue
		}
		l := x.lanes[key]
		if l == nil {
			for _, p := range x.entryOf(key).pieces {
				if p.end >= from && p.begin <= to {
					n += uint64(p.records)
				}
			}
			continue
		}
		for _, t := range l.tracks {
			n += uint64(t.open.records)
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
		rows += w.Lanes[i].rows()
	}
	return rows
}

// rows returns the number of spans, mixes, instants and parts of the path.
func (l *Lane) rows() int { return len(l.Spans) + len(l.Mixes) + len(l.Instants) + len(l.Path) }

// Named returns the threads that the window names, in the order of their keys: the threads of its lanes, and the
// threads with which they interacted.
func (x *Index) Named(w *Window) (all []Thread) {
	keys := map[trace.ThreadKey]bool{}
	for i := range w.Lanes {
		l := &w.Lanes[i]
		keys[l.Thread] = true
		for j := range l.Spans {
			keys[l.Spans[j].Other] = true
		}
		for j := range l.Instants {
			keys[l.Instants[j].Other] = true
		}
	}
	for i := range w.Arrows {
		keys[w.Arrows[i].From.Thread], keys[w.Arrows[i].To.Thread] = true, true
	}
	delete(keys, 0)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		all = append(all, x.thread(key))
	}
	return all
}
