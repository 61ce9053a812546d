package diagnosis

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/enrich"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/threads"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// openGroup is a group of threads that still wait when the trace ends: in one state for one object, or at one place
// each for an object of its own.
type openGroup struct {
	*blame.OpenGroup
	parts []blame.OpenGroup // one for each object, the longest first
}

// objects returns the number of objects for which they wait.
func (g *openGroup) objects() int { return len(g.parts) }

// openWaits returns findings on threads that still wait when the trace ends, but not for a lock or the end of a thread.
// A single thread is worth a finding if it waits in the program's own code.
func (f *facts) openWaits() (findings []Finding) {
	findings = f.openBlocks()
	deadlocked, last := f.deadlocked(), f.findLastThreads()
	for _, g := range f.openAlike() {
		w := &g.Longest
		if deadlocked[identityOf(&w.Object)] || f.isLeftOut(&g) {
			continue
		}
		found := Finding{Kind: kindOfWait(w), Certainty: Possible, Waiting: len(g.Waiters), Total: g.Total, own: true,
			Object: f.objectOf(w), Command: f.blameOf(w, g.objects()), waiter: onlyWaiter(w, len(g.Waiters))}
		by := ""
		if found.Kind == ClassInit && w.Other.Key != 0 {
			found.Certainty, found.own, found.Threads = Seen, false, []Thread{initialiser(w)}
			by = ", which " + w.Other.Title() + " initialises,"
		}
		if w.Length() == 0 || f.untimed() || f.isOlder(g.OpenGroup) {
			found.Total = noTotal
		}
		s := f.stateOfAll(&g)
		if len(s.blamed) > 0 {
			found.Certainty, found.own = Likely, false
		}
		// permits that several threads want are more likely a lacking resource than a signal of work to do
		found.own = found.own && !s.nobody && !(s.lacks && len(g.Waiters) > 1) && !f.hangs(&g, found.Kind)
		f.addExit(&found, w)
		s.rest += f.addBacklog(&found, &g)
		s.rest += f.addOther(&found, w)
		f.addDumped(&found, &s)
		if synchronizer, _ := javaname.SynchronizerOf(w.Object.Class); synchronizer.Word == "lock" {
			found.Kind, found.own = Lock, false // an unknown thread holds it
		}
		if found.work = f.awaitedWork(&g, s.blamed); found.work != "" {
			found.own = true
		}
		found.idle = f.mayBeIdle(&g, found.Kind)
		f.addTermination(&found, &g, &s)
		if found.own && last[w.Thread.Key] && len(g.Waiters) == 1 {
			continue // who waits for the executor to terminate has a finding that says this
		}
		if len(s.blamed)+len(found.Threads) == 0 && !s.nobody && !found.idle {
			f.addBeside(&found, &g)
		}
		if len(s.blamed) == 0 && !found.idle {
			found.Evidence = append(f.elsewhere(&g), found.Evidence...)
		}
		found.Evidence = append(found.Evidence, f.peers(&g)...)
		found.addServed(&g)
		found.Threads = append(found.Threads, s.threads()...)
		if f.holding[w.Thread.Key] && len(g.Waiters) == 1 && len(found.Threads)+len(found.Evidence) == 0 {
			continue // the lock that it holds has a finding that says this
		}
		found.Summary = f.openText(&g, s.all, by+s.which, s.rest)
		if !found.own {
			found.longest = w.Length()
		}
		// a trace would show the culprit, which Threads of a join have
		if len(found.Threads) == 0 && len(g.Waiters) == 1 && f.dumps() > 0 && found.Kind != Join {
			found.Threads = []Thread{threadOf(w.Thread.ID.String(), w.Thread.Name)}
		}
		findings = append(findings, found)
	}
	return findings
}

// isLeftOut reports whether threads that still wait need no finding: their lock, deadlock or pool has one, or they may
// well wait for the JDK's or a library's own purposes.
func (f *facts) isLeftOut(g *openGroup) bool {
	w := &g.Longest
	ofProgram := isOfProgram(&w.Caller)
	return w.Type == trace.WaitingForLock || f.areVictims(g) ||
		len(g.Waiters) == 1 && !ofProgram && w.State != trace.StateInitialising ||
		w.Type == trace.WaitingForJoin && (!ofProgram || w.Other.Key == 0 || f.stuck[w.Other.Key] != nil) ||
		f.waitsForItself(w.Object.Class) && f.States.of(w) == nil
}

// isOfProgram reports whether the place is in the program's own code.
func isOfProgram(at *trace.Frame) bool { return at.Method != nil && !enrich.IsLibrary(at.Method.Class) }

// threads returns the first of those to blame.
func (s *state) threads() (all []Thread) {
	for i := range s.blamed[:min(len(s.blamed), maxBlamed)] {
		all = append(all, threadOf(s.blamed[i].ID.String(), s.blamed[i].Name))
	}
	return all
}

// addOther returns a clause on what the joined thread did, or the one that initialises the awaited class. Of dumps it
// adds a sentence.
func (f *facts) addOther(found *Finding, w *blame.Wait) string {
	if w.Type != trace.WaitingForJoin && found.Kind != ClassInit || w.Other.Key == 0 {
		return ""
	}
	f.addDoing(found, []critical.Thread{w.Other})
	return f.didLast("; that one", w.Other.Key)
}

// addDoing adds what the thread to blame does, as a dump shows it, which the sentence does not have.
func (f *facts) addDoing(found *Finding, blamed []critical.Thread) {
	if len(blamed) == 1 && f.dumps() > 0 {
		if doing := f.doing(blamed[0].Key); doing != "" {
			found.Evidence = append(found.Evidence, blamed[0].Title()+" "+doing+".")
		}
	}
}

// addDumped adds what dumps show: what the thread to blame does, or that no thread is left that could end the wait.
func (f *facts) addDumped(found *Finding, s *state) {
	f.addDoing(found, s.blamed)
	if s.nobody && f.dumps() > 0 {
		found.Evidence = append(found.Evidence, "No thread of the program is left that could end that: all wait.")
	}
}

// addExit adds that the thread waits for shutdown hooks, which is a hang if it lasts.
func (f *facts) addExit(found *Finding, w *blame.Wait) {
	if isOfExit(w) && (f.dumps() > 0 || w.Length() >= longWait) {
		found.own, found.exits = false, true
		found.Evidence = append(found.Evidence, "The JVM is to exit, and this thread waits for its shutdown hooks.")
	}
}

// hangs reports whether threads have waited for long for others that do not come, and not for work: for room in a
// queue, several of them for results, permits, one latch or a barrier, or in a method of the program that takes what
// others have.
func (f *facts) hangs(g *openGroup, kind Kind) bool {
	w := &g.Longest
	switch {
	case max(w.Length(), f.quiet) < longWait:
		return false
	case kind == Future && f.isTask(w):
		return false // which may just be run
	case kind == QueueFull:
		return true
	case len(g.Waiters) < 2:
		return false
	case kind == WaitKind || kind == QueueEmpty:
		return f.oneTakes(g)
	case kind == Latch:
		return g.objects() == 1 || len(g.Waiters) > 2
	}
	return kind == Barrier || kind == Future || kind == Semaphore || awaited(w) == httpResponse
}

// takes reports whether the thread waits in a method of the program by whose name it takes what others have.
func takes(w *blame.Wait) bool {
	begins := func(name string) bool { return strings.HasPrefix(w.Caller.Method.Name, name) }
	return w.Caller.Method != nil && slices.ContainsFunc(taking, begins)
}

// oneTakes reports whether a thread of the group takes what others have.
func (f *facts) oneTakes(g *openGroup) bool {
	for key := range g.Waiters {
		if w, _ := f.Blame.OpenWait(key); takes(&w) {
			return true
		}
	}
	return false
}

// taking are how the names of such methods begin.
var taking = []string{"acquire", "allocate", "borrow", "checkout", "connection", "getConnection", "lease", "lock", "obtain",
	"reserve"}

// isTask reports whether the thread waits for a task that has its turn: a thread runs it, it is in the queue of an
// executor, or it is done.
func (f *facts) isTask(w *blame.Wait) bool {
	of := f.States.of(w)
	if of == nil {
		return false
	}
	done, _ := of.Number("done")
	runner, runs := of.Number("runner")
	return runs && (runner != 0 || f.States.executorOf(of, inQueue) != nil) || done != 0
}

// mayBeIdle reports whether the threads of the group may well wait for work, or for the program to end. Those that have
// not waited for long when a trace ends, or only in the last of several dumps, would soon have gone on.
func (f *facts) mayBeIdle(g *openGroup, kind Kind) bool {
	w := &g.Longest
	_, class := waitIn(w)
	switch {
	case kind == QueueEmpty && !takes(w) || kind == WaitKind && handsOver(class) && len(g.Waiters) == 1:
		return true
	case len(g.Waiters) > 1:
		return f.dumps() == 0 && w.Length() > 0 && w.Length() < min(longWait, f.length()/2)
	case isMain(&w.Thread) && (kind == Latch || kind == Join && w.Other.Key == 0 || kind == WaitKind && awaited(w) == ""),
		kind == WaitKind && f.isTimed(w):
		return true
	}
	return (w.Length() > 0 || f.dumps() > 1) && w.Length() < min(longWait, f.length()/2)
}

// peers names the standard stream, or the peers of the sockets, for which the threads wait. Those of most threads are
// first. It returns nil if none is known.
func (f *facts) peers(g *openGroup) []string {
	if stream := f.States.standardStream(&g.Longest.Object); stream != "" && g.objects() == 1 {
		return []string{"It is the JVM's " + stream + "."}
	}
	counts, known := map[string]int{}, 0
	for i := range g.parts {
		if peer := f.States.peer(&g.parts[i].Longest.Object); peer != "" {
			counts[peer] += len(g.parts[i].Waiters)
			known += len(g.parts[i].Waiters)
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	are, rest := "The peers are ", ", as far as they are known."
	switch len(all) {
	case 0:
		return nil
	case 1:
		are, rest = "The peer is ", ", as far as it is known."
	}
	if known == len(g.Waiters) {
		rest = "."
	}
	named := all[:min(len(all), maxListed)]
	return []string{are + listOf(named, len(all)-len(named)) + rest}
}

// addBacklog returns a clause on an executor that has tasks in its queue, while all of its workers are among the
// threads of the group; "" if there is none. They keep these tasks waiting.
func (f *facts) addBacklog(found *Finding, g *openGroup) string {
	e := f.waitingExecutor(g.OpenGroup)
	if e == nil || g.objects() > 1 && found.Kind != IO && awaited(&g.Longest) != processEnd {
		return ""
	}
	f.told[threads.PoolOf(g.Longest.Thread.Name)] = true
	found.own = found.own && e.timer
	if !e.timer && !e.forks && found.Certainty == Possible { // other threads may help a ForkJoinPool
		found.Certainty = Seen
	}
	return f.waitFor(g.OpenGroup, e)
}

// openBlocks returns findings on threads that are BLOCKED on locks that the trace does not name.
func (f *facts) openBlocks() (findings []Finding) {
	for _, g := range f.openAlike() {
		w := &g.Longest
		if w.Type != trace.WaitingForLock || w.Object.ID.Known() {
			continue
		}
		found := Finding{Kind: Lock, Certainty: Seen, Waiting: len(g.Waiters), Total: g.Total, longest: w.Length(),
			Command: f.blameOf(w, 0)}
		who, verb := w.Thread.Title(), "is"
		if len(g.Waiters) > 1 {
			who, verb = phrase.Count(len(g.Waiters), "thread"), "are"
		}
		length, source := f.lasted(&g, ""), "trace"
		if f.dumps() > 0 {
			source = "thread dump"
		}
		if w.Length() == 0 {
			length = ""
		}
		if w.Length() == 0 || f.untimed() {
			found.Total = noTotal
		}
		found.Summary = fmt.Sprintf("%s %s BLOCKED%s%s; the %s names neither the lock nor who holds it.", who, verb,
			f.atAll(&g), length, source)
		findings = append(findings, found)
	}
	return findings
}

// isOlder reports whether a thread of the group has waited longer than the trace shows.
func (f *facts) isOlder(g *blame.OpenGroup) bool {
	if f.States != nil {
		for key := range g.Waiters {
			if f.States.older[key] {
				return true
			}
		}
	}
	return false
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
	for i := range f.open {
		if f.added[i] {
			continue
		}
		g := &f.open[i]
		w := &g.Longest
		of := place{w.State, w.Object.Class, w.Caller.Method, w.Caller.Line}
		isAlone := of.method == nil || w.Type == trace.WaitingForLock
		if n, known := at[of]; known && !isAlone {
			groups[n].merge(g)
			continue
		}
		if !isAlone {
			at[of] = len(groups)
		}
		groups = append(groups, openGroup{g, f.open[i : i+1 : i+1]})
	}
	return groups
}

// merge adds a part to the group.
func (g *openGroup) merge(part *blame.OpenGroup) {
	if len(g.parts) == 1 { // it is one of the parts until now
		g.OpenGroup = &blame.OpenGroup{Longest: g.Longest, Total: g.Total, Waiters: maps.Clone(g.Waiters)}
	}
	g.parts = append(g.parts, *part)
	g.Total = histogram.Sum(g.Total, part.Total)
	maps.Copy(g.Waiters, part.Waiters)
}

// openText says who waits for what: "5 threads still waited for latch CountDownLatch 73 at app.Main.run when the trace
// ended, for 2.00 s by then". A single thread dump is one moment; several show who did not move. all is a title of all
// objects, or "" for the number of several. by follows what is awaited, and rest ends the sentence.
func (f *facts) openText(g *openGroup, all, by, rest string) string {
	w := &g.Longest
	who, verb := phrase.Count(len(g.Waiters), "thread")+f.ofPool(g), "wait"
	if len(g.Waiters) == 1 {
		who, verb = w.Thread.Title(), "waits"
	}
	what := waitedForAll(w, g.objects())
	if all != "" {
		what = "waited for " + all
	}
	if by != "" {
		what = strings.TrimSuffix(what, ",")
	}
	length := ""
	switch dumps := f.dumps(); {
	case dumps == 1:
		return fmt.Sprintf("%s %s%s%s%s.", who, verb, strings.TrimPrefix(what, "waited"), by, f.atAll(g))
	case dumps > 1 && w.Length() == 0:
		return fmt.Sprintf("%s %s%s%s%s in the last dump.", who, verb, strings.TrimPrefix(what, "waited"), by, f.atAll(g))
	case dumps > 1:
		return fmt.Sprintf("%s %s%s%s%s%s.", who, verb, strings.TrimPrefix(what, "waited"), by, f.atAll(g), f.lasted(g, ""))
	case w.Length() == 0:
	case f.isOlder(g.OpenGroup) || w.State == trace.StateInitialising:
		length = f.lasted(g, "at least ") + " by then"
	default:
		length = f.lasted(g, "") + " by then"
	}
	return fmt.Sprintf("%s still %s%s%s when the trace ended%s%s.", who, what, by, f.atAll(g), length, rest)
}

// ofPool names the pool to which all threads of the group belong: " of web-*"; "" for none.
func (f *facts) ofPool(g *openGroup) string {
	var names []string
	for key := range g.Waiters {
		w, _ := f.Blame.OpenWait(key)
		names = append(names, w.Thread.Name)
	}
	return ofPool(names)
}

// ofPool names the pool of threads by what their names have in common: " of pool-2-thread-*"; "" if they belong to
// several, or have names without a number.
func ofPool(names []string) string {
	pool := threads.PoolOf(names[0])
	if !strings.Contains(pool, "*") {
		return ""
	}
	var common threads.PoolNames
	for _, name := range names {
		if threads.PoolOf(name) != pool {
			return ""
		}
		common.Add(name)
	}
	return " of " + phrase.Name(common.String())
}

// lasted says for how long the threads of the group have waited, or the longest of them. least is "at least ", or "".
func (f *facts) lasted(g *openGroup, least string) string {
	w, longest := &g.Longest, ""
	if histogram.Product(w.Length(), len(g.Waiters)) != g.Total {
		longest = " the longest"
	}
	if f.dumps() > 0 {
		return "," + longest + f.inDumps(w)
	}
	return "," + longest + " for " + least + phrase.Duration(w.Whole)
}

// inDumps says in which of several dumps the thread waits. Their number is unknown: a trace may have nothing about
// dumps in which nothing changed.
func (f *facts) inDumps(w *blame.Wait) string {
	dumps := "the last dumps"
	if w.Length() == f.length() {
		dumps = "all dumps"
	}
	if f.untimed() {
		return " in " + dumps
	}
	return " in " + dumps + ", over " + phrase.Duration(w.Length())
}

// untimed reports whether the times between thread dumps are unknown, and so all lengths.
func (f *facts) untimed() bool {
	if of := cmp.Or(f.Blame, f.Locks); of != nil {
		return of.Untimed()
	}
	return f.Statistics != nil && f.Statistics.Samples != nil && f.Statistics.Samples.Untimed
}

// atAll is the place of the longest wait of the group, with the callers that all who wait there share, and whether
// others wait elsewhere.
func (f *facts) atAll(g *openGroup) string {
	longest, elsewhere := g.Longest, ""
	for key := range g.Waiters {
		w, _ := f.Blame.OpenWait(key)
		if placeOf(&w) != placeOf(&longest) {
			elsewhere = " and elsewhere"
		} else {
			longest.Caller = sharedCallers(longest.Caller, &w)
		}
	}
	text := at(&longest)
	if text == "" {
		return ""
	}
	return text + elsewhere
}

// sharedCallers returns the frame with the callers that the wait has, too.
func sharedCallers(of trace.Frame, w *blame.Wait) trace.Frame {
	if of.Outer == w.Caller.Outer || of.Outer == nil {
		return of
	}
	shared := 0
	if other := w.Caller.Outer; other != nil {
		for shared < min(len(of.Outer.Frames), len(other.Frames)) &&
			of.Outer.Frames[shared].Method == other.Frames[shared].Method &&
			of.Outer.Frames[shared].Line == other.Frames[shared].Line {
			shared++
		}
	}
	frames := of.Outer.Frames[:shared]
	if of.Outer = nil; shared > 0 {
		of.Outer = &trace.Outer{Frames: frames}
	}
	return of
}

// isTimed reports whether the thread's wait has a timeout.
func (f *facts) isTimed(w *blame.Wait) bool {
	return w.State == trace.StateTimedWaiting || f.States != nil && f.States.timed[w.Thread.Key]
}

// place is the program's own call in which a thread waits, whatever called it.
type place struct {
	method *trace.ModelMethod
	line   int32
}

func placeOf(w *blame.Wait) place { return place{w.Caller.Method, w.Caller.Line} }

// elsewhere names threads of the group that wait at different places, those at the rarest place first. A thread that is
// alone may keep the others waiting. If all wait at one place, it names the one that has other callers than the rest.
// Without such threads it returns nil.
func (f *facts) elsewhere(g *openGroup) []string {
	type site struct {
		place
		outer *trace.Outer
	}
	places, sites := map[site][]trace.ThreadKey{}, map[site][]trace.ThreadKey{}
	for key := range g.Waiters {
		w, _ := f.Blame.OpenWait(key)
		place, called := site{placeOf(&w), nil}, site{placeOf(&w), w.Caller.Outer}
		places[place], sites[called] = append(places[place], key), append(sites[called], key)
	}
	if len(places) < 2 {
		maps.DeleteFunc(sites, func(_ site, threads []trace.ThreadKey) bool { return len(threads) > 1 })
		if len(sites) != 1 || len(g.Waiters) < leastAlike {
			return nil
		}
		places = sites
	}
	rarest := slices.SortedFunc(maps.Keys(places), func(a, b site) int {
		return cmp.Or(cmp.Compare(len(places[a]), len(places[b])),
			cmp.Compare(slices.Min(places[a]), slices.Min(places[b])))
	})
	var who []string
	for _, place := range rarest[:min(len(rarest), maxListed)] {
		w, _ := f.Blame.OpenWait(slices.Min(places[place]))
		who = append(who, w.Thread.Title()+at(&w))
	}
	return []string{"Among them " + phrase.List(who, "and") + "."}
}

// leastAlike is the least number of threads at one place. With fewer, other callers mean nothing.
const leastAlike = 4

// most is "up to " if several dumps show what lasted for a time: it may have been interrupted between them.
func (f *facts) most() string {
	if f.dumps() > 1 {
		return "up to "
	}
	return ""
}

// dumps is 0 if the trace was not made from thread dumps, 1 if it was made from one, and more if from several.
func (f *facts) dumps() int {
	switch {
	case f.Recorded > 0 || f.Statistics == nil || f.Statistics.Samples == nil || !f.isDumped():
		return 0
	case f.length() == 0:
		return 1
	}
	return max(f.Statistics.Samples.Dumps, 2)
}
