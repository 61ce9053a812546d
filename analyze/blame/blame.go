package blame

import (
	"math"
	"slices"

	"github.com/trcx/trcx/analyze/critical"
	"github.com/trcx/trcx/analyze/histogram"
	"github.com/trcx/trcx/analyze/idle"
	"github.com/trcx/trcx/convert/selection"
	"github.com/trcx/trcx/internal/glob"
	"github.com/trcx/trcx/trace"
	"github.com/trcx/trcx/trace/javaname"
)

// Options choose waits. The zero Options choose all waits.
type Options struct {
	// Threads are patterns for the names or ids of waiting threads. If there are any, one must match.
	Threads []string
	// Monitors are patterns for what was waited for. If there are any, one must match.
	Monitors []critical.Monitors
	// States are the states in which threads waited: WaitingForLock, WaitingForObject, WaitingForJoin; nil for all.
	States []trace.ModelType
	// Window is the part of the trace that counts. Waits are cut at its bounds.
	Window selection.Window
	// WithoutIdle leaves out the waits that package idle finds, and the JVM's own threads' waits for work.
	WithoutIdle bool
	// RanksThreads says that threads will be ranked, too. Largest then sums all waits in one pass; otherwise it sums
	// only the waits of its groups.
	RanksThreads bool
}

// isEverything reports whether all waits are chosen, except idle ones.
func (o *Options) isEverything() bool {
	return len(o.Threads)+len(o.Monitors)+len(o.States) == 0 && o.Window.IsEverything()
}

// Blame is the blame of the chosen waits of a run.
type Blame struct {
	Total int64 // the sum of the finished waits' lengths, in nanoseconds
	Count int   // of finished waits
	Timed int   // of these, waits that timed out or whose end nothing explains

	recorder *critical.Recorder
	chosen   []bool // by the keys of threads
	objects  func(trace.SegmentID) uint32
	matching map[uint32]bool // whether an object is chosen, by its number, as far as computed
	serving  []bool          // by the keys of threads: serves the JVM by its name or group
	options  Options
	limits   *limits
	since    trace.Time
	until    trace.Time
	finished *finished
	ranked   *ranking // see threads; nil until it is needed
	locks    *groups  // of the finished waits, one for each lock
	others   *groups  // of the other finished waits, by their likeness
	open     []uint32 // segments of open waits
	idle     idleWaits
	jvm      []bool // by the keys of threads minus one: is the JVM's own
}

// Kind is the kind of a part of a wait.
type Kind uint8

// The kinds.
const (
	Segment Kind = iota // the thread was in the state
	Latency             // the thread had let another one go on, which had not run yet
	Unknown             // the trace does not show who is to blame
	Paused              // a garbage collection stopped the program
)

var kindNames = [...]string{Segment: "segment", Latency: "latency", Unknown: "unknown", Paused: "pause"}

// String returns the name of the kind in JSON: segment, latency, unknown or pause.
func (k Kind) String() string { return kindNames[k] }

// Culprit is who is to blame: a thread in a state. The thread's Key is 0 if the thread is unknown, and in a pause.
type Culprit struct {
	Thread critical.Thread
	// Pool is the thread's pool, as threads.PoolOf returns it. Sums by pool have no Thread.
	Pool string
	Kind Kind
	// Type is the state if the Kind is Segment.
	Type trace.ModelType
	// As is the state as people read it. Sums by type do not distinguish the states of a WaitingForObject.
	As trace.State
}

// Row is a sum over waits.
type Row struct {
	Culprit
	Total int64 // nanoseconds
	Count int   // of waits in which the culprit has a part; 0 if the waits have too many parts to be counted
	// Measured is the part of the Total with known processor time, OnCPU the part of Measured on a processor, in
	// nanoseconds. For the rest of Measured, the culprit waited for a processor, or in waits that the trace does not
	// have.
	Measured, OnCPU int64
	// Places are where the culprit was, as far as call stacks and sampled owners show it, the largest first. Rows and
	// Pools have them.
	Places []Place
	// States are the states that a row of Pools sums up, as people read them, the longest first.
	States []trace.State
}

// Part is a part of a wait.
type Part struct {
	Culprit
	Time int64 // nanoseconds
}

// Wait is a wait, from one time to another.
type Wait struct {
	Thread   critical.Thread
	From, To trace.Time
	// Began is when the wait began, and Whole its length in nanoseconds, also outside of the window that cuts From and
	// To.
	Began  trace.Time
	Whole  int64
	Type   trace.ModelType
	State  trace.State // as people read it
	Object critical.Object
	// Other is the owner of the monitor when the thread began to wait for it, or the joined thread; the zero Thread if
	// unknown. Inferred reports that the owner was concluded, not recorded.
	Other    critical.Thread
	Inferred bool
	Caller   trace.Frame // the place in the program; its method is nil if unknown
	// WantsTask reports that it waits for the lock of a queue of tasks, to get its next one.
	WantsTask bool
	// OtherCaller is where the Other was last seen when the wait began; its method is nil if unknown.
	OtherCaller trace.Frame
}

// Length returns the length of the wait in nanoseconds.
func (w *Wait) Length() int64 { return int64(w.To - w.From) }

// Of computes the blame. The recorder must have consumed the whole trace. Sums are computed when they are asked for;
// then Recorder.Failed has to be checked. The error is an error of the recorder's file.
func Of(recorder *critical.Recorder, options Options) (*Blame, error) {
	return of(recorder, options, &limits{parts: 1 << 20, steps: 1 << 22, places: 1 << 10, samples: 1 << 16})
}

// limits bound the time and the memory of the sums.
type limits struct {
	// parts limits the parts of waits that are found one by one, and steps the operations for it.
	parts, steps int
	// places limits the distinct combinations of a waiter's call stack and object that have samples of their own.
	places int
	// samples limits the samples; the largest are kept.
	samples int
}

// of computes the blame within the limits.
func of(recorder *critical.Recorder, options Options, l *limits) (*Blame, error) {
	b := &Blame{recorder: recorder, options: options, limits: l, objects: recorder.Objects(),
		matching: map[uint32]bool{}}
	b.since, b.until = options.Window.Bounds(recorder.Start())
	b.choose()
	b.findFinished()
	b.Total, b.Count, b.Timed = b.finished.total, len(b.finished.ends), b.finished.own
	b.findOpen()
	return b, recorder.Failed()
}

// threads returns the sums by thread and state as people read it. Waits that kept only their own thread are separate.
func (b *Blame) threads() *ranking {
	if b.ranked == nil {
		b.sumThreads(newKeys(byOwn).withSpots())
	}
	return b.ranked
}

// sumThreads makes the ranking of threads, and returns the sums of some lists of waits.
func (b *Blame) sumThreads(keys *keys, lists ...[]uint32) []tally {
	var rest []uint32
	heads := slices.Clone(lists)
	for _, s := range b.finished.ends {
		list := slices.IndexFunc(heads, func(head []uint32) bool { return len(head) > 0 && head[0] == s })
		if list < 0 {
			rest = append(rest, s)
		} else {
			heads[list] = heads[list][1:]
		}
	}
	sums := b.finished.sums(keys, append(lists[:len(lists):len(lists)], rest)...)
	var whole tally
	for _, part := range sums {
		for n := range part {
			sum := whole.at(n)
			sum.add(&part[n])
			sum.count += part[n].count
		}
	}
	b.ranked = keys.ranking(whole)
	return sums
}

// findFinished lists the finished waits, and groups them.
func (b *Blame) findFinished() {
	alike := newLike(b)
	choose := func(end, s trace.SegmentID, wait critical.Kept, length int64) bool {
		if !b.isChosen(s, wait, length) {
			return false
		}
		alike.add(uint32(end), s, wait, length)
		return true
	}
	b.finished = newFinished(b.recorder, b.limits, b.since, b.until, choose)
	b.locks, b.others = alike.locks.groups(), alike.others.groups()
}

// choose fills chosen and serving.
func (b *Blame) choose() {
	var patterns []glob.Pattern
	for _, text := range b.options.Threads {
		patterns = append(patterns, glob.Names(text))
	}
	b.chosen, b.serving = make([]bool, b.recorder.Threads()+1), make([]bool, b.recorder.Threads()+1)
	for key := trace.ThreadKey(1); key <= b.recorder.Threads(); key++ {
		t, _ := b.recorder.Thread(key)
		b.serving[key] = b.recorder.OfJVM(key)
		b.chosen[key] = len(patterns) == 0 || glob.Any(patterns, t.Name) || glob.Any(patterns, t.ID.String())
	}
}

// isWait reports whether waits in the state have blame.
func isWait(typ trace.ModelType) bool {
	return typ == trace.WaitingForLock || typ == trace.WaitingForObject || typ == trace.WaitingForJoin
}

// isChosen reports whether the wait of the segment is chosen. length is its part in the window. It counts idle waits.
func (b *Blame) isChosen(s trace.SegmentID, wait critical.Kept, length int64) bool {
	if !b.matches(s, wait) {
		return false
	}
	reason := b.leftOutFor(s, wait)
	if reason != 0 && b.serving[wait.Thread] {
		b.idle.ofJVM++
		return false
	}
	if reason != 0 {
		b.idle.leaveOut(wait.Thread, length, reason)
		return false
	}
	return true
}

// leftOutFor returns the reason why the wait of the segment is left out; 0 if it is not.
func (b *Blame) leftOutFor(s trace.SegmentID, wait critical.Kept) idle.Reasons {
	switch {
	case !b.options.WithoutIdle || wait.Type != trace.WaitingForObject:
		return 0
	case b.serving[wait.Thread]:
		return idle.Work
	}
	return b.recorder.Idle(s)
}

// matches reports whether the wait is chosen, whenever it ended.
func (b *Blame) matches(s trace.SegmentID, wait critical.Kept) bool {
	o := &b.options
	switch {
	case !b.chosen[wait.Thread], len(o.States) > 0 && !slices.Contains(o.States, wait.Type):
		return false
	case len(o.Monitors) == 0:
		return true
	}
	number := b.objects(s)
	matches, known := b.matching[number]
	if !known {
		object, _, _ := b.recorder.WaitOf(s)
		matches = object.ID.Known() && slices.ContainsFunc(o.Monitors, func(m critical.Monitors) bool {
			return m.Match(object)
		})
		b.matching[number] = matches
	}
	return matches
}

// findOpen lists the waits that the trace leaves open.
func (b *Blame) findOpen() {
	b.jvm = b.recorder.JVMThreads()
	for key := trace.ThreadKey(1); key <= b.recorder.Threads(); key++ {
		_, last := b.recorder.Thread(key)
		if last == 0 {
			continue
		}
		kept := b.recorder.Segment(last)
		switch {
		case !isWait(kept.Type) || !b.isOpen(last, kept.Begin) || !b.matches(last, kept):
		case b.leftOutFor(last, kept) != 0:
			b.idle.open++
		default:
			b.open = append(b.open, uint32(last))
		}
	}
}

// isOpen reports whether an open wait that began at the time reaches into the window.
func (b *Blame) isOpen(s trace.SegmentID, begin trace.Time) bool {
	return begin < b.until && (begin >= b.since || b.recorder.OpenEnd(s) > b.since)
}

// openWait describes the part of an open wait in the window, by the wait's index.
func (b *Blame) openWait(i int) Wait {
	s := trace.SegmentID(b.open[i])
	w := b.waitOf(s, b.recorder.Segment(s), b.recorder.OpenEnd(s))
	w.From, w.To = max(w.From, b.since), min(w.To, b.until)
	return w
}

// waitOf describes the wait of the segment.
func (b *Blame) waitOf(s trace.SegmentID, kept critical.Kept, end trace.Time) Wait {
	w := Wait{From: kept.Begin, To: end, Began: kept.Begin, Whole: int64(max(end-kept.Begin, 0)), Type: kept.Type}
	w.Thread, _ = b.recorder.Thread(kept.Thread)
	w.Object, w.State, w.Caller = b.recorder.WaitOf(s)
	w.Other, w.Inferred = b.recorder.Owner(s), b.recorder.InfersOwner(s)
	w.OtherCaller, w.WantsTask = b.recorder.OwnerCaller(s), b.recorder.WantsTask(s)
	return w
}

// Rows returns the sums by thread, kind and type of state, the largest first.
func (b *Blame) Rows() []Row { return b.rows(b.sumsBy(byType, nil), math.MaxInt) }

// Pools returns the sums by pool, kind and type of state, the largest first.
func (b *Blame) Pools() []Row {
	type culprit struct {
		thread trace.ThreadKey
		pool   string
		kind   Kind
		typ    trace.ModelType
	}
	of := func(c *Culprit) culprit { return culprit{c.Thread.Key, c.Pool, c.Kind, c.Type} }
	states := map[culprit][]trace.State{}
	for _, row := range b.rows(b.poolTotals(), math.MaxInt) {
		if key := of(&row.Culprit); !slices.Contains(states[key], row.As) {
			states[key] = append(states[key], row.As)
		}
	}
	rows := b.rows(b.sumsBy(byType, b.recorder), math.MaxInt)
	for i := range rows {
		rows[i].States = states[of(&rows[i].Culprit)]
	}
	return rows
}

// ClassRow is the share of a pool, in one state as people read it, in the waits for objects of a class.
type ClassRow struct {
	Class string // of what threads waited for; "" if it is unknown, otherClasses beyond the limit of classes
	Row
}

// otherClasses is the class of the waits beyond the limit of classes.
const otherClasses = "(others)"

// maxClasses limits the separate classes.
const maxClasses = 256

// Classes returns the sums by class of what threads waited for, by pool, kind and state, the class with the largest sum
// first. Their totals add up to the Total.
func (b *Blame) Classes() (rows []ClassRow) {
	classes := map[uint32]string{} // by the numbers of objects
	of := grouped(b, b.finished.ends, func(s trace.SegmentID, _ critical.Kept) string {
		number := b.objects(s)
		class, known := classes[number]
		if !known {
			object, _, _ := b.recorder.WaitOf(s)
			class = javaname.DeclaredClass(object.Class)
			classes[number] = class
		}
		return class
	})
	var names []string
	var lists [][]uint32
	for i := range of.list {
		if i < maxClasses {
			object, _, _ := b.recorder.WaitOf(b.recorder.Segment(trace.SegmentID(of.list[i].longest)).Previous)
			names, lists = append(names, javaname.DeclaredClass(object.Class)), append(lists, of.endsOf(i))
			continue
		}
		names[maxClasses-1] = otherClasses
		lists[maxClasses-1] = append(slices.Clone(lists[maxClasses-1]), of.endsOf(i)...)
	}
	if len(of.list) > maxClasses {
		slices.Sort(lists[maxClasses-1])
	}
	keys := newKeys(byState)
	keys.pools = b.recorder
	for i, sums := range b.finished.sums(keys, lists...) {
		for _, row := range b.rows(keys.ranking(sums), math.MaxInt) {
			rows = append(rows, ClassRow{names[i], row})
		}
	}
	return rows
}

// sumsBy returns the sums of the detail, by pool if pools is not nil.
func (b *Blame) sumsBy(d detail, pools *critical.Recorder) *ranking {
	if b.finished.tooLong {
		return b.totals(d, pools)
	}
	keys := newKeys(d).withSpots()
	keys.pools = pools
	return keys.ranking(b.finished.sums(keys, b.finished.ends)[0])
}

// totals returns the sums of the detail without the counts, by pool if pools is not nil. The detail must not be
// byPlace.
func (b *Blame) totals(d detail, pools *critical.Recorder) *ranking {
	keys, sums := newKeys(d).withSpots(), tally{}
	keys.pools = pools
	threads := b.threads()
	put := func(n uint32, part *sum) {
		of := threads.keys[n]
		if d == byType {
			of.state = stateOf(stateTypes[of.state])
		}
		sums.at(keys.at(of)).add(part)
	}
	for _, n := range threads.order {
		rest := threads.sums[n]
		for _, place := range threads.places[int(n)] {
			put(place, &threads.sums[place])
			rest.remove(&threads.sums[place])
		}
		put(n, &rest)
	}
	return keys.ranking(sums)
}

// poolTotals returns the sums by pool and state as people read it, without counts. Waits that kept only their own
// thread are separate.
func (b *Blame) poolTotals() *ranking { return b.totals(byOwn, b.recorder) }

// ByOthers returns the sum of the waits, in nanoseconds, that ended because of other threads, and who is to blame for
// most of that; the zero Row for nobody.
func (b *Blame) ByOthers() (total int64, most Row) {
	r := b.poolTotals()
	for i, n := range r.order {
		if k := r.keys[n]; k.kind == Segment && !k.own {
			if total == 0 {
				most = b.row(r, i)
			}
			total = histogram.Sum(total, r.sums[n].total)
		}
	}
	return total, most
}

// Untimed reports that the times between thread dumps are unknown, and so all lengths.
func (b *Blame) Untimed() bool { return b.recorder.Untimed() }

// Idle is a sentence on the pools whose waits are left out; "" for none.
func (b *Blame) Idle() string { return b.idle.text(b.recorder) }

// Open returns the chosen waits that the trace leaves open, up to its end. If the trace has several recordings, they
// have no length; see critical.Recorder.OpenEnd.
func (b *Blame) Open() []Wait {
	waits := make([]Wait, len(b.open))
	for i := range waits {
		waits[i] = b.openWait(i)
	}
	return waits
}

// Start returns the time from which the trace's times are counted.
func (b *Blame) Start() trace.Time { return b.recorder.Start() }

// End returns the latest time of the trace.
func (b *Blame) End() trace.Time { return b.recorder.End() }
