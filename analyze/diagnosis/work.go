package diagnosis

import (
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// isMain reports whether the thread is a program's main thread. It waits for the threads to which it has given work, so
// its waits do not show that these are too slow.
func isMain(t *critical.Thread) bool { return t.Name == "main" }

// coordinates reports whether the group is a single thread that waits for work to be done, or for work to do.
func coordinates(g *blame.Group, kind Kind) bool {
	return len(g.Waiters) == 1 && (isMain(&g.Longest.Thread) || kind == QueueEmpty)
}

// workOf is the work for which the only thread of the group waited nearly all the time, or but for too little to
// matter: "main (thread 1) waited for threads of batch-*, which computed"; "" if it waited for something else.
func (f *facts) workOf(g *blame.Group, kind Kind, others []culprit) string {
	if !coordinates(g, kind) {
		return ""
	}
	worked := slices.DeleteFunc(slices.Clone(others), func(c culprit) bool { return !f.works(&c) })
	if len(worked) == 0 || g.Total-totalOf(worked) > max(g.Total/10, f.length()/leastOfRun) {
		return ""
	}
	who, sum := worked[0].title, worked[0]
	for i := range worked[1:] {
		c := &worked[i+1]
		if sum.add(c); c.ID != sum.ID && c.Pool == sum.Pool {
			who = "threads of " + phrase.Name(sum.Pool)
		}
	}
	did := "computed"
	if sum.measured >= sum.total-sum.total/leastNamed && !sum.computed() {
		did = "could run, but only for " + phrase.Percent(sum.onCPU, sum.measured) + " of that on a processor"
	}
	return f.work(&g.Longest, who, sum.Pool, did)
}

// work is the clause on a thread that waits for another one, and on what that did.
func (f *facts) work(w *blame.Wait, who, pool, did string) string {
	f.worked[pool] = true
	return w.Thread.Title() + " waited for " + who + ", which " + did
}

// works reports whether it was RUNNABLE, and on a processor for a tenth of that: the machine can be busy. If that is
// unknown, its pool ran.
func (f *facts) works(c *culprit) bool {
	if c.kind != blame.Segment || c.state != trace.StateRunnable || f.Statistics == nil {
		return false
	}
	if c.measured > c.total/2 {
		return c.onCPU > c.measured/10
	}
	return f.ran(c.Pool)
}

// awaitedWork is workOf for a wait that is not over: for the end of a thread that computes, or for tasks that such
// threads run.
func (f *facts) awaitedWork(g *openGroup, runners []critical.Thread) string {
	w := &g.Longest
	if w.Type == trace.WaitingForJoin {
		runners = []critical.Thread{w.Other}
	}
	if len(g.Waiters) > 1 || !isMain(&w.Thread) || len(runners) == 0 || !f.compute(runners) {
		return ""
	}
	return f.work(w, runners[0].Title(), threads.PoolOf(runners[0].Name), "computed")
}

// compute reports whether all the threads computed when the trace ended. Thread dumps made beside a trace have the same
// ids.
func (f *facts) compute(all []critical.Thread) bool {
	busy := f.computing()
	return !slices.ContainsFunc(all, func(t critical.Thread) bool {
		return !slices.ContainsFunc(busy, isIt(&t))
	})
}

// awaiting counts the program's threads, without its main thread, that still wait for one of the computing threads, and
// sums up their times.
func (f *facts) awaiting(busy []samples.Busy) (waiting int, total int64) {
	if f.Blame == nil {
		return 0, 0
	}
	ids := map[trace.ThreadID]bool{}
	for i := range busy {
		ids[busy[i].Thread.ID] = true
	}
	keys := map[trace.ThreadKey]bool{}
	for t := range f.Blame.Threads {
		keys[t.Key] = ids[t.ID]
	}
	for _, key := range f.Blame.OpenThreads() {
		if w, by := f.Blame.OpenWait(key); keys[by] && !isMain(&w.Thread) {
			waiting, total = waiting+1, histogram.Sum(total, w.Length())
		}
	}
	return waiting, total
}
