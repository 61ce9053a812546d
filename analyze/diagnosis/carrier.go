package diagnosis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/samples"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// keptCarriers returns a finding on virtual threads that wait and keep their carriers, or compute, while others are
// ready to run and no carrier is free. Only a single thread dump of all virtual threads shows that. computed are
// threads known to have computed for long before it was made; at the moment of a dump, virtual threads may all run by
// chance.
func (f *facts) keptCarriers(computed []samples.Busy) []Finding {
	if f.States == nil || f.Blame == nil || f.length() > 0 {
		return nil
	}
	var kept []blame.Wait
	ready, waiting, computing, kinds, busy := 0, 0, 0, map[string]bool{}, map[trace.ThreadID]bool{}
	for _, carrier := range f.States.carriedBy {
		busy[carrier] = true
	}
	for t := range f.Blame.Threads {
		if busy[t.ID] {
			kinds[threads.PoolOf(t.Name)] = true
		}
		carrier, virtual := f.States.carriedBy[t.Key]
		w, lives := f.Blame.Last(t.Key)
		switch {
		case !virtual || !lives:
		case carrier.Known():
			if w.Type != trace.Running {
				waiting++
			} else if i := slices.IndexFunc(computed, isIt(&t)); i >= 0 {
				computing++
				w.Caller = computed[i].Place
			}
			kept = append(kept, w)
		case w.Type == trace.Running:
			ready++
		}
	}
	if ready == 0 || waiting+computing == 0 {
		return nil
	}
	for t := range f.Blame.Threads {
		if _, virtual := f.States.carriedBy[t.Key]; !virtual && !busy[t.ID] && kinds[threads.PoolOf(t.Name)] {
			return nil // this carrier is free
		}
	}
	slices.SortStableFunc(kept, func(a, b blame.Wait) int { return cmp.Compare(runs(&a), runs(&b)) })
	found := Finding{Kind: Pinned, Certainty: Likely, Waiting: ready, Total: noTotal, Command: f.command(More{Analysis: "stats"})}
	found.own = waiting+computing < len(kept)/2 || ready < len(kept) // that may have been a moment
	var who []string
	for i := range kept[:min(len(kept), maxListed)] {
		w, keeps := &kept[i], " has one, "
		if runs(w) == 0 {
			keeps = " keeps one, "
		}
		if runs(w) == 0 || w.Caller.Method != nil {
			found.Threads = append(found.Threads, threadOf(w.Thread.ID.String(), w.Thread.Name))
			found.Places = append(found.Places, []trace.Frame{w.Caller})
		}
		who = append(who, w.Thread.Title()+keeps+w.State.String()+at(w))
	}
	free := "the only carrier is not free: "
	if len(kept) > 1 {
		free = fmt.Sprintf("none of the %d carriers is free: ", len(kept))
	}
	found.Summary = phrase.Count(ready, "virtual thread is", "virtual threads are") + " ready to run, and " + free +
		listOf(who, len(kept)-len(who)) + "."
	return []Finding{found}
}

// isIt returns a function that reports whether a thread that computes is the given one.
func isIt(t *critical.Thread) func(samples.Busy) bool {
	return func(b samples.Busy) bool { return b.Thread.ID == t.ID }
}

// runs is 1 for a virtual thread that uses its carrier, and 0 for one that waits and keeps it.
func runs(w *blame.Wait) int {
	if w.Type == trace.Running {
		return 1
	}
	return 0
}
