package jfr

import "github.com/trcx/trcx/trace"

// inferrer is the first pass. It infers when threads called Thread.start and Object.notify, which only events of other
// threads show. The call was not later than the other's event; if the calling thread did not run then, it was made
// before the thread stopped running.
type inferrer struct {
	notifies bool // infer notify calls from the ends of waits
	inferred *eventSorter
	// threshold is the shortest wait that is recorded, in ns; -1 if it is unknown.
	threshold  int64
	processors float64 // the number that loads are shares of; 0 if unknown
	period     int64   // between two loads, in ns; 0 if unknown
	busy       int64   // a thread has CPU times if it used 1/busy of a processor
	threads    threadCache[*threadActivity]
}

// threadActivity is the state of a thread at the current time.
type threadActivity struct {
	cachedThread
	known  trace.Time // of its first event
	since  trace.Time // begin of its interval, or end of the last one
	dumped *event     // its wait by the last dumps; nil if it was in none, or has acted since
	cpuKnown
	hasClass bool       // the class of its object is inferred
	active   trace.Time // last time known to be running
	notified notifyCall
	blocked  lastBlock
}

// lastBlock is when a thread was BLOCKED last, by a class of monitors: it may have been until then.
type lastBlock struct {
	class uint32
	until trace.Time
}

// cpuKnown is what is known of a thread's CPU time, in ns.
type cpuKnown struct {
	used    int64      // by usedAt, since its start or since it was first known
	usedAt  trace.Time // of the last dump or load, or of its start; 0 if all are unknown
	before  int64      // what dumps have beside used
	counted bool       // before is known
	load    float64    // the last one, as a share of a processor; 0 if unknown
	// loaded is the CPU time that the last load added, and loadedFrom since when; 0 if it is unknown, or before a dump.
	loaded     int64
	loadedFrom trace.Time
}

// notifyCall is a thread's last call of notify or notifyAll.
type notifyCall struct {
	address uint64
	at      trace.Time
}

func newInferrer(notifies bool, inferred *eventSorter, threshold int64, limit int) *inferrer {
	return &inferrer{notifies: notifies, inferred: inferred, threshold: threshold,
		threads: newThreadCache(limit, func() *threadActivity { return &threadActivity{known: unknownTime} })}
}

// unknownTime is before all others.
const unknownTime trace.Time = -1

// thread returns the thread of the id. It reports false if the limit is reached.
func (n *inferrer) thread(id threadID, at trace.Time) (*threadActivity, bool) {
	t, ok := n.threads.get(id)
	if ok && t.known == unknownTime {
		t.known = at
	}
	return t, ok
}

func (n *inferrer) begin(e *event, open *openIntervals) error {
	if e.thread == 0 || e.kind == kindSample && e.state != trace.StateRunnable {
		return nil
	}
	id := threadID{e.jvm, e.thread}
	t, ok := n.thread(id, e.begin)
	if !ok {
		return nil
	}
	switch {
	case e.kind == kindDump:
		return n.dumped(t, e)
	case e.kind == kindLoad:
		return n.loaded(t, e)
	case e.kind != kindThreadKnown && t.dumped != nil:
		if err := n.acted(t); err != nil {
			return err
		}
	}
	if e.kind == kindSample || e.kind == kindThreadKnown && e.flags&flagDumped != 0 {
		return nil
	}
	if err := n.inferWaitBegin(t, e); err != nil {
		return err
	}
	t.active = e.begin
	switch e.kind {
	case kindThreadKnown:
		t.restart(e.begin)
	case kindNotify:
		t.notified = notifyCall{e.address, e.begin}
	case kindThreadStart:
		t.restart(e.begin)
		if t.usedAt == 0 { // a JVM can report the start of a thread that it has dumped
			t.usedAt, t.counted = e.begin, true
		}
		if e.other != 0 && e.other != e.thread {
			call := &event{kind: kindStartCall, jvm: e.jvm, other: e.thread, stack: e.stack, offset: e.offset}
			err := n.inferCall(e.other, e.begin, 0, call)
			t.known = min(t.known, call.begin)
			return err
		}
	case kindThreadEnd:
		if t.dead {
			return nil
		}
		if err := n.endEarly(t, e.begin, open); err != nil {
			return err
		}
		n.threads.end(id)
		t.since = e.begin
	case kindEnter, kindWait, kindSleep, kindPark, kindIO:
		if e.kind == kindEnter {
			t.blocked = lastBlock{e.class, e.end()}
		}
		return n.openInterval(t, e, open)
	}
	return nil
}

// inferWaitBegin sets the begin of a wait whose event has only the end. It is the latest possible time: the time of the
// notification.
func (n *inferrer) inferWaitBegin(t *threadActivity, e *event) error {
	if e.flags&flagEndOnly == 0 || e.flags&(flagTimedOut|flagJoin) != 0 || e.other == 0 {
		return nil
	}
	notifier := n.threads.threads[threadID{e.jvm, e.other}]
	if notifier == nil || notifier.notified.address != e.address || notifier.notified.at <= t.active {
		return nil
	}
	earlier := *e
	earlier.begin = notifier.notified.at
	earlier.duration += int64(e.begin - earlier.begin)
	return n.inferred.add(&earlier)
}

// restart begins a new thread if the one with this id is dead.
func (t *threadActivity) restart(at trace.Time) {
	if t.dead {
		t.dead, t.known, t.since, t.hasClass, t.cpuKnown = false, at, 0, false, cpuKnown{}
	}
}

// openInterval opens an interval by the rules of emitter.openInterval.
func (n *inferrer) openInterval(t *threadActivity, e *event, open *openIntervals) error {
	if t.interval != nil && t.interval.end() < e.end() {
		if err := n.endEarly(t, e.begin, open); err != nil {
			return err
		}
	}
	if t.interval == nil {
		t.interval, t.since = open.add(e), e.begin
	}
	return n.inferThreadClass(e)
}

// endEarly ends the thread's interval, if it is in one, before its recorded end.
func (n *inferrer) endEarly(t *threadActivity, at trace.Time, open *openIntervals) error {
	i := t.interval
	if i == nil {
		return nil
	}
	err := n.endAt(i, min(i.end(), at))
	open.remove(i)
	return err
}

// inferThreadClass infers the class of a thread's object from a join.
func (n *inferrer) inferThreadClass(e *event) error {
	if e.flags&flagJoin == 0 || e.class == 0 {
		return nil
	}
	t, ok := n.thread(threadID{e.jvm, e.other}, e.begin)
	if !ok || t.hasClass {
		return nil
	}
	t.hasClass = true
	return n.inferred.add(&event{kind: kindThreadClass, jvm: e.jvm, thread: e.other,
		objectInfo: objectInfo{class: e.class}, begin: t.known, timeout: noTimeout})
}

func (n *inferrer) end(i *interval) error { return n.endAt(i, i.end()) }

// endAt ends an interval at a time.
func (n *inferrer) endAt(i *interval, at trace.Time) error {
	if t, ok := n.threads.find(threadID{i.jvm, i.thread}); ok {
		t.interval, t.active = nil, max(t.active, at)
	}
	if i.kind == kindEnter && i.other != 0 { // other has left the monitor
		if t, ok := n.threads.find(threadID{i.jvm, i.other}); ok {
			if err := n.acted(t); err != nil {
				return err
			}
		}
	}
	if !n.notifies || i.kind != kindWait || i.flags&flagTimedOut != 0 || i.other == 0 || i.other == i.thread {
		return nil
	}
	return n.inferCall(i.other, at, i.begin, &event{kind: kindNotifyCall, jvm: i.jvm, other: i.thread,
		flags: i.flags & flagJoin, offset: i.offset})
}

// inferCall adds a call that the thread made between earliest and latest, at the latest time that is possible.
func (n *inferrer) inferCall(thread uint64, latest, earliest trace.Time, call *event) error {
	call.thread, call.begin, call.timeout = thread, latest, noTimeout
	t, ok := n.thread(threadID{call.jvm, thread}, latest)
	if !ok {
		return nil
	}
	if t.interval != nil || t.dead {
		call.begin = t.since
	}
	if call.begin < earliest || t.dead && call.flags&flagJoin != 0 { // the end of a dead thread has ended its joins
		return nil
	}
	return n.inferred.add(call)
}
