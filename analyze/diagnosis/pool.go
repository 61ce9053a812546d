package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// leak is the number of threads, started at one place and never ended, that is wrong by itself.
const leak = 100

// growing is that number if they were started one after the other in the trace.
const growing = 20

// selfWaits returns findings on pools that wait for their own queue.
func (f *facts) selfWaits(more string) (findings []Finding) {
	for _, s := range f.Statistics.Workers.SelfWaits {
		if f.isStuck(s.Threads) || f.isRefuted(s) || f.told[s.Pool] {
			continue
		}
		found := Finding{Kind: PoolSelfWait, Certainty: Likely, Summary: s.Sentence(),
			Waiting: len(s.Threads) + s.Behind, Total: histogram.Product(s.Length, len(s.Threads)),
			Object: Object{Class: s.Class}, Places: placesOf(&s.Place), Command: more}
		if !s.IsLikely() {
			found.Certainty = Possible
		}
		if s.Length == 0 {
			found.Total = noTotal
		}
		if queued, known := f.queuedFor(s); known {
			found.Evidence = append(found.Evidence, "It has "+phrase.Count(int(queued), "task")+" in its queue.")
		}
		if s.Behind > 0 {
			who := phrase.Count(s.Behind, "worker of another pool likely waits", "workers of other pools likely wait")
			found.Evidence = append(found.Evidence,
				who+" for it. If the task is in their queue, these pools wait for each other.")
		}
		for _, name := range s.Threads {
			found.Threads = append(found.Threads, Thread{Name: name, Pool: s.Pool})
		}
		findings = append(findings, found)
	}
	return findings
}

// leastFeeding is the part of the run from which on the only thread that waits for a pool loses much time: a tenth.
const leastFeeding = 10

// pools returns findings on pools of workers: pools that wait for their own queue, saturated pools, and threads that
// never end.
func (f *facts) pools() (findings []Finding) {
	if f.Statistics == nil || f.Statistics.Workers == nil {
		return nil
	}
	w := f.Statistics.Workers
	more := f.command(More{Analysis: "stats"})
	findings = f.selfWaits(more)
	for _, s := range w.Saturated {
		name := threads.PoolOf(s.Pool)
		if f.untimed() || f.isStuckPool(s.Pool) || s.Open && f.told[name] || s.Waiters == 1 && f.worked[name] {
			continue // how long is unknown, it has a finding already, or the main thread waited for it
		}
		if s.MayBeIdle() {
			continue // what its threads waited for has a finding, if it matters
		}
		if s.Waiters == 0 && len(s.Did) > 0 && s.Did[0].State == trace.StateRunnable.String() && !f.ran(s.Pool) {
			continue // a recording may lack waits for work that are not over
		}
		found := Finding{Kind: PoolExhausted, Certainty: Seen, Summary: s.Sentence(f.most()), Command: more,
			Threads: []Thread{{Pool: s.Pool}}, Waiting: int(s.Waiters), Total: histogram.Signed(s.Waited)}
		if s.Waiters == 0 {
			found.own, found.Total = true, histogram.Signed(s.Total)
		} else if s.Waiters == 1 && s.Max < longWait && histogram.Signed(s.Waited) < f.length()/leastFeeding {
			found.own = true // who feeds the pool waits for it now and then
		}
		if len(s.Did) > 0 {
			found.Places = placesOf(&s.Did[0].Place)
		}
		findings = append(findings, found)
	}
	for _, n := range w.NeverEnded {
		findings = append(findings, Finding{Kind: Leak, Certainty: Possible, Summary: n.Sentence(), Total: noTotal,
			Threads: []Thread{{Pool: n.Pool}}, Places: placesOf(&n.Place), Command: more,
			own: n.Threads < leak && !f.isGrowing(n)})
	}
	return findings
}

// lateTimers returns findings on threads that had a timer's tasks to run while they were busy.
func (f *facts) lateTimers() (findings []Finding) {
	if f.Statistics == nil || f.Statistics.Workers == nil {
		return nil
	}
	for _, l := range f.Statistics.Workers.LateTimers {
		if l.Runs == 0 && l.Busy < f.length()/2 || f.isStuck([]string{l.Name}) {
			continue // it had time for other tasks, or its deadlock has a finding
		}
		if l.Did != nil && l.Did.State == trace.StateRunnable.String() && !f.ran(l.Name) {
			continue // a dump shows a moment between two waits
		}
		if isWait := l.Did != nil && l.Did.State != trace.StateRunnable.String(); isWait && l.Runs == 0 &&
			f.dumps() > 0 && !f.stays(l.Name) {
			continue // only one dump shows it busy
		}
		waitsForItself := func(s *contention.SelfWait) bool { return slices.Contains(s.Threads, l.Name) }
		if l.Runs == 0 && (f.isOneOf(l.Name) || slices.ContainsFunc(f.Statistics.Workers.SelfWaits, waitsForItself)) {
			continue // the finding on all that wait there says enough
		}
		found := Finding{Kind: TimerLate, Certainty: Likely, Summary: l.Sentence(), Waiting: l.Runs, Total: l.Total,
			Threads: []Thread{{Name: l.Name, Pool: l.Name}}, Command: f.command(More{Analysis: "stats"})}
		if l.Runs == 0 {
			found.Certainty, found.Total, found.own = Possible, l.Busy, true
		}
		if l.Did != nil {
			found.Places = placesOf(&l.Did.Place)
		}
		findings = append(findings, found)
	}
	return findings
}

// stays reports whether the thread of the name is in one wait or sleep since a dump before the last one. Only blame
// knows that.
func (f *facts) stays(name string) bool {
	if f.Blame == nil {
		return false
	}
	for t := range f.Blame.Threads {
		if t.Name == name {
			return f.hasStayed(t.Key)
		}
	}
	return false
}

// hasStayed reports whether the thread is in one wait or sleep since a dump before the last one.
func (f *facts) hasStayed(key trace.ThreadKey) bool {
	did, lives := f.Blame.Last(key)
	return lives && did.Type != trace.Running && did.Length() > 0
}

// isOneOf reports whether the thread of the name still waits for something for which others wait, too.
func (f *facts) isOneOf(name string) bool {
	for i := range f.open {
		if len(f.open[i].Waiters) < 2 {
			continue
		}
		for key := range f.open[i].Waiters {
			if w, _ := f.Blame.OpenWait(key); w.Thread.Name == name {
				return true
			}
		}
	}
	return false
}

// addLate adds findings on late timers. The finding on a wait that kept a timer's only thread busy for half of the time
// says so, if no run is known to have been late. If runs were late, a wait that is no fault by itself goes.
func (d *Diagnosis) addLate(findings []Finding) {
	for _, late := range findings {
		i := slices.IndexFunc(d.Findings, func(of Finding) bool {
			return of.waiter == late.Threads[0].Name &&
				(!late.own || of.Total == noTotal || max(of.longest, of.Total) >= late.Total/2)
		})
		switch {
		case i < 0:
			d.add(late)
		case late.own:
			of := &d.Findings[i]
			of.Evidence = append(of.Evidence,
				"It runs a timer's tasks: what else was due meanwhile, if anything, began late.")
			longest := cmp.Or(of.longest, of.Total)
			isOne := longest >= max(longWait, late.Total-late.Total/10) // and no task that waits now and then
			if isOne && (of.Kind == Semaphore || of.Kind == Latch || of.Kind == Future) {
				of.own = false // it keeps the tasks waiting, and waits for no work
			}
		case d.Findings[i].own:
			late.Evidence = d.Findings[i].Evidence
			d.Findings[i] = late
		default:
			d.add(late)
		}
	}
}

// ran reports whether the pool's threads were on a processor: a RUNNABLE thread can wait in native code instead.
func (f *facts) ran(pool string) bool {
	return slices.ContainsFunc(f.Statistics.Pools, func(p *contention.Pool) bool {
		return threads.PoolOf(p.Name) == threads.PoolOf(pool) && p.Processors.OnCPU > p.Processors.Runnable/100
	})
}

// isGrowing reports whether the threads were started all the time: for most of the trace's length.
func (f *facts) isGrowing(n *contention.NeverEnded) bool {
	return n.Threads >= growing && n.Last-n.First > f.length()/2
}

// queuedFor returns how many tasks are in the queue of the pool, by the state of the executor that has one of the
// pool's threads as a worker.
func (f *facts) queuedFor(s *contention.SelfWait) (queued int64, known bool) {
	for _, e := range f.executors {
		for _, worker := range f.threadsOf(e.session, e.named...) {
			if slices.Contains(s.Threads, worker.Name) {
				return e.queued, e.counted
			}
		}
	}
	return 0, false
}

// isRefuted reports whether the pool's queue is empty, so that its threads do not wait for tasks in it.
func (f *facts) isRefuted(s *contention.SelfWait) bool {
	queued, known := f.queuedFor(s)
	return known && queued == 0
}

// isStuck reports whether a stuck thread has one of the names.
func (f *facts) isStuck(names []string) bool {
	for _, w := range f.stuck {
		if slices.Contains(names, w.Thread.Name) {
			return true
		}
	}
	return false
}

// isStuckPool reports whether a stuck thread belongs to the pool.
func (f *facts) isStuckPool(pool string) bool {
	for _, w := range f.stuck {
		if threads.PoolOf(w.Thread.Name) == pool {
			return true
		}
	}
	return false
}

// waitsForItself reports whether a pool that waits for its own queue waits for objects of the class.
func (f *facts) waitsForItself(class string) bool {
	if f.Statistics == nil || f.Statistics.Workers == nil {
		return false
	}
	for _, s := range f.Statistics.Workers.SelfWaits {
		if s.Class == class && !f.isRefuted(s) {
			return true
		}
	}
	return false
}

// placesOf returns the place as a stack; nil if it is unknown.
func placesOf(p *contention.Place) [][]trace.Frame {
	if frame := p.Frame(); frame.Method != nil {
		return [][]trace.Frame{{frame}}
	}
	return nil
}

// lateStart is the time to start that is worth a finding.
const lateStart = 10 * time.Millisecond

// leastStarts is the part of the run from which on late starts of threads are wrong: a tenth. A busy machine adds less
// to one start, but may well add that to many.
const leastStarts = 10

// areShort reports whether a pool's threads started late, but each of them for next to nothing in a run of the length.
func areShort(of *contention.StartRow, length int64) bool {
	return of.Total/of.Count < uint64(lateStart) && of.Max < length/leastStarts
}

// starts returns a finding on the program's pool whose threads took longest to start.
func (f *facts) starts() []Finding {
	if f.Statistics == nil {
		return nil
	}
	ofJVM := map[string]bool{}
	for _, p := range f.Statistics.Pools {
		ofJVM[p.Name] = p.OfJVM
	}
	for _, worst := range f.Statistics.Starts.Rows {
		if ofJVM[worst.Pool] {
			continue
		}
		if worst.Max < int64(lateStart) {
			return nil
		}
		what := "for a processor, or for a carrier"
		if collected, _ := f.Statistics.Collected(); collected.Paused > uint64(worst.Max)/2 {
			what = "for a processor, for a carrier, or for the end of a collection"
		}
		text := fmt.Sprintf("%s of %s waited %s in all %s, before they ran; the longest %s.",
			phrase.Count(worst.Count, "thread"), phrase.Name(worst.Pool), phrase.Total(worst.Total), what,
			phrase.Duration(worst.Max))
		if worst.Count == 1 {
			text = fmt.Sprintf("%s waited %s %s, before it ran.", phrase.Name(worst.Pool), phrase.Total(worst.Total), what)
		}
		return []Finding{{Kind: Start, Certainty: Seen, Waiting: int(worst.Count), Total: histogram.Signed(worst.Total),
			Threads: []Thread{{Pool: worst.Pool}}, Command: f.command(More{Analysis: "stats"}), Summary: text,
			own: histogram.Signed(worst.Total) < f.length()/leastStarts || areShort(worst, f.length())}}
	}
	return nil
}
