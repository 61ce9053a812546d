package diagnosis

import (
	"fmt"
	"maps"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
)

// openGroup is threads that still wait when the trace ends, in one state for one object, or each for an object of its
// own at one place.
type openGroup struct {
	blame.OpenGroup
	objects int
}

// openWaits returns findings on threads that still wait, but for a lock or the end of a thread, when the trace ends.
// One thread is worth a finding if it waits in the program's own code.
func (f *facts) openWaits() (findings []Finding) {
	deadlocked := f.deadlocked()
	for _, g := range f.openAlike() {
		w := &g.Longest
		if deadlocked[w.Object.ID.String()] {
			continue // that is the deadlock's finding
		}
		ofProgram := w.Caller.Method != nil && !enrich.IsLibrary(w.Caller.Method.Class)
		if w.Type == trace.WaitingForLock || w.Type == trace.WaitingForJoin || len(g.Waiters) == 1 && !ofProgram ||
			f.waitsForItself(w.Object.Class) && f.States.of(&w.Object) == nil {
			continue
		}
		found := Finding{Kind: kindOfWait(w), Certainty: Possible, Waiting: len(g.Waiters), Total: g.Total, own: true,
			Object: f.objectOf(w), Command: f.blameOf(w)}
		by := ""
		if found.Kind == ClassInit && w.Other.Key != 0 {
			found.Certainty, found.own, found.Threads = Seen, false, []Thread{initialiser(w)}
			by = ", which " + w.Other.Title() + " initialises,"
		}
		if w.Length() == 0 {
			found.Total = noTotal
		}
		var s state
		if g.objects == 1 {
			s = f.stateOf(&g.OpenGroup)
		}
		if len(s.blamed) > 0 {
			found.Certainty, found.own = Likely, false
		}
		found.own = found.own && !s.nobody
		if e := f.waitingExecutor(&g.OpenGroup); e != nil && g.objects == 1 {
			found.Kind, found.Certainty, found.own = PoolSelfWait, Likely, false
			f.told[threads.PoolOf(w.Thread.Name)] = true
			s.rest = fmt.Sprintf("; all %d workers of %s wait for it, likely for tasks of its queue, in which %s", e.workers, e.title,
				phrase.Count(int(e.queued), "task is", "tasks are"))
		}
		for i := range s.blamed[:min(len(s.blamed), maxBlamed)] {
			found.Threads = append(found.Threads, threadOf(s.blamed[i].ID.String(), s.blamed[i].Name))
		}
		found.Summary = f.openText(&g, by+s.which, s.rest)
		if len(found.Threads) == 0 && len(g.Waiters) == 1 {
			found.Threads = []Thread{threadOf(w.Thread.ID.String(), w.Thread.Name)}
		}
		findings = append(findings, found)
	}
	return findings
}

// openAlike returns the groups of open waits. Threads that wait at one place of the program, each for another object,
// are one group.
func (f *facts) openAlike() (groups []openGroup) {
	type place struct {
		state  trace.State
		class  string
		method *trace.ModelMethod
		line   int32
	}
	at := map[place]int{}
	for _, g := range f.open {
		w := &g.Longest
		of := place{w.State, w.Object.Class, w.Caller.Method, w.Caller.Line}
		n, known := at[of]
		switch {
		case of.method == nil || w.Type == trace.WaitingForLock:
			groups = append(groups, openGroup{g, 1})
		case known:
			merged := &groups[n]
			merged.objects++
			merged.Total += g.Total
			merged.Waiters = maps.Clone(merged.Waiters)
			maps.Copy(merged.Waiters, g.Waiters)
		default:
			at[of] = len(groups)
			groups = append(groups, openGroup{g, 1})
		}
	}
	return groups
}

// openText says who waits for what: "5 threads still waited for latch CountDownLatch 73 at app.Main.run when the trace ended,
// for 2.00 s by then". A single thread dump is one moment; several show who did not move. by follows what is awaited, and rest
// ends the sentence.
func (f *facts) openText(g *openGroup, by, rest string) string {
	w := &g.Longest
	who, verb := phrase.Count(len(g.Waiters), "thread"), "wait"
	if len(g.Waiters) == 1 {
		who, verb = w.Thread.Title(), "waits"
	}
	what := waited(w)
	if g.objects > 1 {
		what = "waited"
		if w.Object.ID.Known() {
			what += fmt.Sprintf(" for %d objects, such as %s,", g.objects, w.Object.Title())
		}
	}
	length := ", for " + phrase.Duration(w.Length()) + " by then"
	switch dumps := f.dumps(); {
	case dumps == 1:
		return fmt.Sprintf("%s %s%s%s%s.", who, verb, strings.TrimPrefix(what, "waited"), by, at(w))
	case dumps > 1 && w.Length() > 0:
		// how many dumps there are is not known: of those in which nothing changed, a trace may have nothing
		seen := ", in the last dumps, over " + phrase.Duration(w.Length())
		if w.Length() == f.length() {
			seen = ", in all dumps, over " + phrase.Duration(w.Length())
		}
		return fmt.Sprintf("%s %s%s%s%s%s.", who, verb, strings.TrimPrefix(what, "waited"), by, at(w), seen)
	case w.Length() == 0:
		length = ""
	}
	return fmt.Sprintf("%s still %s%s%s when the trace ended%s%s.", who, what, by, at(w), length, rest)
}

// dumps is 0 if the trace is of something else than thread dumps, 1 if it is of one, and more if it is of several.
func (f *facts) dumps() int {
	switch {
	case f.Recorded > 0 || f.Statistics == nil || f.Statistics.Samples == nil || !f.isDumped():
		return 0
	case f.length() == 0:
		return 1
	}
	return max(f.Statistics.Samples.Dumps, 2)
}
