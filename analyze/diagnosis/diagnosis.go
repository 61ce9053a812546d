package diagnosis

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trcx/trcx/analyze/blame"
	"github.com/trcx/trcx/analyze/contention"
	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/deadlock"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/methods"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Kind is what is wrong, as JSON names it.
type Kind string

// The kinds.
const (
	Deadlock      Kind = "deadlock"
	InitLoop      Kind = "class-init-deadlock"
	ClassInit     Kind = "class-init"
	Lock          Kind = "lock"
	Semaphore     Kind = "semaphore"
	Latch         Kind = "latch"
	Barrier       Kind = "barrier"
	Future        Kind = "future"
	QueueEmpty    Kind = "queue-empty"
	QueueFull     Kind = "queue-full"
	IO            Kind = "io"
	Sleep         Kind = "sleep"
	Pause         Kind = "pause"
	CPU           Kind = "cpu"
	CPUStarved    Kind = "cpu-starved"
	Leak          Kind = "leak"
	PoolExhausted Kind = "pool-exhausted"
	PoolSelfWait  Kind = "pool-self-wait"
	TimerLate     Kind = "timer-late"
	Start         Kind = "start"
	WaitKind      Kind = "wait"
	Join          Kind = "join"
	Pinned        Kind = "pinned"
	WaitLoop      Kind = "wait-loop"
)

// Certainty is how certain a finding is.
type Certainty string

// From the surest to the least sure.
const (
	Proven   Certainty = "proven"   // nothing else is possible
	Seen     Certainty = "seen"     // the trace shows it
	Likely   Certainty = "likely"   // what the trace shows has no better explanation
	Possible Certainty = "possible" // the trace does not contradict it
)

// noTotal is a total that the trace does not have, as one of a single moment.
const noTotal = -1

// Thread is a thread that a finding names: one to blame.
type Thread struct {
	ID, Name, Pool string
}

// Object is an object that threads waited for.
type Object struct {
	ID, Class string
	State     string // names with numbers, as trace.ObjectState has them; "" if unknown
}

// Finding is something that is wrong.
type Finding struct {
	Kind      Kind
	Certainty Certainty
	// Summary is one sentence: who, where and how long.
	Summary string
	Threads []Thread
	Waiting int // threads that waited because of it
	// Total is the time that threads lost because of it, in nanoseconds; -1 if the trace does not have it. Share is its
	// part, from 0 to 1, of the time that all threads lost.
	Total int64
	Share float64
	// Object is the object that they waited for; the zero Object if they waited for none.
	Object Object
	// Places are the stacks, innermost frame first, at which the threads to blame were, the place with most time first.
	Places   [][]trace.Frame
	Evidence []string
	Command  string
	// longest is the length of its longest wait in nanoseconds, as far as known.
	longest int64
	// own reports that it delayed only its own thread.
	own bool
	// idle reports that who waited likely waited for work.
	idle bool
	// paced reports that who kept them waiting let time pass: perhaps it is just how often there is work. It comes
	// after others if one of these cost as much.
	paced, after bool
	// steady reports that it is, besides, made evenly and often.
	steady bool
	// busy reports that a thread computed. It is said although it delayed no other: it may be an endless loop.
	busy bool
	// waiter is the name of the only thread that waited; "" if there are several.
	waiter string
	exits  bool // a thread is to exit the JVM, and waits for that
	// at is where threads waited for input or output that ended.
	at trace.Frame
	// work is a clause on a wait for threads that did their work; "" for other findings.
	work string
}

// IsDeadlock reports whether threads wait for each other.
func (f *Finding) IsDeadlock() bool { return f.Kind == Deadlock || f.Kind == InitLoop }

// Facts are what is known of a trace. Each may be nil.
type Facts struct {
	Target string // as JSON names it
	// Recorded is how long a process was recorded for the diagnosis, in nanoseconds; 0 if it was not.
	Recorded int64
	// Command returns the command line that shows more of a finding.
	Command    func(More) string
	Statistics *contention.Statistics
	Blame      *blame.Blame
	// Locks has the locks that matter, if both are nil.
	Locks     *blame.Blame
	Path      *critical.Path
	Deadlocks *deadlock.Report
	States    *States
	// Hot returns the methods that threads ran most, by the threads' ids: few findings need them, and that takes time.
	// Calls returns a sentence about all calls; "" if there are none.
	Hot   func() map[string]methods.Hot
	Calls func() string
	// Nothing is the sentence if nothing is found; "" for the usual one.
	Nothing string
	// Few says that only the first findings are wanted.
	Few bool
	// Beside are facts, with Blame and States, of thread dumps that were made beside a trace with Blame. Only has their
	// threads that the trace may lack, names by ids: virtual threads that have waited since before it began.
	Beside []*Facts
	Only   map[string]string
	// NoVirtual says that thread dumps of a JVM with virtual threads lack those that no carrier runs.
	NoVirtual bool
	// NoVirtualParks and NoVirtualBlocks say that a recording of a JVM with virtual threads does not show those
	// that are parked, or BLOCKED on monitors.
	NoVirtualParks, NoVirtualBlocks bool
	// Working are the threads that ran a task of an executor of java.util.concurrent when the trace ended, with the
	// executor's class.
	Working map[trace.ThreadKey]string
	// Moved says that the recording numbers an object anew when a collection may have moved it.
	Moved bool
}

// Diagnosis is what is wrong, the worst first.
type Diagnosis struct {
	Target   string
	Recorded int64 // as Facts has it
	Findings []Finding
	reason   string // why nothing was found; "" for the usual reason
	whole    bool   // all analyses were diagnosed
	work     string // as Finding has it, of the longest wait
	dumps    int    // as facts has it
	samples  string // what a profiler saw, or what calls took
	lacks    string // as facts has it
}

// The limits of what is worth saying.
const (
	maxFindings = 7
	maxIdle     = 2   // of threads that are likely idle, if nothing else is found
	leastShare  = 20  // a finding takes at least 1/20 of what the largest takes
	leastOfRun  = 100 // and 1/100 of the trace's length, or it has a wait of longWait
	leastInSum  = 10  // many small waits take 1/10 of the trace's length
	leastNamed  = 20  // a thread is named that has 1/20 of a time
)

// longWait is a wait that matters in a trace of any length, in nanoseconds.
const longWait = int64(time.Second)

// briefWait is a wait, in nanoseconds, that matters only if a thread has many of them.
const briefWait = int64(10 * time.Millisecond)

// facts are Facts with the waits from their blame, which several findings need.
type facts struct {
	*Facts
	blocks []blame.Group // the largest groups of finished waits for locks
	others []blame.Group // and of the others
	open   []blame.OpenGroup
	added  map[int]bool // the open groups that are part of a finding on finished waits, by their index
	stuck  stuck
	loops  [][]trace.ThreadKey // of stuck threads
	// victims are the stuck threads that a finding on such a loop has.
	victims map[trace.ThreadKey]bool
	// holding are the holders of locks for which the finding on the lock says what they still wait for.
	holding map[trace.ThreadKey]bool
	named   map[numbered]critical.Thread // by the states
	// quiet is how long the trace beside these dumps was recorded, in which their threads did nothing, in nanoseconds.
	quiet   int64
	working map[awaitedEnd]map[string][]critical.Thread
	// executors are the executors whose threads wait; expectants counts the threads that wait for other threads to act.
	executors  []*executor
	expectants int
	told       map[string]bool         // pools with a finding on the object for which all of their threads wait
	said       map[string]bool         // sentences that one finding has, see sayOnce
	ticking    map[trace.ThreadKey]int // see ticks
	worked     map[string]bool         // pools whose work the main thread waited for
	joins      []identity              // the objects, if all threads of the program wait for ends and locks of others
	asked      int                     // how many semaphores were looked at
}

// maxBlocks limits the locks for which the holders' actions are looked up: more than the findings can show.
const maxBlocks = maxFindings + 1

// maxOpen limits the awaited objects that are looked at, the largest first.
const maxOpen = 1 << 16

func examine(of *Facts) *facts {
	f := &facts{Facts: of, added: map[int]bool{}, told: map[string]bool{}, said: map[string]bool{},
		ticking: map[trace.ThreadKey]int{}, worked: map[string]bool{},
		victims: map[trace.ThreadKey]bool{}, holding: map[trace.ThreadKey]bool{},
		working: map[awaitedEnd]map[string][]critical.Thread{}}
	if of.Blame == nil {
		return f
	}
	f.open = of.Blame.OpenGroups(maxOpen)
	blocks, others := maxBlocks, maxWaits
	if of.Few {
		blocks, others = MaxHead, MaxHead
	}
	f.blocks, f.others = of.Blame.Largest(f.parts(blocks), others)
	f.named = f.threadsIn()
	f.executors, f.expectants = f.States.executors(), f.countExpectants()
	f.stuck = f.findStuck()
	f.loops = f.stuck.loops()
	return f
}

// Of returns the diagnosis of the facts.
func Of(of *Facts) *Diagnosis {
	f := examine(of)
	d := &Diagnosis{Target: f.Target, Recorded: f.Recorded, reason: f.Nothing,
		whole: f.Statistics != nil && f.Blame != nil}
	if f.Statistics != nil {
		d.samples, d.dumps = f.Statistics.Samples.Sentence(), f.dumps()
		d.reason = cmp.Or(f.Statistics.Nothing(), d.reason)
	}
	d.lacks = f.lacks()
	d.add(f.deadlocks()...)
	d.add(f.stuckFindings()...)
	d.add(f.joinLoop()...)
	d.add(f.locks()...)
	d.add(f.waits()...)
	d.add(f.pools()...)
	d.addLate(f.lateTimers())
	d.add(f.manyPools()...)
	d.add(f.starts()...)
	d.add(f.keptCarriers(nil)...)
	d.add(f.run()...)
	d.add(f.busy()...)
	d.addBeside(f)
	d.add(f.waitLoops()...)
	if !d.blames() { // else that is the answer
		d.add(f.runnable()...)
	}
	d.rank(f.length())
	d.sayOnce(f.said)
	d.leaveOutNamed()
	d.leaveOutWork()
	if d.Healthy() {
		d.Findings = append(f.inSum(), d.Findings...)
	}
	if d.samples == "" && f.Calls != nil && d.Healthy() { // else it is not said
		if calls := f.Calls(); calls != "" {
			d.samples = strings.TrimSpace(calls + " " + d.reason)
		}
	}
	return d
}

// lacks is a sentence about what recordings or thread dumps lack, after a blank, or "".
func (f *facts) lacks() string {
	switch {
	case f.NoVirtualBlocks:
		return " It does not show virtual threads that are parked or BLOCKED; trcx record does."
	case f.NoVirtualParks:
		return " It does not show virtual threads that are parked; trcx record does."
	case !f.NoVirtual:
		return ""
	case f.dumps() > 1:
		return " They have no virtual threads that wait; " + dumpsAll
	}
	return " It has no virtual threads that wait; " + dumpsAll
}

const dumpsAll = "jcmd PID Thread.dump_to_file -format=json FILE writes all."

// leaveOutWork leaves out the waits for threads that did their work if nothing is wrong: a clause says enough.
func (d *Diagnosis) leaveOutWork() {
	if !d.whole || !d.Healthy() {
		return
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool {
		if d.work == "" {
			d.work = f.work
		}
		return f.work != ""
	})
}

// addBeside adds findings on threads of the dumps that were made beside the trace, except threads whose waits the trace
// or an earlier finding has. What a dump shows of a lock that a finding has is its evidence.
func (d *Diagnosis) addBeside(f *facts) {
	if len(f.Beside) == 0 {
		return
	}
	known, deadlocked := f.knownIDs(), f.Deadlocks != nil && len(f.Deadlocks.Deadlocks) > 0
	waits := map[string]blame.Wait{} // by the ids of threads
	for _, w := range f.Blame.Open() {
		waits[w.Thread.ID.String()] = w
	}
	for _, of := range f.Beside {
		dump := examine(of)
		dump.quiet = f.Recorded
		ids := dump.waitingIDs()
		dump.open = slices.DeleteFunc(dump.open, func(g blame.OpenGroup) bool {
			for key := range g.Waiters {
				w, _ := dump.Blame.OpenWait(key)
				if id := w.Thread.ID.String(); f.isOnly(id) && !known[id] {
					return false
				}
			}
			return true
		})
		maps.Copy(known, ids)
		locks := slices.DeleteFunc(dump.locks(), func(l Finding) bool {
			return !slices.ContainsFunc(dump.open, func(g blame.OpenGroup) bool {
				return g.Longest.Object.ID.String() == l.Object.ID
			})
		})
		if !deadlocked {
			deadlocks := dump.deadlocks()
			d.add(deadlocks...)
			deadlocked = len(deadlocks) > 0
		}
		for _, found := range locks {
			of := d.sameLock(waits, dump, &found)
			if of == nil {
				d.add(found)
				continue
			}
			showsHolder := len(of.Threads) == 0 && len(found.Threads) > 0
			if of.Waiting < found.Waiting || showsHolder {
				of.Waiting = max(of.Waiting, found.Waiting)
				of.Evidence = append(of.Evidence, "Soon after, of what is likely the same object: "+found.Summary)
			}
			if showsHolder {
				of.Summary = strings.Replace(of.Summary, unknownHolder, "", 1)
				of.Threads, of.Places, of.Certainty = found.Threads, found.Places, Likely
			}
		}
		d.add(dump.openWaits()...)
		d.add(dump.keptCarriers(f.computing())...)
	}
}

// isOnly reports whether the trace may lack the thread of the dumps beside it.
func (f *facts) isOnly(id string) bool {
	_, only := f.Only[id]
	return only
}

// sameLock returns the trace's finding on the lock of a dump's finding; nil if it is on none. The ids of locks differ,
// but not those of threads. It is likely one lock if most threads that are BLOCKED on it in the dump were BLOCKED on
// one lock when the trace ended. Threads that did not wait then do not count.
func (d *Diagnosis) sameLock(waits map[string]blame.Wait, dump *facts, found *Finding) *Finding {
	counts, all := map[string]int{}, 0
	for _, w := range dump.Blame.Open() {
		before, waited := waits[w.Thread.ID.String()]
		if !waited || w.Object.ID.String() != found.Object.ID {
			continue
		}
		class, classBefore := javaname.DeclaredClass(w.Object.Class), javaname.DeclaredClass(before.Object.Class)
		if all++; before.Type == w.Type && classBefore == class {
			counts[before.Object.ID.String()]++
		}
	}
	for i := range d.Findings {
		if of := &d.Findings[i]; of.Kind == found.Kind && counts[of.Object.ID] > all/2 {
			return of
		}
	}
	return nil
}

// waitingIDs has the ids of the threads that still wait.
func (f *facts) waitingIDs() map[string]bool {
	ids := map[string]bool{}
	for _, g := range f.open {
		for key := range g.Waiters {
			w, _ := f.Blame.OpenWait(key)
			ids[w.Thread.ID.String()] = true
		}
	}
	return ids
}

// knownIDs returns the ids of threads for which the trace needs no dump: they still wait, or did something since it
// began. If a later dump shows the latter waiting, that wait is new.
func (f *facts) knownIDs() map[string]bool {
	ids := f.waitingIDs()
	for t := range f.Blame.Threads {
		if w, _ := f.Blame.Last(t.Key); w.From > f.Blame.Start() {
			ids[t.ID.String()] = true
		}
	}
	return ids
}

// Healthy reports whether nothing was found that kept others waiting or stopped the program. Waits for work that is
// made evenly and often are no fault by themselves.
func (d *Diagnosis) Healthy() bool {
	return !slices.ContainsFunc(d.Findings, func(f Finding) bool { return !f.own && !f.steady })
}

// blames reports whether a finding on what is wrong names a thread to blame, or has another cause than waits.
func (d *Diagnosis) blames() bool {
	return slices.ContainsFunc(d.Findings, func(f Finding) bool {
		return !f.own && !f.steady && (len(f.Threads) > 0 || f.Waiting == 0)
	})
}

func (d *Diagnosis) add(findings ...Finding) { d.Findings = append(d.Findings, findings...) }

// length returns the length of the trace, of several the sum of their lengths; 0 if it is unknown.
func (f *facts) length() (length int64) {
	switch {
	case f.Statistics != nil:
		for i := range f.Statistics.Traces {
			length = histogram.Sum(length, f.Statistics.Traces[i].Duration)
		}
	case f.Blame != nil:
		length = int64(f.Blame.End() - f.Blame.Start())
	}
	return length
}

// rank sorts the findings, and leaves out findings that are too small compared with the largest or the run, and what
// may be idle if there is something else. A finding that cost others time comes before one that cost only its own
// thread.
func (d *Diagnosis) rank(run int64) {
	all, most, named, mostOwn := int64(0), int64(0), int64(0), int64(0)
	for i := range d.Findings {
		if f := &d.Findings[i]; f.own {
			mostOwn = max(mostOwn, f.Total)
		} else {
			all = histogram.Sum(all, max(f.Total, 0))
			most = max(most, f.weight())
			if len(f.Threads) > 0 && !f.paced {
				named = max(named, f.weight())
			}
		}
	}
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool {
		if f.Certainty == Proven || f.Total == noTotal {
			return false
		}
		least, each := run/leastOfRun, f.Total/int64(max(f.Waiting, 1))
		if f.longest > 0 && (f.longest < briefWait || f.longest < longWait && each < briefWait) {
			least *= int64(max(f.Waiting, 1)) // many threads add up what is nothing for each
		}
		return f.Total < least && f.longest < longWait || !f.own && f.Total < most/leastShare ||
			f.own && !f.busy && f.Total < max(named/2, mostOwn/leastShare)
	})
	d.putAfter()
	for i := range d.Findings {
		if f := &d.Findings[i]; all > 0 && !f.own {
			f.Share = min(1, float64(max(f.Total, 0))/float64(all))
		}
	}
	slices.SortStableFunc(d.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.class(), b.class()), cmp.Compare(b.weight(), a.weight()),
			cmp.Compare(b.Total, a.Total), cmp.Compare(b.Waiting, a.Waiting), cmp.Compare(a.Summary, b.Summary))
	})
	d.leaveOutSteady()
	first := slices.IndexFunc(d.Findings, func(f Finding) bool { return f.idle && f.own }) // the others follow
	switch {
	case first > 0:
		d.Findings = d.Findings[:first]
	case first == 0:
		d.Findings = d.Findings[:min(len(d.Findings), maxIdle)]
	}
	d.Findings = d.Findings[:min(len(d.Findings), maxFindings)]
}

// leaveOutSteady leaves out work that is made evenly and often, except the first two if nothing is wrong, or if what is
// wrong costs less.
func (d *Diagnosis) leaveOutSteady() {
	steady, healthy := 0, d.Healthy()
	deadlocked := slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.IsDeadlock() })
	d.Findings = slices.DeleteFunc(d.Findings, func(f Finding) bool {
		if f.steady {
			steady++
		}
		return f.steady && (healthy && steady > maxIdle || !healthy && (f.after || deadlocked))
	})
}

// putAfter lets waits for work that is made in its own time come after waits of others that are more likely wrong.
func (d *Diagnosis) putAfter() {
	for i := range d.Findings {
		f := &d.Findings[i]
		f.after = f.paced && slices.ContainsFunc(d.Findings, func(of Finding) bool {
			isMaker := slices.ContainsFunc(f.Threads, func(t Thread) bool {
				return t.Name == of.waiter || slices.ContainsFunc(of.Threads, func(o Thread) bool {
					return o.Name == t.Name || o.Pool == t.Name || o.Pool == t.Pool // the same cause
				})
			})
			return !of.paced && !of.idle && !of.busy && (of.Kind != Join || of.exits) && of.Kind != IO && !isMaker &&
				f.Total-f.Total/10 <= cmp.Or(max(of.Total, 0), of.longest)
		})
	}
}

// weight orders the findings of a class by their times, as far as these are known. One that is only possible and names
// nobody helps less.
func (f *Finding) weight() int64 {
	total := f.Total
	if total == noTotal {
		total = f.longest
	}
	if f.Certainty == Possible && len(f.Threads) == 0 {
		return total / 4
	}
	return total
}

// class orders findings: what is proven, possible deadlocks, what cost others time, and what cost only its own thread:
// first threads that computed, then what is no wait for work, last waits that are perhaps, or likely, idle, and those
// for elements of a queue.
func (f *Finding) class() int {
	switch {
	case f.Certainty == Proven:
		return 0
	case f.IsDeadlock():
		return 1
	case f.after:
		return 7
	case !f.own:
		return 2
	case f.busy:
		return 3
	case f.Kind == ClassInit:
		return 4
	case f.Kind == CPU || f.Kind == QueueFull:
		return 5
	case !f.idle:
		return 6
	case f.Kind != QueueEmpty:
		return 8
	}
	return 9
}

// More is what shows more of a finding.
type More struct {
	Analysis string // blame, deadlocks, path, stats or why
	Monitor  string // for blame, the id of the object that threads waited for; "" for all
	Waiters  bool   // for blame, grouped by the threads that waited
}

// command is the command that shows more; "" if the caller has none.
func (f *facts) command(m More) string {
	if f.Command == nil {
		return ""
	}
	return f.Command(m)
}
