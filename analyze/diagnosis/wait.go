package diagnosis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/analyze/wording"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// maxBlamed limits the threads that a finding on a state names.
const maxBlamed = 3

// maxWaits limits the objects that are looked at, the largest first.
const maxWaits = 24

// kindOf are the kinds of waits by the word for what threads wait for.
var kindOf = map[string]Kind{"semaphore": Semaphore, "latch": Latch, "barrier": Barrier, "phaser": Barrier,
	"exchanger": Barrier, "queue": QueueEmpty, "future": Future, "task": Future, "scope": Future}

// Consumers of a queue that waited at least leastTurns times, and never as long as longTurn, are idle in between. So is
// a thread that waited at least leastTurns times for one that slept at least as often by itself, and never much longer
// than usual: for more than evenly times the mean, and longTurn.
const (
	leastTurns   = 10
	leastPeriods = 3 // of a thread that lets time pass
	longTurn     = int64(50 * time.Millisecond)
	evenly       = 3
	// longTick limits a wait at a barrier, or for a result, for a thread that lets time pass: a longer one is no clock.
	longTick = int64(100 * time.Millisecond)
)

// waits returns findings on waits that are not for a lock: from blame the threads that ended them, from statistics
// alone the pools that waited.
func (f *facts) waits() []Finding {
	switch {
	case f.Blame != nil:
		return append(f.finishedWaits(), f.openWaits()...)
	case f.Statistics != nil:
		return f.waitsOfPools()
	}
	return nil
}

func (f *facts) finishedWaits() (findings []Finding) {
	if f.untimed() {
		return nil // how long they took is unknown
	}
	findings = f.finishedBlocks()
	for i := range f.others {
		if found, shown := f.finishedWait(&f.others[i]); shown {
			findings = append(findings, found)
		}
	}
	return findings
}

// endedBy returns who is to blame for the waits of the group. Input and output come from outside: a thread that
// interrupts such a wait has not let the other one wait.
func (f *facts) endedBy(g *blame.Group) []culprit {
	if g.Longest.State == trace.StateInIO {
		return nil
	}
	return slices.DeleteFunc(culpritsOf(g.Culprits), func(c culprit) bool {
		return c.own || c.kind == blame.Unknown || c.waitsLike(&g.Longest) || f.isOfJVM(&c) ||
			c.isOfHTTPClient() && awaited(&g.Longest) == httpResponse
	})
}

// finishedWait returns the finding on the waits of a group; none if several dumps do not show how long they were.
func (f *facts) finishedWait(g *blame.Group) (found Finding, shown bool) {
	others := f.endedBy(g)
	known := totalOf(others)
	found = Finding{Kind: kindOfWait(&g.Longest), Certainty: Seen, Waiting: len(g.Waiters), Total: known,
		longest: g.Longest.Length(), Object: f.objectOf(&g.Longest), Command: f.blameOf(&g.Longest, g.Objects),
		waiter: onlyWaiter(&g.Longest, len(g.Waiters)), Evidence: f.stateThen(g)}
	if found.Kind == IO {
		found.at = g.Longest.Caller
	}
	least := f.most()
	if least == "" && found.Kind == ClassInit {
		least = "at least " // a recorder sees such a wait only some time after it began
	}
	still := f.stillOpen(g)
	if found.Kind == Semaphore && len(g.Waiters) > 1 { // a single one may use up permits in a loop
		turns, longest := f.Blame.Turns(g)
		still.turns, still.most = turns, max(still.most, longest)
	}
	all := histogram.Sum(g.Total, still.total)
	text := fmt.Sprintf("%s %s for %s%s%s%s", waiters(g), waitedForAll(&g.Longest, still.objects(g)), least,
		inAll(all, len(g.Waiters)), at(&g.Longest), still.longest(g))
	if found.Kind == ClassInit && g.Longest.Other.Key != 0 {
		found.Total, found.Threads = all, []Thread{initialiser(&g.Longest)}
		found.Summary = text + "; " + g.Longest.Other.Title() + " initialised it."
		return found, true
	}
	if holders := f.holders(g, found.Kind); holders != nil {
		found.hold(holders, g, still, text)
		return found, true
	}
	explained := known >= g.Total/leastNamed && len(others) > 0
	if !explained && f.dumps() > 0 {
		return found, false // it waited in a dump, which does not show how long, and no longer in the next one
	}
	if known < g.Total/2 {
		found.Evidence = append(f.asleepThen(g, found.Kind), found.Evidence...)
	}
	if explained {
		found.Summary = text + "; " + blamed(others, g.Total, still.finished()) + "."
		if f.explain(&found, g, others, known); known > g.Total-g.Total/leastNamed {
			found.Total = histogram.Sum(known, still.total)
		}
		return found, true
	}
	found.Total, found.Certainty = all, Possible
	// permits lacked for one or another of the threads all the time
	found.own = found.Kind != Semaphore || len(g.Waiters) == 1 || found.Total < f.length()
	found.idle = found.Kind == QueueEmpty && !takes(&g.Longest) || isPeriodic(g, found.Kind)
	found.Summary = text + f.unexplained(&g.Longest) + "."
	return found, true
}

// asleepThen names threads that slept during a wait that somebody else has to end.
func (f *facts) asleepThen(g *blame.Group, kind Kind) []string {
	several := kind == WaitKind && len(g.Waiters) > 1 && !f.isTimed(&g.Longest)
	if kind != Future && kind != Semaphore && !several && (kind != QueueEmpty || !takes(&g.Longest)) {
		return nil
	}
	when := meanwhile
	if g.Count > 1 {
		when = "During the longest"
	}
	return f.asleep(&g.Longest, when)
}

// explain adds who kept the threads of the group waiting, for known in all, unless they waited for work.
func (f *facts) explain(found *Finding, g *blame.Group, others []culprit, known int64) {
	found.work = f.workOf(g, found.Kind, others)
	found.idle = f.isIdle(g, found.Kind, others)
	// the joined thread is what matters
	found.own = found.Kind == Join || found.idle || found.work != "" || f.isStep(g, found.Kind) || f.isBriefly(g, found.Kind)
	if found.idle {
		found.Certainty = Possible
		return
	}
	found.Threads, found.Places = named(others, known)
	isTick := (found.Kind == Barrier || found.Kind == Future) && g.Longest.Length() < longTick
	found.paced = (found.Kind == QueueEmpty || found.Kind == WaitKind || isTick) && !takes(&g.Longest) &&
		passed(others) > known-known/4
	found.steady = found.paced && g.Count >= leastPeriods && g.Longest.Length() < longWait &&
		!slices.ContainsFunc(others, func(c culprit) bool {
			return c.total > known/leastNamed && !c.isTimer() && f.ticks(c.key) == 0
		})
}

// isStep reports whether threads meet at a barrier again and again, and wait there for a part of their time only: equal
// shares of work do not take exactly as long.
func (f *facts) isStep(g *blame.Group, kind Kind) bool {
	return kind == Barrier && g.Longest.Length() < longTick && g.Count >= leastTurns &&
		g.Total < histogram.Product(f.length()/4, len(g.Waiters))
}

// isBriefly reports whether threads wait for results that come soon, for a small part of their time, and for none that
// does not come: somebody has to make these.
func (f *facts) isBriefly(g *blame.Group, kind Kind) bool {
	place := placeOf(&g.Longest)
	isLong := func(o blame.OpenGroup) bool { return placeOf(&o.Longest) == place && o.Longest.Length() >= longTick }
	isRare := g.Total < histogram.Product(f.length()/4, len(g.Waiters))
	return kind == Future && isRare && g.Longest.Length() < longTick && !slices.ContainsFunc(f.open, isLong)
}

// passed is the time in which the culprits let time pass: they slept, waited with a timeout, or until a task was due.
func passed(all []culprit) (sum int64) {
	for i := range all {
		c := &all[i]
		slept := c.state == trace.StateSleeping || c.state == trace.StateTimedWaiting || c.isTimer()
		if c.kind == blame.Segment && slept {
			sum = histogram.Sum(sum, c.total)
		}
	}
	return sum
}

// unfinished are the open waits that are like the finished ones of a group.
type unfinished struct {
	count       int
	total, most int64 // nanoseconds, of all and of the longest
	// turns is how often threads got what the finished waits were for, if a thread may have waited several times for
	// it.
	turns int
}

// objects returns for how many objects the threads of the group waited, also in the open waits.
func (u *unfinished) objects(g *blame.Group) int {
	if g.Objects == g.Count && g.Count > 1 { // each wait has its own
		return g.Objects + u.count
	}
	return g.Objects
}

// stillOpen returns the open waits at the place of the finished ones, in the same state and for the same class, if the
// same threads wait, and none unusually long. They are part of the finding on the group, and have none of their own.
func (f *facts) stillOpen(g *blame.Group) (still unfinished) {
	if f.dumps() > 0 {
		return unfinished{}
	}
	like, class := &g.Longest, javaname.DeclaredClass(g.Longest.Object.Class)
	isOther := func(waiter trace.ThreadKey) bool { return !g.Waiters[waiter] }
	var alike []int
	for i := range f.open {
		switch w := &f.open[i].Longest; {
		case w.Type != like.Type || w.State != like.State || w.Caller.Method != like.Caller.Method ||
			w.Caller.Line != like.Caller.Line || javaname.DeclaredClass(w.Object.Class) != class:
		case w.Length() > 2*like.Length() || slices.ContainsFunc(slices.Collect(maps.Keys(f.open[i].Waiters)), isOther):
			return unfinished{}
		default:
			alike = append(alike, i)
		}
	}
	for _, i := range alike {
		f.added[i] = true
		still.count += len(f.open[i].Waiters)
		still.total = histogram.Sum(still.total, f.open[i].Total)
		still.most = max(still.most, f.open[i].Longest.Length())
	}
	return still
}

// longest names the longest of several waits, and counts those that were not over.
func (s unfinished) longest(g *blame.Group) string {
	finished := cmp.Or(s.turns, g.Count)
	length := phrase.Duration(max(g.Longest.Length(), s.most))
	switch waits := phrase.Count(finished+s.count, "wait"); {
	case s.count > 0:
		return fmt.Sprintf(" (%s, longest %s; %s not over)", waits, length, phrase.Count(s.count, "was", "were"))
	case finished > 1:
		return fmt.Sprintf(" (%s, longest %s)", waits, length)
	}
	return ""
}

// finished are the waits to which shares refer.
func (s unfinished) finished() string {
	if s.count == 0 {
		return "that"
	}
	return "the finished ones"
}

// onlyWaiter returns the name of the thread that waited if it was the only one; else "".
func onlyWaiter(w *blame.Wait, waiters int) string {
	if waiters == 1 {
		return w.Thread.Name
	}
	return ""
}

// stateThen says what is known of the object of the group's longest wait: the peer of a socket, or the state that was
// read.
func (f *facts) stateThen(g *blame.Group) []string {
	if peer := f.States.peer(&g.Longest.Object); peer != "" {
		of := "The peer"
		if g.Objects > 1 {
			of += " of the longest wait"
		}
		return []string{of + " was " + peer + "."}
	}
	of := f.States.of(&g.Longest)
	if of == nil {
		return nil
	}
	was := f.wasThen(g.Longest.Object, of)
	if was == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s after the longest wait began, %s.", phrase.Duration(int64(of.Time-g.Longest.Began)), was)}
}

// wasThen is the state of an object that a thread waited for, as a clause; "" if it says nothing new.
func (f *facts) wasThen(object critical.Object, of *trace.ObjectState) string {
	number := numbersOf(of)
	synchronizer, _ := javaname.SynchronizerOf(object.Class)
	switch synchronizer.Word {
	case "semaphore":
		return "it had " + phrase.Count(number("permits"), "permit")
	case "latch":
		return fmt.Sprintf("its count was %d", number("count"))
	case "phaser", "barrier":
		return fmt.Sprintf("%d of %s had arrived", number("arrived"), phrase.Count(number("parties"), "party", "parties"))
	}
	runner, runs := of.Number("runner")
	if !runs || number("done") != 0 {
		return ""
	}
	if e := f.States.executorOf(of, inQueue); e != nil {
		return "it was in the queue of " + e.title + " and not run by any thread"
	}
	if running := f.threadsOf(object.Session, runner); len(running) > 0 {
		return running[0].Title() + " ran it"
	}
	return ""
}

// isIdle reports whether the threads of the group wait for work: each time for a moment, as the only consumer of a
// queue for several threads, never for long or for threads that let time pass, or for threads that made it in their own
// time, which the trace shows by their even sleeps. The result of a timer's task comes when that is due.
func (f *facts) isIdle(g *blame.Group, kind Kind, others []culprit) bool {
	if kind != QueueEmpty && kind != WaitKind && kind != Future {
		return false
	}
	slept, most := int64(0), int64(0)
	sums := map[trace.ThreadKey]int64{}
	for i := range others {
		c := &others[i]
		sums[c.key] = histogram.Sum(sums[c.key], c.total)
		most = max(most, sums[c.key])
		if c.kind == blame.Segment && c.state != trace.StateRunnable &&
			(c.isTimer() || kind != Future && g.Count >= leastTurns && f.ticks(c.key) >= leastTurns) {
			slept = histogram.Sum(slept, c.total)
		}
	}
	longest, all := g.Longest.Length(), totalOf(others)
	isRare := longest < longWait || passed(others) > all-all/10
	switch {
	case kind == QueueEmpty && longest < longTurn && g.Count >= leastTurns:
		return true
	case kind == QueueEmpty && len(g.Waiters) == 1 && most < all-all/4 && isRare:
		return true
	}
	return slept > all-g.Total/10
}

// isTimer reports whether the culprit is a worker of a timer that waits until its next task is due.
func (c *culprit) isTimer() bool {
	return c.place.Method != nil && pools.IsTimerQueue(c.place.Method.Class)
}

// isPeriodic reports whether the only thread of the group waits again and again for its own time to pass.
func isPeriodic(g *blame.Group, kind Kind) bool {
	return len(g.Waiters) == 1 && kind == WaitKind && g.Count >= leastPeriods &&
		(g.Longest.State == trace.StateTimedWaiting || g.Longest.Length() < evenly*(g.Total/int64(g.Count)))
}

// ticks returns how often the thread slept, or was a timer with tasks that did, if it slept evenly and did not wait for
// others; else 0.
func (f *facts) ticks(key trace.ThreadKey) int {
	ticks, known := f.ticking[key]
	if !known {
		s := f.Blame.SleepsOf(key)
		if s.Count >= leastPeriods && s.Longest < evenly*(s.Total/int64(s.Count))+longTurn && s.Waited < s.Total/10 {
			ticks = s.Count
		}
		f.ticking[key] = ticks
	}
	return ticks
}

// finishedBlocks returns findings on blocks that have ended, on locks that the trace does not name.
func (f *facts) finishedBlocks() (findings []Finding) {
	for _, g := range f.blocks {
		if g.Longest.Object.ID.Known() {
			continue // it has a finding
		}
		findings = append(findings, Finding{Kind: Lock, Certainty: Seen, Waiting: len(g.Waiters), Total: g.Total,
			longest: g.Longest.Length(),
			Summary: fmt.Sprintf("%s BLOCKED for %s%s%s; the trace names neither the lock nor who held it.",
				phrase.Count(len(g.Waiters), "thread was", "threads were"), inAll(g.Total, len(g.Waiters)), at(&g.Longest),
				longestAt(&g)),
			Command: f.blameOf(&g.Longest, 0)})
	}
	return findings
}

// unexplained ends a sentence on a wait if the trace does not show who could have ended it: a join can have timed out.
func (f *facts) unexplained(w *blame.Wait) string {
	if w.Type == trace.WaitingForJoin && w.Other.Key != 0 && f.Blame.During(w.Other.Key, w.To).Thread.Key != 0 {
		return "; " + w.Other.Title() + " had not ended by then"
	}
	if w.State == trace.StateInIO {
		return "" // it came from outside
	}
	return "; nothing in the trace shows who could have ended that sooner"
}

// longestAt names the longest of several waits at different places, after the place where it was.
func longestAt(g *blame.Group) string {
	if g.Count > 1 {
		return " and possibly elsewhere" + unfinished{}.longest(g)
	}
	return ""
}

// initialiser is the thread that initialises the class for which the thread waits.
func initialiser(w *blame.Wait) Thread { return threadOf(w.Other.ID.String(), w.Other.Name) }

// inAll is the sum of the times of threads: 3.00 s, or for several threads 3.00 s in all.
func inAll(total int64, threads int) string {
	if threads == 1 {
		return phrase.Duration(total)
	}
	return phrase.Duration(total) + " in all"
}

// objectOf is the object that the thread waits for; the zero Object if unknown.
func (f *facts) objectOf(w *blame.Wait) Object {
	if !w.Object.ID.Known() || isPolled(w) {
		return Object{}
	}
	object := Object{ID: w.Object.ID.String(), Class: javaname.DeclaredClass(w.Object.Class)}
	if state := f.States.of(w); state != nil {
		object.State = state.Text
	}
	return object
}

// kindOfWait returns the kind of a wait that is not for a lock.
func kindOfWait(w *blame.Wait) Kind {
	switch {
	case w.State == trace.StateInIO || fromOutside[awaited(w)]:
		return IO
	case w.State == trace.StateInitialising:
		return ClassInit
	case w.Type == trace.WaitingForJoin || awaited(w) == virtualEnd:
		return Join
	case awaited(w) == taskResult:
		return Future
	case awaited(w) != "":
		return WaitKind
	}
	if s, ok := javaname.SynchronizerOf(w.Object.Class); ok {
		if kind, ok := kindOf[s.Word]; ok && kind != QueueEmpty {
			return kind
		}
	}
	kind, _ := waitIn(w)
	return kind
}

// waitIn returns the kind of a wait in a method of java.util.concurrent that the program called, and the method's class
// without its package: queues and barriers of the JDK wait for conditions of locks.
func waitIn(w *blame.Wait) (Kind, string) {
	called := w.Caller.Inner
	if called == nil || !strings.HasPrefix(javaname.Class(called.Class), "java.util.concurrent.") {
		return WaitKind, ""
	}
	class := javaname.SimpleClass(called.Class)
	switch {
	case class == "CyclicBarrier":
		return Barrier, class
	case class == "FutureTask":
		return Future, class // the object is of the program's own class of them
	case !strings.HasSuffix(class, "Queue") && !strings.HasSuffix(class, "Deque"):
		return WaitKind, ""
	case handsOver(class) && (strings.Contains(called.Class, "$") || called.Name == "xfer"):
		return WaitKind, class
	case slices.ContainsFunc(puts, func(put string) bool { return strings.HasPrefix(called.Name, put) }):
		return QueueFull, class
	}
	return QueueEmpty, class
}

// puts are how the names of methods of queues begin in which threads wait to put something in.
var puts = []string{"put", "offer", "transfer", "tryTransfer"}

// handsOver reports whether the class is a queue of the JDK without room. Its nested classes let producers and
// consumers wait in the same methods.
func handsOver(class string) bool {
	return class == "SynchronousQueue" || class == "LinkedTransferQueue"
}

// waiters is the title of the only thread that waited, or the number of threads.
func waiters(g *blame.Group) string {
	if len(g.Waiters) == 1 {
		return g.Longest.Thread.Title()
	}
	return phrase.Count(len(g.Waiters), "thread")
}

// waited is what they did: waited for latch CountDownLatch 73.
func waited(w *blame.Wait) string {
	what, _ := waitedAndNamed(w)
	return what
}

// waits is what they do, in a dump or for as long as threads wait for them.
func waits(w *blame.Wait) string { return "waits" + strings.TrimPrefix(waited(w), "waited") }

// waitedAndNamed is what they did, and whether that names the object or the joined thread. If not, it is true of waits
// for others, too.
func waitedAndNamed(w *blame.Wait) (what string, named bool) {
	switch {
	case w.Type == trace.WaitingForJoin:
		return "waited for " + critical.JoinTitle(w.Other, w.Object), w.Object.ID.Known()
	case w.State == trace.StateInIO:
		return "waited for input or output", false
	case w.State == trace.StateInitialising:
		return "waited for " + w.Object.Initialisation(), w.Object.ID.Known()
	}
	if what := awaited(w); what != "" {
		return "waited for " + what, false
	}
	switch kind, class := waitIn(w); kind {
	case WaitKind:
		if handsOver(class) {
			return "waited for another thread at queue " + class, false
		}
	case Barrier:
		return "waited at barrier " + class, false
	case QueueEmpty:
		return "waited for an element of queue " + class, false
	case QueueFull:
		if handsOver(class) {
			return "waited for a consumer of queue " + class, false
		}
		return "waited for room in queue " + class, false
	}
	switch {
	case !w.Object.ID.Known():
		return "waited", false
	case javaname.IsPermit(w.Object.Class):
		return "waited in LockSupport.park", false
	case javaname.InternalClass(w.Object.Class) == threadClass || waitsForEnd(w):
		return "waited, likely for the end of " + w.Object.Title(), true
	}
	if s, _ := javaname.SynchronizerOf(w.Object.Class); s.Node {
		return "waited for a " + s.Class, false
	}
	return "waited for " + w.Object.Title(), true
}

// awaited is what the thread waits for by the JDK's method in which it waits; "" if the object shows it.
func awaited(w *blame.Wait) string {
	if called := w.Caller.Inner; called != nil {
		return awaitedIn[javaname.Class(called.Class)+"."+called.Name]
	}
	return ""
}

// waitsForEnd reports whether the thread waits in Thread.join, or for shutdown hooks, as its calls show.
func waitsForEnd(w *blame.Wait) bool {
	called := w.Caller.Inner
	return isOfExit(w) || called != nil && javaname.InternalClass(called.Class) == threadClass && called.Name == "join"
}

// isOfExit reports whether the thread is to exit the JVM, and waits for its shutdown hooks.
func isOfExit(w *blame.Wait) bool {
	called := w.Caller.Inner
	return called != nil && javaname.InternalClass(called.Class) == "java/lang/ApplicationShutdownHooks"
}

// Ends are what joins of virtual threads, and Process.waitFor, wait for.
const (
	virtualEnd = "the end of a virtual thread"
	processEnd = "the end of another process"
	// httpResponse is what HttpClient.send waits for, taskResult what a completion service does.
	httpResponse = "an HTTP response"
	taskResult   = "the result of a task"
	// The JDK lets threads wait for objects of its own for these.
	pipeData, pipeRoom, inputOutput = "data from a pipe", "room in a pipe", "input or output"
)

// fromOutside is what is awaited like input or output.
var fromOutside = map[string]bool{httpResponse: true, pipeData: true, pipeRoom: true, inputOutput: true}

// awaitedIn is what threads wait for in methods of the JDK whose objects do not show it.
var awaitedIn = map[string]string{
	"java.io.PipedInputStream.awaitSpace":                               pipeRoom,
	"java.io.PipedInputStream.read":                                     pipeData,
	"java.lang.ProcessImpl.waitFor":                                     processEnd,
	"java.lang.UNIXProcess.waitFor":                                     processEnd,
	"java.lang.VirtualThread.joinNanos":                                 virtualEnd,
	"jdk.internal.misc.ThreadFlock.awaitAll":                            subtasksEnd,
	"jdk.internal.net.http.HttpClientImpl.send":                         httpResponse,
	"java.util.concurrent.ExecutorCompletionService.poll":               taskResult,
	"java.util.concurrent.ExecutorCompletionService.take":               taskResult,
	"java.util.concurrent.ForkJoinPool.awaitTermination":                forkPoolEnd,
	"java.util.concurrent.ForkJoinPool.close":                           forkPoolEnd,
	"java.util.concurrent.ScheduledThreadPoolExecutor.awaitTermination": executorEnd,
	"java.util.concurrent.ThreadPerTaskExecutor.awaitTermination":       executorThreadsEnd,
	"java.util.concurrent.ThreadPerTaskExecutor.close":                  executorThreadsEnd,
	"java.util.concurrent.ThreadPoolExecutor.awaitTermination":          executorEnd,
	"sun.nio.ch.PendingFuture.get":                                      inputOutput,
	"sun.nio.ch.Poller.poll":                                            inputOutput,
}

// threadClass is the class of Thread objects: a wait on one that belongs to no known thread is most likely a
// Thread.join.
const threadClass = "java/lang/Thread"

// waitedForAll is what threads did. They waited for the given number of objects, the longest of them for that of w.
func waitedForAll(w *blame.Wait, objects int) string {
	what, named := waitedAndNamed(w)
	switch {
	case objects < 2 || !named:
		return what
	case w.Type == trace.WaitingForJoin && w.Other.Key != 0:
		return fmt.Sprintf("waited for the ends of %d threads, such as %s,", objects, w.Other.Title())
	case w.Type == trace.WaitingForObject && javaname.InternalClass(w.Object.Class) == threadClass:
		return fmt.Sprintf("waited, likely for the ends of %d threads,", objects)
	}
	return fmt.Sprintf("waited for %d objects, such as %s,", objects, w.Object.Title())
}

func at(w *blame.Wait) string {
	if place := wording.Frame(w.Caller); place != "" {
		return " at " + place
	}
	return ""
}

// isPolled reports whether a virtual thread waits for input or output: the object is the one for which it is parked,
// and says nothing.
func isPolled(w *blame.Wait) bool {
	return w.State == trace.StateInIO && javaname.IsPermit(w.Object.Class)
}

// blameOf is the command that shows more of a wait for one of several objects.
func (f *facts) blameOf(w *blame.Wait, objects int) string {
	if w.Object.ID.Known() && w.Type != trace.WaitingForJoin && objects < 2 && !isPolled(w) {
		return f.command(More{Analysis: "blame", Monitor: w.Object.ID.String()})
	}
	return f.command(More{Analysis: "blame", Waiters: true})
}

// poolKinds are the kinds of time in which pools wait, without locks.
var poolKinds = map[contention.Kind]Kind{contention.Waited: WaitKind, contention.Timed: WaitKind, contention.Parked: WaitKind,
	contention.Joined: Join, contention.IO: IO, contention.Init: ClassInit}

// waitsOfPools returns a finding for the pool that waited longest, in each state.
func (f *facts) waitsOfPools() (findings []Finding) {
	for _, w := range f.Statistics.LongestWaits() {
		kind, ok := poolKinds[w.Kind]
		if !ok {
			kind = Sleep
		}
		findings = append(findings, Finding{Kind: kind, Certainty: Seen, Waiting: int(w.Threads()),
			Total: histogram.Signed(w.Total), own: true, Summary: w.Sentence(), Command: f.command(More{Analysis: "why"})})
	}
	return findings
}
