package deadlock

import (
	"github.com/trcx/trcx/analyze/answer"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/trace/javaname"
)

// csv yields the rows of the CSV: a row for each thread of a deadlock, each stuck thread, and each order of an
// inversion. Lengths are in nanoseconds, points in time in nanoseconds since the trace's start.
func (r *Report) csv(yield func([]any) bool) {
	_ = yield(answer.Row("finding", "number", "threadKey", "threadId", "threadName", "holds", "holdsClass", "wants",
		"wantsClass", "ownerKey", "ownerId", "ownerName", "since", "blocked", "times", "place", "entered")) &&
		r.deadlockRows(yield) && r.inversionRows(yield)
}

func (r *Report) deadlockRows(yield func([]any) bool) bool {
	for i := range r.Deadlocks {
		d := &r.Deadlocks[i]
		kind := "deadlock"
		if d.Init() {
			kind = "class-init-deadlock"
		}
		for j := range d.Members {
			b, next, before := d.around(j)
			if !yield(r.row(kind, i, b, &before.Monitor, &next.Thread, 1)) {
				return false
			}
		}
		for j := range d.Stuck {
			s, finding := d.Stuck[j], "stuck"
			if s.Joins {
				finding, s.Monitor = "stuck, joining", Monitor{}
			}
			if !yield(r.row(finding, i, &s.Block, &Monitor{}, &s.Blocker, 1)) {
				return false
			}
		}
	}
	return true
}

func (r *Report) inversionRows(yield func([]any) bool) bool {
	for i := range r.Inversions {
		inversion := &r.Inversions[i]
		finding := inversion.Evidence.String() + " inversion"
		if inversion.Harmless() {
			finding = "harmless " + finding
		}
		for j := range inversion.Orders {
			o := &inversion.Orders[j]
			if !yield(r.row(finding, i, &o.Example, &o.Held, &Thread{}, o.Times)) {
				return false
			}
		}
	}
	return true
}

// row returns the row of a thread that is or was blocked.
func (r *Report) row(finding string, i int, b *Block, held *Monitor, owner *Thread, times int) []any {
	return answer.Row(finding, i+1, b.Thread.cells(), held.ID, javaname.DeclaredClass(held.Class), b.Monitor.ID,
		javaname.DeclaredClass(b.Monitor.Class), owner.cells(), answer.Time(int64(b.Since-r.Start)),
		answer.Time(b.Length()), times, wording.Frame(b.Caller), wording.Frame(b.Taken))
}

// cells returns the key, the id and the name of a thread; all are empty for the zero Thread.
func (t *Thread) cells() []any {
	return answer.Row(answer.Known(uint64(t.Key)), t.ID, t.Name)
}
