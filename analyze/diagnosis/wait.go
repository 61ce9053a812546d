package diagnosis

import (
	"fmt"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// maxWaits limits the objects that are looked at, the largest first.
const maxWaits = 24

// kindOf are the kinds of waits by the word of what threads wait for.
var kindOf = map[string]Kind{"semaphore": Semaphore, "latch": Latch, "barrier": Barrier, "phaser": Barrier,
	"exchanger": Barrier, "queue": QueueEmpty, "future": Future, "task": Future, "scope": Future}

// waits returns findings on waits that are not for a lock: from blame who ended them, from statistics alone which pools
// waited.
func (f *Facts) waits() []Finding {
	switch {
	case f.Blame != nil:
		return append(f.finishedWaits(), f.openWaits()...)
	case f.Statistics != nil:
		return f.waitsOfPools()
	}
	return nil
}

func (f *Facts) finishedWaits() (findings []Finding) {
	for _, g := range f.Blame.Alike(maxWaits) {
		if g.Longest.Type == trace.WaitingForLock {
			continue
		}
		others := g.Culprits[:0:0]
		for _, c := range g.Culprits {
			if c.Kind != blame.Unknown && !isOwn(&c.Culprit) {
				others = append(others, c)
			}
		}
		known := int64(0)
		for i := range others {
			known += others[i].Total
		}
		found := Finding{Kind: kindOfWait(&g.Longest), Certainty: Seen, Waiting: len(g.Waiters), Total: known, Command: f.blameOf(&g.Longest)}
		if g.Longest.Object.ID.Known() {
			found.Object = Object{ID: g.Longest.Object.ID.String(), Class: javaname.DeclaredClass(g.Longest.Object.Class)}
		}
		text := fmt.Sprintf("%s %s for %s%s%s", waiters(&g), waitedFor(&g), phrase.Duration(g.Total), at(&g.Longest),
			longest(&g))
		if found.Kind == ClassInit && g.Longest.Other.Key != 0 {
			found.Total, found.Threads = g.Total, []Thread{initialiser(&g.Longest)}
			found.Summary = text + "; " + g.Longest.Other.Title() + " initialised it."
			findings = append(findings, found)
			continue
		}
		if 20*known < g.Total || len(others) == 0 {
			found.Total, found.own = g.Total, true
			found.Certainty = Possible
			found.Summary = text + "; nothing in the trace shows who could have ended that sooner."
			findings = append(findings, found)
			continue
		}
		found.own = found.Kind == Join // the joined thread is what matters
		found.Threads = culpritsOf(others, known)
		found.Summary = text + "; " + blamed(others, g.Total) + "."
		findings = append(findings, found)
	}
	return findings
}

// initialiser is the thread that initialises the class for which the thread waits.
func initialiser(w *blame.Wait) Thread { return threadOf(w.Other.ID.String(), w.Other.Name) }

// isOwn reports whether the culprit waited itself, and nothing shows what ended that.
func isOwn(c *blame.Culprit) bool {
	return c.Kind == blame.Segment && (c.Type == trace.WaitingForObject || c.Type == trace.WaitingForJoin ||
		c.Type == trace.WaitingForLock)
}

// kindOfWait returns the kind of a wait that is not for a lock.
func kindOfWait(w *blame.Wait) Kind {
	switch {
	case w.State == trace.StateInIO:
		return IO
	case w.State == trace.StateInitialising:
		return ClassInit
	case w.Type == trace.WaitingForJoin:
		return Join
	}
	if s, ok := javaname.SynchronizerOf(w.Object.Class); ok {
		if kind, ok := kindOf[s.Word]; ok {
			return kind
		}
	}
	return WaitKind
}

// waiters names the threads that waited: the one, or their number.
func waiters(g *blame.Group) string {
	if len(g.Waiters) == 1 {
		return g.Longest.Thread.Title()
	}
	return phrase.Count(len(g.Waiters), "thread")
}

// waited is what they did: waited for latch CountDownLatch 73.
func waited(w *blame.Wait) string {
	switch {
	case w.Type == trace.WaitingForJoin:
		return "waited for " + critical.JoinTitle(w.Other, w.Object)
	case w.State == trace.StateInIO:
		return "waited for input or output"
	case w.State == trace.StateInitialising:
		return "waited for " + w.Object.Initialisation()
	case w.Object.ID.Known():
		return "waited for " + w.Object.Title()
	}
	return "waited"
}

// waitedFor is what the threads of the group did: waited for 8 objects, such as future FutureTask 73.
func waitedFor(g *blame.Group) string {
	if g.Objects < 2 || !g.Longest.Object.ID.Known() || g.Longest.Type == trace.WaitingForJoin {
		return waited(&g.Longest)
	}
	return fmt.Sprintf("waited for %d objects, such as %s,", g.Objects, g.Longest.Object.Title())
}

func at(w *blame.Wait) string {
	if place := wording.Frame(w.Caller); place != "" {
		return " at " + place
	}
	return ""
}

// longest tells the longest of several waits.
func longest(g *blame.Group) string {
	if g.Count < 2 {
		return ""
	}
	return fmt.Sprintf(" (%s, longest %s)", phrase.Count(g.Count, "wait"), phrase.Duration(g.Longest.Length()))
}

// culpritsOf returns the threads that are to blame for at least 5 % of the time.
func culpritsOf(rows []blame.Row, total int64) (all []Thread) {
	for i := range rows {
		t := threadOf(rows[i].Thread.ID.String(), rows[i].Thread.Name)
		if 100*rows[i].Total >= leastNamed*total && len(all) < 3 && (len(all) == 0 || all[len(all)-1] != t) {
			all = append(all, t)
		}
	}
	return all
}

// blamed says who let the threads wait: "meanwhile EventThread (thread 12) was SLEEPING for 90 % of that".
func blamed(rows []blame.Row, total int64) string {
	first := &rows[0]
	pool, sum := threads.PoolOf(first.Thread.Name), int64(0)
	for i := range rows {
		if rows[i].Kind == first.Kind && rows[i].As == first.As && threads.PoolOf(rows[i].Thread.Name) == pool {
			sum += rows[i].Total
		}
	}
	who, was, part := first.Thread.Title(), "was", first.Total
	if strings.Contains(pool, "*") && 2*first.Total < sum {
		who, was, part = "threads of "+phrase.Name(pool), "were", sum
	}
	if first.Kind == blame.Latency {
		return fmt.Sprintf("for %s of that %s had let them go on, and they did not run yet", phrase.Percent(part, total), who)
	}
	return fmt.Sprintf("for %s of that %s %s %s", phrase.Percent(part, total), who, was, first.As.InSentence())
}

func (f *Facts) blameOf(w *blame.Wait) string {
	if w.Object.ID.Known() && w.Type != trace.WaitingForJoin {
		return f.command(More{Analysis: "blame", Monitor: w.Object.ID.String()})
	}
	return f.command(More{Analysis: "blame", Waiters: true})
}

// openWaits returns findings on threads that still wait, but for a lock or the end of a thread, when the trace ends.
// One thread is worth a finding if it waits in the program's own code.
func (f *Facts) openWaits() (findings []Finding) {
	deadlocked := f.deadlocked()
	for _, g := range f.Blame.OpenGroups() {
		w := &g.Longest
		if w.State == trace.StateInitialising && deadlocked[w.Object.ID.String()] {
			continue // that is the deadlock's finding
		}
		ofProgram := w.Caller.Method != nil && !enrich.IsLibrary(w.Caller.Method.Class)
		if w.Type == trace.WaitingForLock || w.Type == trace.WaitingForJoin || len(g.Waiters) == 1 && !ofProgram {
			continue
		}
		found := Finding{Kind: kindOfWait(w), Certainty: Possible, Waiting: len(g.Waiters), Total: g.Total, own: true,
			Command: f.blameOf(w)}
		if w.Object.ID.Known() {
			found.Object = Object{ID: w.Object.ID.String(), Class: javaname.DeclaredClass(w.Object.Class)}
		}
		who := phrase.Count(len(g.Waiters), "thread")
		if len(g.Waiters) == 1 {
			who = w.Thread.Title()
		}
		length := ", for " + phrase.Duration(w.Length()) + " by then"
		if w.Length() == 0 {
			length, found.Total = "", noTotal
		}
		by := ""
		if found.Kind == ClassInit && w.Other.Key != 0 {
			found.Certainty, found.own, found.Threads = Seen, false, []Thread{initialiser(w)}
			by = ", which " + w.Other.Title() + " initialises,"
		}
		found.Summary = fmt.Sprintf("%s still %s%s when the trace ended%s%s.", who, waited(w), by, at(w), length)
		findings = append(findings, found)
	}
	return findings
}

// poolKinds are the kinds of time in which pools wait, without locks.
var poolKinds = map[contention.Kind]Kind{contention.Waited: WaitKind, contention.Timed: WaitKind, contention.Parked: WaitKind,
	contention.Joined: Join, contention.IO: IO}

// waitsOfPools returns a finding for the pool that waited longest, in each state.
func (f *Facts) waitsOfPools() (findings []Finding) {
	for _, w := range f.Statistics.LongestWaits() {
		kind, ok := poolKinds[w.Kind]
		if !ok {
			kind = Sleep
		}
		findings = append(findings, Finding{Kind: kind, Certainty: Seen, Waiting: int(w.Pool.Threads), Total: int64(w.Total), own: true,
			Summary: w.Sentence(), Command: f.command(More{Analysis: "why"})})
	}
	return findings
}
