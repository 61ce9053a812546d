package diagnosis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// stuckWait is an open wait that only these threads could end.
type stuckWait struct {
	blame.Wait
	by       []trace.ThreadKey
	executor *executor // in whose queue the awaited task is
	reads    bool      // the lock is held by the readers
	runs     bool      // they run the awaited task
	timed    bool      // it has a timeout, so it ends anyway
}

// byState reports whether the state of the object says who could end the wait.
func (w *stuckWait) byState() bool { return w.executor != nil || w.reads || w.runs }

// joins reports whether the thread waits for the end of another one, which deadlocks of locks do not have.
func (w *stuckWait) joins() bool { return w.Type == trace.WaitingForJoin }

// leastStuck is the least length of a wait: for a shorter one, the known holder may be an earlier one.
const leastStuck = int64(time.Second)

// stuck are the threads that can never go on, or not before a timeout: by the states of what they wait for, only stuck
// threads could end their waits.
type stuck map[trace.ThreadKey]*stuckWait

// findStuck finds the stuck threads: all that wait, except threads whose wait others could end.
func (f *facts) findStuck() stuck {
	if f.Blame == nil || f.States == nil || len(f.States.all) == 0 {
		return nil
	}
	all := stuck{}
	for _, key := range f.Blame.OpenThreads() {
		if w := f.stuckWait(key); w != nil && !f.isOutdated(w) {
			all[key] = w
		}
	}
	waiters, free := map[trace.ThreadKey][]trace.ThreadKey{}, []trace.ThreadKey{}
	for key, w := range all {
		for _, by := range w.by {
			if waiters[by] = append(waiters[by], key); all[by] == nil {
				free = append(free, by)
			}
		}
	}
	for len(free) > 0 {
		by := free[len(free)-1]
		free = free[:len(free)-1]
		for _, key := range waiters[by] {
			if all[key] != nil {
				delete(all, key)
				free = append(free, key)
			}
		}
	}
	return all
}

// stuckWait returns the open wait of the thread; nil if others could end it, too.
func (f *facts) stuckWait(key trace.ThreadKey) *stuckWait {
	wait, by := f.Blame.OpenWait(key)
	w := &stuckWait{Wait: wait, timed: f.States.timed[key]}
	of := f.States.of(&w.Wait)
	if w.State == trace.StateInIO || w.Length() < leastStuck {
		return nil
	}
	session := w.Object.Session
	switch {
	case of == nil:
	case w.Type == trace.WaitingForLock:
		readers, _ := of.Number("readers")
		if known := f.readersOf(session, of); readers > 0 {
			if int64(len(known)) != readers {
				return nil
			}
			w.by, w.reads = keysOf(known), true
			return w
		}
		if owner, ok := of.Number("owner"); ok && owner != 0 {
			w.by = keysOf(f.threadsOf(session, owner))
		}
	default:
		done, _ := of.Number("done")
		runner, _ := of.Number("runner")
		switch w.executor = f.States.executorOf(of, inQueue); {
		case done != 0:
		case w.executor != nil && w.executor.full && !w.executor.forks &&
			int64(len(w.executor.named)) == w.executor.workers:
			w.by = keysOf(f.threadsOf(session, w.executor.named...))
			if int64(len(w.by)) != w.executor.workers {
				return nil
			}
			return w
		case runner != 0:
			w.by, w.runs = keysOf(f.threadsOf(session, runner)), true
		}
	}
	if w.joins() {
		by = w.Other.Key // also of a join with a timeout
	}
	if len(w.by) == 0 && by != 0 {
		w.by = []trace.ThreadKey{by}
	}
	if len(w.by) == 0 {
		return nil
	}
	return w
}

// isOutdated reports whether the state of the object was read early, and a thread that could end the wait has acted
// since.
func (f *facts) isOutdated(w *stuckWait) bool {
	of := f.States.of(&w.Wait)
	return of != nil && isEarly(&w.Wait, of) && slices.ContainsFunc(w.by, func(by trace.ThreadKey) bool {
		own, _ := f.Blame.OpenWait(by)
		return own.Thread.Key == 0 || own.From > of.Time
	})
}

func keysOf(all []critical.Thread) (keys []trace.ThreadKey) {
	for i := range all {
		keys = append(keys, all[i].Key)
	}
	return keys
}

// loops returns the threads that wait for each other, without threads for which nobody waits: one list for each group.
func (s stuck) loops() (loops [][]trace.ThreadKey) {
	waiters, idle := map[trace.ThreadKey]int{}, []trace.ThreadKey{}
	for _, w := range s {
		for _, by := range w.by {
			waiters[by]++
		}
	}
	for key := range s {
		if waiters[key] == 0 {
			idle = append(idle, key)
		}
	}
	core := maps.Clone(s)
	for len(idle) > 0 {
		key := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		delete(core, key)
		for _, by := range s[key].by {
			if waiters[by]--; waiters[by] == 0 {
				idle = append(idle, by)
			}
		}
	}
	group := map[trace.ThreadKey]trace.ThreadKey{} // another thread of the same group, up to one that names itself
	find := func(key trace.ThreadKey) trace.ThreadKey {
		for group[key] != key {
			group[key] = group[group[key]]
			key = group[key]
		}
		return key
	}
	for key := range core {
		group[key] = key
	}
	for key, w := range core {
		for _, by := range w.by {
			group[find(key)] = find(by)
		}
	}
	of := map[trace.ThreadKey][]trace.ThreadKey{}
	for key := range core {
		of[find(key)] = append(of[find(key)], key)
	}
	for _, keys := range of {
		slices.Sort(keys)
		loops = append(loops, keys)
	}
	slices.SortFunc(loops, func(a, b []trace.ThreadKey) int { return cmp.Compare(a[0], b[0]) })
	return loops
}

// stuckFindings returns a finding for each group of threads that wait for each other, except for deadlocks that have a
// finding already.
func (f *facts) stuckFindings() (findings []Finding) {
	told := map[trace.ThreadKey]bool{}
	if f.Deadlocks != nil {
		for i := range f.Deadlocks.Deadlocks {
			for j := range f.Deadlocks.Deadlocks[i].Members {
				told[f.Deadlocks.Deadlocks[i].Members[j].Thread.Key] = true
			}
		}
	}
	for _, loop := range f.loops {
		if slices.ContainsFunc(loop, func(key trace.ThreadKey) bool { return told[key] }) ||
			!slices.ContainsFunc(loop, func(key trace.ThreadKey) bool {
				return f.stuck[key].byState() || f.stuck[key].joins()
			}) || len(loop) == 1 && isMain(&f.stuck[loop[0]].Thread) && f.stuck[loop[0]].joins() {
			continue // main waits for its own end so that the program goes on
		}
		findings = append(findings, f.stuckFinding(loop))
	}
	return findings
}

// victimsOf returns the stuck threads that are not in the loop, but can go on only after one of it, by their keys. They
// are told with it.
func (f *facts) victimsOf(loop []trace.ThreadKey) (victims []trace.ThreadKey) {
	waiters, of := map[trace.ThreadKey][]trace.ThreadKey{}, map[trace.ThreadKey]bool{}
	for key, w := range f.stuck {
		for _, by := range w.by {
			waiters[by] = append(waiters[by], key)
		}
	}
	for _, key := range loop {
		of[key] = true
	}
	for next := slices.Clone(loop); len(next) > 0; next = next[1:] {
		for _, key := range waiters[next[0]] {
			if !of[key] {
				of[key] = true
				next, victims = append(next, key), append(victims, key)
			}
		}
	}
	slices.Sort(victims)
	for _, key := range victims {
		f.victims[key] = true
	}
	return victims
}

// areVictims reports whether all threads of the group have been told with the deadlock for whose threads they wait.
func (f *facts) areVictims(g *openGroup) bool {
	for key := range g.Waiters {
		if !f.victims[key] {
			return false
		}
	}
	return true
}

// victimsText counts the victims of a deadlock, and says what the first one waits for.
func (f *facts) victimsText(victims []trace.ThreadKey) []string {
	if len(victims) == 0 {
		return nil
	}
	w, _ := f.Blame.OpenWait(victims[0])
	who, such := phrase.Count(len(victims), "other thread waits", "other threads wait"), ""
	if len(victims) > 1 {
		such = "such as "
	}
	return []string{who + " for that, " + such + w.Thread.Title() + ", which " + waits(&w) + at(&w) + "."}
}

// joinLoop returns the finding that all threads of the program wait for each other, as thread dumps show them: for ends
// of threads, or for locks that others of them hold. A dump does not say whose Thread object a thread waits for, but no
// thread is left that could end.
func (f *facts) joinLoop() []Finding {
	if f.dumps() == 0 || f.Blame == nil || f.States == nil {
		return nil
	}
	found := Finding{Kind: Deadlock, Certainty: Likely, Total: noTotal, Command: f.command(More{Analysis: "blame", Waiters: true})}
	var parts []string
	var objects []identity
	joins := false
	for t := range f.Blame.Threads {
		if _, lives := f.Blame.Last(t.Key); !lives || f.servesJVM(t) {
			continue
		}
		w, _ := f.Blame.OpenWait(t.Key)
		what := "the end of a thread"
		switch {
		case w.Thread.Key == 0 || f.States.timed[t.Key]:
			return nil
		case mayJoin(&w):
			joins = true
		case w.Type == trace.WaitingForLock && w.Other.Key != 0 && !f.servesJVM(w.Other):
			what = w.Object.LockTitle() + ", which " + w.Other.Title() + " holds"
		default:
			return nil
		}
		objects = append(objects, identityOf(&w.Object))
		if found.Waiting++; len(parts) < maxBlamed {
			parts = append(parts, t.Title()+at(&w)+" for "+what)
			found.Threads = append(found.Threads, threadOf(t.ID.String(), t.Name))
			if w.Caller.Method != nil {
				found.Places = append(found.Places, []trace.Frame{w.Caller})
			}
		}
	}
	if found.Waiting < 2 || !joins { // without joins, it is a deadlock that the dump reports itself
		return nil
	}
	f.joins = objects
	if more := found.Waiting - len(parts); more > 0 {
		parts = append(parts, phrase.Count(more, "other"))
	}
	found.Summary = fmt.Sprintf("likely deadlock: all %d threads of the program wait: %s. None is left that could go on, unless "+
		"it is a virtual one.", found.Waiting, strings.Join(parts, "; "))
	return []Finding{found}
}

// servesJVM reports whether the thread is one of the JVM's own.
func (f *facts) servesJVM(t critical.Thread) bool {
	return f.Blame.OfJVM(t.Key) || pools.ServesJVM(t.Name)
}

// mayJoin reports whether the thread waits, as far as the trace shows, for the end of another one.
func mayJoin(w *blame.Wait) bool {
	return w.Type == trace.WaitingForJoin ||
		w.Type == trace.WaitingForObject && javaname.InternalClass(w.Object.Class) == threadClass
}

func (f *facts) stuckFinding(loop []trace.ThreadKey) Finding {
	first := f.stuck[loop[0]]
	found := Finding{Kind: Deadlock, Certainty: Proven, Total: noTotal, Object: f.objectOf(&first.Wait),
		Command: f.command(More{Analysis: "blame", Waiters: true})}
	for _, key := range loop {
		w := f.stuck[key]
		if len(found.Threads) < maxBlamed {
			found.Threads = append(found.Threads, threadOf(w.Thread.ID.String(), w.Thread.Name))
			if w.Caller.Method != nil {
				found.Places = append(found.Places, []trace.Frame{w.Caller})
			}
		}
	}
	victims := f.victimsOf(loop)
	found.Waiting = len(loop) + len(victims)
	timed := slices.ContainsFunc(loop, func(key trace.ThreadKey) bool { return f.stuck[key].timed })
	switch {
	case f.ownQueue(loop):
		found.Kind, found.Summary = PoolSelfWait, f.ownQueueSentence(loop)
		evidence := fmt.Sprintf("It has no other worker, and %s in its queue.",
			phrase.Count(int(first.executor.queued), "task is", "tasks are"))
		if !timed {
			evidence += " Only who cancels tasks can end that."
		}
		found.Evidence = append(found.Evidence, evidence)
		found.Total = 0
		for _, key := range loop {
			found.Total = histogram.Sum(found.Total, f.stuck[key].Length())
		}
	case len(loop) == 1 && first.joins():
		found.Summary = fmt.Sprintf("deadlock: %s waits for its own end%s.", first.Thread.Title(), at(&first.Wait))
	case len(loop) == 1 && first.reads:
		found.Summary = fmt.Sprintf("deadlock: %s waits to write under %s, which it holds for reading itself%s.",
			first.Thread.Title(), first.Object.LockTitle(), at(&first.Wait))
	default:
		var parts []string
		for _, key := range loop[:min(len(loop), maxBlamed)] {
			parts = append(parts, f.stuck[key].sentence(f))
		}
		if more := len(loop) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("and so on, %d more", more))
		}
		found.Summary = "deadlock: " + strings.Join(parts, "; ") + "."
	}
	found.Evidence = append(found.Evidence, f.victimsText(victims)...)
	if timed {
		found.Certainty = Possible
		found.Summary = "possible " + found.Summary
		if len(loop) == 1 {
			found.Summary += " This wait has a timeout."
		} else {
			found.Summary += " One of these waits has a timeout."
		}
	}
	return found
}

// ownQueue reports whether the threads are all workers of one executor, and wait for tasks in its queue.
func (f *facts) ownQueue(loop []trace.ThreadKey) bool {
	first := f.stuck[loop[0]].executor
	if first == nil || int64(len(loop)) != first.workers {
		return false
	}
	return !slices.ContainsFunc(loop, func(key trace.ThreadKey) bool {
		w := f.stuck[key]
		return w.executor == nil || w.executor.id != first.id || !slices.Contains(w.by, key)
	})
}

func (f *facts) ownQueueSentence(loop []trace.ThreadKey) string {
	w := f.stuck[loop[0]]
	if len(loop) == 1 {
		return fmt.Sprintf("deadlock: %s, the only worker of %s, waits for a task in its own queue%s.", w.Thread.Title(),
			w.executor.title, at(&w.Wait))
	}
	var names threads.PoolNames
	for _, key := range loop {
		names.Add(f.stuck[key].Thread.Name)
	}
	all := fmt.Sprintf("all %d", len(loop))
	if len(loop) == 2 {
		all = "both"
	}
	return fmt.Sprintf("deadlock: %s threads of %s, the workers of %s, wait for tasks in their own queue%s.", all,
		phrase.Name(names.String()), w.executor.title, at(&w.Wait))
}

// sentence says what the thread waits for, and who has it: A waits for lock X, which B holds.
func (w *stuckWait) sentence(f *facts) string {
	text := w.Thread.Title() + at(&w.Wait) + " waits for "
	other, _ := f.Blame.OpenWait(w.by[0])
	has := other.Thread.Title()
	switch {
	case w.Type == trace.WaitingForJoin:
		return text + critical.JoinTitle(w.Other, w.Object)
	case w.executor != nil:
		return text + "a task in the queue of " + w.executor.title + ", all of whose threads wait, such as " + has
	case w.State == trace.StateInitialising:
		return text + w.Object.Initialisation() + ", which " + has + " does"
	case w.Type == trace.WaitingForLock && w.reads:
		var readers []critical.Thread
		for _, key := range w.by {
			reader, _ := f.Blame.OpenWait(key)
			readers = append(readers, reader.Thread)
		}
		verb := " hold for reading"
		if len(readers) == 1 {
			verb = " holds for reading"
		}
		return text + w.Object.LockTitle() + ", which " + titles(readers) + verb
	case w.Type == trace.WaitingForLock:
		return text + w.Object.LockTitle() + ", which " + has + " holds"
	}
	return text + w.Object.Title() + ", which " + has + " runs"
}
