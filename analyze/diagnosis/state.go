package diagnosis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/pools"
	"github.com/trcx/trcx/internal/phrase"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// States is a sink that keeps the states of objects for which threads waited, and which threads can still go on when
// the trace ends. The zero States has none.
type States struct {
	all map[identity]trace.ObjectState
	// jvm are threads of the JVM, timed the program's threads whose open wait has a timeout. acts reports that another
	// thread runs, sleeps or does input or output.
	jvm, timed map[trace.ThreadKey]bool
	acts       bool
	older      map[trace.ThreadKey]bool // threads whose open wait began earlier, at an unknown time
	// carriedBy are the virtual threads of a thread dump with their carriers, unknown ones for those that none runs.
	carriedBy map[trace.ThreadKey]trace.ThreadID
}

// maxStates limits the kept states: enough for twenty recordings.
const maxStates = 1 << 12

// identity is an object of a recording: its id means nothing in others.
type identity struct {
	session int
	id      trace.ObjectID
}

func identityOf(o *critical.Object) identity { return identity{o.Session, o.ID} }

// Put keeps what it needs of the record.
func (s *States) Put(r trace.Record) error {
	if s.all == nil {
		s.all, s.jvm, s.timed = map[identity]trace.ObjectState{}, map[trace.ThreadKey]bool{}, map[trace.ThreadKey]bool{}
		s.older, s.carriedBy = map[trace.ThreadKey]bool{}, map[trace.ThreadKey]trace.ThreadID{}
	}
	switch r := r.(type) {
	case *trace.ObjectState:
		if len(s.all) < maxStates {
			s.all[identity{r.Session, r.Object}] = *r
		}
	case *trace.ModelThread:
		if r.OfJVM() {
			s.jvm[r.Key] = true
		}
		s.acts = s.acts || r.Group == carriers
		if r.Virtual {
			s.carriedBy[r.Key] = r.Carrier
		}
	case *trace.Interval:
		if r.Open && r.Older {
			s.older[r.Thread.Key] = true
		}
		switch {
		case !r.Open || s.jvm[r.Thread.Key]:
		case r.Type == trace.Running || r.Type == trace.Sleeping || r.IO != trace.NoIO:
			s.acts = true
		case r.HasTimeout():
			s.timed[r.Thread.Key] = true
		}
	}
	return nil
}

// carriers is the group of threads that run virtual threads. An attached recording does not have virtual threads that
// have waited since before it began.
const carriers = "CarrierThreads"

// of returns the latest state of the object for which the thread waits; nil if none was read in that wait.
func (s *States) of(w *blame.Wait) *trace.ObjectState {
	if s == nil || !w.Object.ID.Known() {
		return nil
	}
	if state := s.at(w.Object.Session, w.Object.ID); state != nil && state.Time >= w.From && state.Time <= w.To {
		return state
	}
	return nil
}

func (s *States) at(session int, id trace.ObjectID) *trace.ObjectState {
	if state, ok := s.all[identity{session, id}]; ok {
		return &state
	}
	return nil
}

// peer returns the peer of the socket as host:port, and says if that is the JVM itself. It returns "" for other objects,
// and if the peer is unknown.
func (s *States) peer(of *critical.Object) string {
	if s == nil {
		return ""
	}
	state := s.at(of.Session, of.ID)
	if state == nil {
		return ""
	}
	peer := state.Peer()
	if self, _ := state.Number("self"); self == 1 {
		peer += ", this JVM itself"
	}
	return peer
}

// standardStream names the object if it is a standard stream of the JVM: "standard input". Otherwise it returns "".
func (s *States) standardStream(of *critical.Object) string {
	if s == nil {
		return ""
	}
	if state := s.at(of.Session, of.ID); state != nil {
		if file, ok := state.Number("standard"); ok && file >= 0 && file < int64(len(standardStreams)) {
			return standardStreams[file]
		}
	}
	return ""
}

var standardStreams = [...]string{"standard input", "standard output", "standard error output"}

// threadNames are the names of the numbers of states that are ids of threads.
var threadNames = []string{"owner", "reader", "runner", "worker"}

// numbered is a thread of a recording.
type numbered struct {
	session int
	id      string
}

// threadsIn returns the threads that states name.
func (f *facts) threadsIn() map[numbered]critical.Thread {
	wanted, found := map[numbered]bool{}, map[numbered]critical.Thread{}
	if f.States == nil {
		return found
	}
	for of, state := range f.States.all {
		for _, name := range threadNames {
			for _, id := range state.Numbers(name) {
				wanted[numbered{of.session, strconv.FormatInt(id, 10)}] = true
			}
		}
	}
	if len(wanted) > 0 {
		for t := range f.Blame.Threads {
			if key := (numbered{t.Session, t.ID.String()}); wanted[key] {
				found[key] = t
			}
		}
	}
	return found
}

// threadsOf returns the threads of the ids that states name, without those that the trace does not have.
func (f *facts) threadsOf(session int, ids ...int64) (found []critical.Thread) {
	for _, id := range ids {
		if t, ok := f.named[numbered{session, strconv.FormatInt(id, 10)}]; ok {
			found = append(found, t)
		}
	}
	return found
}

// executor is an executor whose threads wait.
type executor struct {
	session         int
	id              trace.ObjectID
	title           string
	workers, queued int64
	counted         bool // the number of queued tasks is known
	full            bool // all of its workers run a task, and it can have no more
	forks           bool // it is a ForkJoinPool, which others may help, and which can have more workers than it should
	timer           bool // its tasks can be due later: it is a ScheduledThreadPoolExecutor
	named           []int64
}

// How objects are related to an executor, by the names of the numbers in their states.
const (
	inQueue    = "inQueue"    // the object is in its queue
	terminates = "terminates" // who waits for the object wants it to terminate
)

// executorOf returns the executor to which the object is related; nil for none, or if unknown.
func (s *States) executorOf(of *trace.ObjectState, relation string) *executor {
	id, ok := of.Number(relation)
	if !ok {
		return nil
	}
	object := trace.ObjectFrom(strconv.AppendInt(nil, id, 10))
	state := s.at(of.Session, object)
	if state == nil {
		return &executor{id: object, title: "an executor"}
	}
	return executorIn(state)
}

// waitingExecutor returns an executor all of whose workers wait for the object, or for input or output, with others and
// for a second at least, while tasks are in its queue; nil for none.
func (f *facts) waitingExecutor(g *blame.OpenGroup) *executor {
	if g.Longest.Type != trace.WaitingForObject {
		return nil
	}
	for _, e := range f.executors {
		workers := f.threadsOf(e.session, e.named...)
		if e.full && e.queued > 0 && int64(len(workers)) == e.workers && !slices.ContainsFunc(workers,
			func(t critical.Thread) bool {
				w, _ := f.Blame.OpenWait(t.Key)
				return !g.Waiters[t.Key] || f.States.timed[t.Key] || w.Length() < leastStuck
			}) {
			return e
		}
	}
	return nil
}

// waitFor says that all workers of the executor are among the threads of the group, and how many tasks wait for the
// workers. Whether one of these tasks would end the wait is not known.
func (f *facts) waitFor(g *blame.OpenGroup, e *executor) string {
	who, wait := fmt.Sprintf("all %d workers", e.workers), "wait"
	if e.workers == 1 {
		who, wait = "the only worker", "waits"
	}
	workers := fmt.Sprintf("%s of %s, in whose queue %s", who, e.title, phrase.Count(int(e.queued), "task is", "tasks are"))
	switch {
	case g.Longest.State != trace.StateInIO:
		return "; " + workers + ", " + wait + " for it"
	case len(g.Waiters) == 1:
		return "; it is " + workers
	case int64(len(g.Waiters)) == e.workers:
		return "; they are " + workers
	case e.workers == 1:
		return "; among them is " + titles(f.threadsOf(e.session, e.named...)) + ", " + workers
	}
	return "; among them are " + workers
}

// executors returns all executors, in the order of their ids.
func (s *States) executors() (all []*executor) {
	if s == nil {
		return nil
	}
	for _, state := range s.all {
		if _, is := state.Number("workers"); is {
			all = append(all, executorIn(&state))
		}
	}
	slices.SortFunc(all, func(a, b *executor) int {
		return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.id.String(), b.id.String()))
	})
	return all
}

// executorIn reads the state of an executor.
func executorIn(state *trace.ObjectState) *executor {
	e := executor{session: state.Session, id: state.Object, title: "ThreadPoolExecutor " + state.Object.String()}
	parallelism, forks := state.Number("parallelism")
	e.workers, _ = state.Number("workers")
	e.queued, e.counted = state.Number("queued")
	e.named = state.Numbers("worker")
	active, known := state.Number("active")
	maximum, limited := state.Number("maximum")
	_, bounded := state.Number("capacity")
	e.full = known && limited && active == e.workers && e.workers > 0 && (!bounded || e.workers >= maximum)
	e.timer = maximum == math.MaxInt32 && !bounded
	if e.forks = forks; forks {
		e.title = "ForkJoinPool " + state.Object.String()
		e.full = known && active == e.workers && e.workers >= max(parallelism, 1)
	}
	return &e
}

// state is what is known about an object for which threads still wait: a clause after its title, a clause on what is
// unknown, and the threads to blame.
type state struct {
	which, rest string
	all         string // a title of all objects, if they are several
	blamed      []critical.Thread
	early       bool // it was read long before the trace ended, and which says so
	nobody      bool // no thread is left that could end the wait
	lacks       bool // a semaphore has no permits, or too few
}

// stateOf returns the state of what the threads of the group wait for.
func (f *facts) stateOf(g *blame.OpenGroup) (s state) {
	object := &g.Longest.Object
	of := f.States.of(&g.Longest)
	synchronizer, _ := javaname.SynchronizerOf(object.Class)
	switch {
	case awaited(&g.Longest) != "":
		return s
	case of == nil:
		s.nobody = isForOthers(synchronizer.Word) && f.allWaitInDump(g)
		return s
	}
	number := numbersOf(of)
	word := synchronizer.Word
	if _, runs := of.Number("runner"); runs && word == "" {
		word = "future" // the program's own class of them
	}
	switch word {
	case "semaphore":
		s.permit(f, g, number("permits"))
	case "latch":
		if count := number("count"); count > 0 {
			s.which = fmt.Sprintf(", whose count was %d,", count)
			s.rest = "; who was to count it down is not known"
			if s.nobody = f.allWait() && f.expectants > 1; s.nobody {
				s.rest += ", and no thread of the program was left that could: all waited"
			}
		}
	case "phaser":
		s.which = fmt.Sprintf(", at which %d of %s had arrived,", number("arrived"),
			phrase.Count(number("parties"), "party", "parties"))
		if s.nobody = f.allWait() && f.expectants > 1; s.nobody {
			s.rest = "; no thread of the program was left that could arrive: all waited"
		}
	case "condition":
		switch kind := kindOfWait(&g.Longest); {
		case !f.allWait():
		case kind == Barrier:
			s.rest, s.nobody = "; no thread of the program was left that could come: all waited", true
		case kind == QueueFull:
			s.rest, s.nobody = "; no thread of the program was left that could take one: all waited", true
		}
	case "lock":
		s.hold(f, object.Session, of)
	case "future", "task":
		s.run(f, object.Session, of)
	}
	if owner := number("owner"); owner != 0 && s.which == "" {
		s.own(f, object.Session, synchronizer.Word, int64(owner))
	}
	if s.early = s.which != "" && isEarly(&g.Longest, of); s.early {
		s.which = fmt.Sprintf("%s %s before the end,", strings.TrimSuffix(s.which, ","),
			phrase.Duration(int64(endOf(&g.Longest)-of.Time)))
	}
	return s
}

// numbersOf returns the function of a state's numbers by their names; 0 for those that it does not have.
func numbersOf(of *trace.ObjectState) func(name string) int {
	return func(name string) int {
		n, _ := of.Number(name)
		return int(n)
	}
}

// permit says how many permits a semaphore has, and who may have the others.
func (s *state) permit(f *facts, g *blame.OpenGroup, permits int) {
	s.which = ", which had " + phrase.Count(permits, "permit") + ","
	s.lacks = true
	switch {
	case permits <= 0:
		if f.asked++; f.asked <= maxFindings {
			s.take(f.Blame.Keepers(g))
		}
		if s.nobody = f.allWait(); s.nobody {
			s.rest += ", and no thread of the program was left that could give one back: all waited"
		}
	// with enough permits it would go on, unless the state was read just when one was given back
	case len(g.Waiters) == 1:
		s.rest = "; likely it wants more permits than that"
	default:
		s.rest = "; likely the first of them wants more permits than that"
	}
}

// stateOfAll returns the state of all objects of the group: of one, or of several tasks of an executor. Of other
// objects, only what is said of the one that was awaited longest, or of all alike if that one is not named.
func (f *facts) stateOfAll(g *openGroup) state {
	if len(g.parts) > 1 {
		if e := f.queueOf(g.parts); e != nil {
			all := state{all: "tasks of " + e.title}
			all.busy(f, e)
			return all
		}
	}
	s := f.stateOf(g.OpenGroup)
	if len(g.parts) > 1 && len(s.blamed) > 0 { // who has the others is not looked up
		s = state{which: s.which}
	}
	if _, named := waitedAndNamed(&g.Longest); !named && slices.ContainsFunc(g.parts, func(part blame.OpenGroup) bool {
		return s.which != "" && f.stateOf(&part).which != s.which
	}) {
		s.which = "" // it is not true of all
	}
	return s
}

// queueOf returns the executor whose tasks all the groups wait for, if some of these are in its queue; nil for none.
func (f *facts) queueOf(groups []blame.OpenGroup) (of *executor) {
	var runners []int64
	for i := range groups {
		w := &groups[i].Longest
		state := f.States.of(w)
		if state == nil || isEarly(w, state) {
			return nil
		}
		runner, _ := state.Number("runner")
		done, _ := state.Number("done")
		e := f.States.executorOf(state, inQueue)
		switch {
		case done != 0 || e == nil && runner == 0:
			return nil
		case e == nil:
			runners = append(runners, runner)
		case of != nil && (of.session != e.session || of.id != e.id):
			return nil
		default:
			of = e
		}
	}
	if of == nil || slices.ContainsFunc(runners, func(id int64) bool { return !slices.Contains(of.named, id) }) {
		return nil
	}
	return of
}

// isEarly reports whether the state was read so long before the end of the open wait that it may have changed.
func isEarly(w *blame.Wait, of *trace.ObjectState) bool { return int64(endOf(w)-of.Time) > leastStuck }

// endOf returns when the wait ended, or the trace, whatever the window.
func endOf(w *blame.Wait) trace.Time { return w.Began + trace.Time(w.Whole) }

// own says who owns a lock, or the monitor or lock that belongs to the awaited object.
func (s *state) own(f *facts, session int, word string, owner int64) {
	s.blamed = f.threadsOf(session, owner)
	switch {
	case len(s.blamed) > 0:
		held := " held,"
		if f.dumps() > 0 {
			held = " holds,"
		}
		s.which, s.rest = ", "+whose(word)+s.blamed[0].Title()+held, f.didLast("; that one", s.blamed[0].Key)
		if _, lives := f.Blame.Last(s.blamed[0].Key); !lives {
			s.rest = "; that one has ended"
		}
	case word == "lock" && f.Recorded > 0:
		s.which = fmt.Sprintf(", which thread %d held,", owner)
		s.rest = "; no thread of the trace has that number: it had ended before, or is a virtual one that only waited"
	}
}

// whose begins a clause on who holds what threads wait for, or the lock of a condition.
func whose(word string) string {
	switch word {
	case "lock":
		return "which "
	case "condition":
		return "whose lock "
	}
	return "whose monitor "
}

// allWait reports whether all threads of the program wait without a timeout, but not because the program has ended.
func (f *facts) allWait() bool {
	goesOn := f.Recorded > 0 || f.Path != nil && f.Path.Ending.IsArbitrary()
	return goesOn && !f.States.acts && len(f.States.timed) == 0
}

// allWaitInDump reports whether all threads of the program wait without a timeout when the last dump was made. In a
// single dump at least two must wait for the object: threads that take turns all wait for a moment, too. Dumps of
// several JVMs do not show which of them hangs.
func (f *facts) allWaitInDump(g *blame.OpenGroup) bool {
	if f.dumps() == 0 || f.NoVirtual || f.expectants < 2 || f.dumps() == 1 && len(g.Waiters) < 2 {
		return false
	}
	for t := range f.Blame.Threads {
		did, lives := f.Blame.Last(t.Key)
		switch {
		case t.Session != g.Longest.Thread.Session:
			return false
		case !lives || f.Blame.OfJVM(t.Key) || pools.ServesJVM(t.Name):
			continue
		}
		switch did.Type {
		case trace.WaitingForObject, trace.WaitingForLock, trace.WaitingForJoin:
			if did.State == trace.StateInIO || f.isTimed(&did) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isForOthers reports whether a synchronizer of the word keeps a thread waiting until other threads act.
func isForOthers(word string) bool {
	return word == "semaphore" || word == "latch" || word == "phaser" || word == "future"
}

// countExpectants counts the threads that wait for other threads to act, by the words for what they wait for. If only
// the main thread waits for a latch, the program may just wait to be ended.
func (f *facts) countExpectants() (count int) {
	for i := range f.open {
		synchronizer, _ := javaname.SynchronizerOf(f.open[i].Longest.Object.Class)
		if awaited(&f.open[i].Longest) == "" && isForOthers(synchronizer.Word) {
			count += len(f.open[i].Waiters)
		}
	}
	return count
}

// run says who runs a task, or that it is in a queue.
func (s *state) run(f *facts, session int, of *trace.ObjectState) {
	runner, runs := of.Number("runner")
	done, isTask := of.Number("done")
	e := f.States.executorOf(of, inQueue)
	switch {
	case done != 0:
	case e != nil:
		s.which = ", which is in the queue of " + e.title + " and not run by any thread,"
		if !isTask {
			s.which = ", which a task in the queue of " + e.title + " completes,"
		}
		s.busy(f, e)
	case runner != 0:
		s.blamed = f.threadsOf(session, runner)
		if len(s.blamed) > 0 {
			s.which, s.rest = ", which "+s.blamed[0].Title()+" runs,", f.didLast("; that one", s.blamed[0].Key)
		}
	case runs:
		s.which = ", which no thread runs,"
	case f.allWait() && f.expectants > 1:
		s.rest, s.nobody = "; no thread of the program was left that could complete it: all waited", true
	}
}

// busy says that all workers of the executor are busy, if they are.
func (s *state) busy(f *facts, e *executor) {
	if e.full {
		s.working(f, e, f.threadsOf(e.session, e.named...))
	}
}

// working says that workers of the executor are busy, and what the first of them did, with others that did the same.
func (s *state) working(f *facts, e *executor, busy []critical.Thread) {
	s.blamed = busy
	slices.SortFunc(s.blamed, func(a, b critical.Thread) int { return cmp.Compare(a.Key, b.Key) })
	switch known := int64(len(busy)); {
	case e.workers == 1:
		s.rest = "; its only worker was busy"
	case (e.forks || !e.full) && known < e.workers:
		were := "were"
		if known == 1 {
			were = "was"
		}
		s.rest = fmt.Sprintf("; %d of its %d workers %s busy", known, e.workers, were)
	default:
		s.rest = fmt.Sprintf("; its %d workers were all busy", e.workers)
	}
	did := ""
	var who []critical.Thread
	for i := range s.blamed {
		does := f.didLast("", s.blamed[i].Key)
		if did == "" {
			did = does
		}
		if does != "" && does == did {
			who = append(who, s.blamed[i])
		}
	}
	switch {
	case did == "":
	case len(who) < len(busy):
		s.rest += ", such as " + who[0].Title() + ", which" + did
	case len(who) == 1:
		s.rest += ": " + who[0].Title() + did
	default:
		if slept, is := strings.CutPrefix(did, " was "); is {
			did = " were " + slept
		}
		s.rest += ": " + titles(who) + did
	}
}

// didLast says what the thread, whose title is who, did when the trace ended: it still waited for something, or was
// SLEEPING at a place; "" if it ran or had ended.
func (f *facts) didLast(who string, key trace.ThreadKey) string {
	if w, _ := f.Blame.OpenWait(key); w.Thread.Key != 0 {
		return who + " still " + waited(&w) + at(&w)
	}
	w, lives := f.Blame.Last(key)
	if !lives || w.Type == trace.Running {
		return ""
	}
	return who + " was " + w.State.InSentence() + at(&w)
}

// take says who took the permits of a semaphore.
func (s *state) take(keepers []critical.Thread) {
	switch len(keepers) {
	case 0:
		s.rest = "; who took them is not known"
		return
	case 1:
		s.rest = "; " + keepers[0].Title() + " got one and has not given it back"
	default:
		s.rest = fmt.Sprintf("; %d threads got one and have not given it back, such as %s", len(keepers), keepers[0].Title())
	}
	s.blamed = keepers
}

// hold says who holds a lock that can have readers.
func (s *state) hold(f *facts, session int, of *trace.ObjectState) {
	readers, _ := of.Number("readers")
	writers, _ := of.Number("writers")
	switch {
	case writers > 0:
		s.which, s.rest = ", which was held for writing,", "; who holds it is not known"
	case readers > 0:
		s.which, s.rest = ", which was held for reading,", "; who holds it is not known"
		if readers > 1 {
			s.which = fmt.Sprintf(", which was held for reading %d times,", readers)
		}
		if s.blamed = f.readersOf(session, of); len(s.blamed) > 0 {
			s.rest = ", by " + titles(s.blamed)
			if len(s.blamed) == 1 {
				s.rest += f.didLast("; that one", s.blamed[0].Key)
			}
		}
	}
}

// readersOf returns the known readers of a lock, without threads that have ended.
func (f *facts) readersOf(session int, of *trace.ObjectState) []critical.Thread {
	all := f.threadsOf(session, slices.Compact(slices.Sorted(slices.Values(of.Numbers("reader"))))...)
	return slices.DeleteFunc(all, func(t critical.Thread) bool {
		_, lives := f.Blame.Last(t.Key)
		return !lives
	})
}

// titles lists threads, and counts those after the first few.
func titles(all []critical.Thread) string {
	var names []string
	for i := range all[:min(len(all), maxListed)] {
		names = append(names, all[i].Title())
	}
	return listOf(names, len(all)-len(names))
}

// noneHolds continues a sentence on a lock that no thread of a dump holds.
func noneHolds(class string) string {
	if strings.Contains(class, "ReentrantReadWriteLock") {
		return "; no thread in the dump holds it for writing: threads that read hold it, or one that took it has ended " +
			"or is virtual"
	}
	return "; no thread in the dump holds it: who took it has ended, is a virtual thread, or was just giving it back"
}

// addState adds the state of a lock for which threads still wait: if nobody is known to hold it, which readers do.
func (f *facts) addState(l *lock) {
	i := slices.IndexFunc(f.open, func(g blame.OpenGroup) bool { return identityOf(&g.Longest.Object) == l.of })
	if i < 0 {
		return
	}
	s := f.stateOf(&f.open[i])
	l.state = f.objectOf(&f.open[i].Longest).State
	for j := range s.blamed {
		l.readers = append(l.readers, threadOf(s.blamed[j].ID.String(), s.blamed[j].Name))
	}
	if of := f.States.of(&f.open[i].Longest); of != nil {
		owner, known := of.Number("owner")
		if readers, _ := of.Number("readers"); readers > 0 && owner == 0 && !s.early {
			l.shared = true
		}
		if f.dumps() > 0 && known && owner == 0 {
			l.unowned = noneHolds(l.class)
		}
	}
	if s.which != "" {
		l.read = strings.TrimSuffix(s.which, ",")
		if !s.early {
			l.read += " when the trace ended"
		}
		l.read += s.rest
	}
}
