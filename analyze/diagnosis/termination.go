package diagnosis

import (
	"maps"
	"slices"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// Threads that wait for an executor to terminate, and the executor's threads that keep it from that.

// What such threads wait for.
const (
	forkPoolEnd        = "a ForkJoinPool to terminate"
	executorEnd        = "an executor to terminate"
	executorThreadsEnd = "the ends of an executor's threads"
	subtasksEnd        = "the subtasks of a StructuredTaskScope"
)

// executorClasses are the classes of the executors that threads wait for, by what they wait for.
var executorClasses = map[string]string{
	forkPoolEnd:        "java/util/concurrent/ForkJoinPool",
	executorEnd:        "java/util/concurrent/ThreadPoolExecutor",
	executorThreadsEnd: "java/util/concurrent/ThreadPerTaskExecutor",
	subtasksEnd:        "java/util/concurrent/StructuredTaskScope",
}

// waitsForTermination reports whether the thread waits for an executor to terminate.
func waitsForTermination(w *blame.Wait) bool { return executorClasses[awaited(w)] != "" }

// terminating returns the executor that is to terminate, if the trace has its state and the thread waits for that; else
// nil.
func (f *facts) terminating(w *blame.Wait) *executor {
	of := f.States.of(w)
	if of == nil || !waitsForTermination(w) {
		return nil
	}
	return f.States.executorOf(of, terminates)
}

// lastThreads returns the threads that keep an executor from terminating, if the thread waits for that. If the trace
// does not have the executor, they are the threads of a pool that may be it.
func (f *facts) lastThreads(w *blame.Wait) []critical.Thread {
	if e := f.terminating(w); e != nil {
		isIdle := func(t critical.Thread) bool { return f.Blame.WaitsForTask(t.Key) }
		return slices.DeleteFunc(f.threadsOf(e.session, e.named...), isIdle)
	}
	if waitsForTermination(w) {
		return f.likelyLast(w)
	}
	return nil
}

// likelyLast returns the threads of the only pool of such an executor that run its tasks, without the waiting one.
func (f *facts) likelyLast(w *blame.Wait) (last []critical.Thread) {
	isWaiter := func(t critical.Thread) bool { return t.Key == w.Thread.Key }
	for _, members := range f.workingPools(w.Thread.Session, awaited(w)) {
		members = slices.DeleteFunc(slices.Clone(members), isWaiter)
		switch {
		case len(members) == 0:
		case last != nil:
			return nil
		default:
			last = members
		}
	}
	return last
}

// awaitedEnd is what threads of a recording wait for that want an executor to terminate.
type awaitedEnd struct {
	session int
	what    string
}

// workingPools returns the pools of threads that run tasks of such an executor. Of a ThreadPoolExecutor that is to
// terminate, no thread is idle. Most virtual threads without a name are an executor's. All threads are looked at once.
func (f *facts) workingPools(session int, what string) map[string][]critical.Thread {
	of := awaitedEnd{session, what}
	if pools, known := f.working[of]; known {
		return pools
	}
	pools, idle := map[string][]critical.Thread{}, map[string]bool{}
	for t := range f.Blame.Threads {
		pool := threads.PoolOf(t.Name)
		did, lives := f.Blame.Last(t.Key)
		switch {
		case !lives || t.Session != session:
		case f.Blame.WaitsForTask(t.Key):
			idle[pool] = what == executorEnd
		case f.Working[t.Key] == executorClasses[what] ||
			(what == executorThreadsEnd || what == subtasksEnd) && isUnnamed(&did):
			pools[pool] = append(pools[pool], t)
		}
	}
	maps.DeleteFunc(pools, func(pool string, _ []critical.Thread) bool { return idle[pool] })
	f.working[of] = pools
	return pools
}

// isUnnamed reports whether a virtual thread without a name was in the program's code when the trace ended.
func isUnnamed(did *blame.Wait) bool {
	at := did.Caller.Method
	return did.Thread.Name == threads.VirtualName(did.Thread.ID) && at != nil && !enrich.IsLibrary(at.Class)
}

// addTermination adds what the threads do that keep an executor from terminating. If all of them wait for long,
// without a timeout, that is a hang.
func (f *facts) addTermination(found *Finding, g *openGroup, s *state) {
	last := f.lastThreads(&g.Longest)
	if len(last) == 0 {
		return
	}
	if e := f.terminating(&g.Longest); e != nil {
		s.working(f, e, last)
		s.blamed = nil // they may just do their work
	} else {
		found.Evidence = append(found.Evidence, "Perhaps it waits for "+f.does(last)+".")
	}
	found.own = slices.ContainsFunc(last, func(t critical.Thread) bool {
		w, _ := f.Blame.OpenWait(t.Key)
		return w.Thread.Key == 0 || f.isTimed(&w) || w.Length() < longWait
	})
	found.idle = found.own
	if !found.own {
		found.Certainty, found.Threads = Possible, nil
		for i := range last[:min(len(last), maxBlamed)] {
			found.Threads = append(found.Threads, threadOf(last[i].ID.String(), last[i].Name))
		}
	}
}

// findLastThreads finds the threads that keep executors from terminating for which others wait.
func (f *facts) findLastThreads() map[trace.ThreadKey]bool {
	all := map[trace.ThreadKey]bool{}
	for i := range f.open {
		for _, t := range f.lastThreads(&f.open[i].Longest) {
			all[t.Key] = true
		}
	}
	return all
}

// does says what threads do when the trace ends, and where, by the example of the first: "web-1 (thread 9), which is
// SLEEPING at shop.Report.run".
func (f *facts) does(all []critical.Thread) string {
	first := all[0]
	text := first.Title()
	if len(all) > 1 {
		text = phrase.Count(len(all), "thread") + f.ofPoolOf(all) + ", such as " + text
	}
	if doing := f.doing(first.Key); doing != "" {
		text += ", which " + doing
	}
	return text
}

// doing says what the thread does when the trace ends, and where; "" if that is not known.
func (f *facts) doing(key trace.ThreadKey) string {
	did, lives := f.Blame.Last(key)
	if w, _ := f.Blame.OpenWait(key); w.Thread.Key != 0 {
		return waits(&w) + at(&w)
	}
	if lives && did.Type == trace.Running && f.Statistics != nil && f.Statistics.Samples != nil {
		for _, r := range f.Statistics.Samples.Runnable {
			if r.Thread.Key == key {
				did.Caller = r.Place
			}
		}
	}
	if place := at(&did); lives && place != "" {
		return "is " + did.State.InSentence() + place
	}
	return ""
}

func (f *facts) ofPoolOf(all []critical.Thread) string {
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	return ofPool(names)
}
