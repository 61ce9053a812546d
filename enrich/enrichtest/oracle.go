package enrichtest

import (
	"cmp"
	"math"
	"slices"
)

// The quoted sentences in this file are from the rules for computed interactions; each is quoted at the code that
// implements it.

const (
	nanosPerMilli = 1_000_000
	disorder      = 2 * nanosPerMilli // how far the times of real agents go back
	sleep         = "-1"              // the object of a monWait that is a Thread.sleep
)

// Model computes the model of one trcxml document in UTF-8.
func Model(doc []byte) (*Doc, error) {
	elements, truncated, err := parse(doc)
	if err != nil {
		return nil, err
	}
	o := newOracle()
	for _, e := range elements {
		o.handle(e)
	}
	o.findDeadlocks()
	return o.finish(truncated), nil
}

// oracle is the state while reading. Everything known of an object is keyed by its id, so that forgetting and moving it
// is easy to check.
type oracle struct {
	counts map[string]int
	rules  map[string]int

	now, start, latest int64 // nanoseconds since the epoch
	timed              bool  // a time has been read: start and latest are valid

	threads    []*thread          // in the order first seen
	incarnated map[string]*thread // thread(id): the newest incarnation of a thread id
	events     []*Event           // all model events, in the order appended
	deadlocks  []Deadlock
	cause      map[*Event]*Event // of a bound Running event
	reacquired map[*Event]*thread
	namedFor   map[*Event]bool // Running events for which the trace names the thread before
	unparked   map[*Event]bool // Running events bound to the mark of a park wait

	threadOf     map[string]*thread  // thread of object
	threadObject map[string]bool     // thread objects
	owner        map[string]*thread  // owner(obj)
	loose        map[string][]*Event // loose(obj)
	woken        map[string][]wakeUp // woken(obj)
	starts       map[string][]*Event // starts(obj)
	held         map[string]*thread  // who held the monitor: owner(obj), but for monWait and again
	since        map[string]int      // the number of the element that set held
	sightings    []sighting          // where threads were
	blocks       []*block            // all WaitingForLock intervals at objects
	notified     map[*Event]string   // the object a notification is about, under its current id
	className    map[string]string   // class id -> name
	classOf      map[string]string   // object id -> class name
	proves       bool                // the recording has had a threadInterrupted
	waitsBegun   int                 // numbers the waits in the order of their monWait
	history      []element           // all elements so far
}

// thread is an incarnation and its current state.
type thread struct {
	*Thread
	started bool // it has had its threadStart
	dead    bool
	blocked *enter // blocked(T)
	wait    *wait  // waiting(T)
	before  *Event // before(T)
	soon    *Event // the notification of soon(T)

	block      *block // the open WaitingForLock interval
	state      *Event // the last state event
	interval   *Event // the same, but for a DeadLock
	wasWaiting bool   // state is a Running that a monWaited appended
}

// enter is an attempt to enter a monitor.
type enter struct {
	object string
	state  *Event // the WaitingForLock
	at     int64
}

// wait is an open wait. mark(T) and during(T) live as long as it does.
type wait struct {
	object  string // "" if unknown, sleep for Thread.sleep
	number  int
	since   int64
	timeout *int64
	mark    *Event
	during  *Event
	outside bool // of waitset(obj): a park, or a wait for input, output or a class
	parked  bool // a park
	// initialiser is P of "monWait with init = P" if it is known; state is the event of that wait.
	initialiser *thread
	state       *Event
}

// wakeUp is a return from a wait that nothing explains yet.
type wakeUp struct {
	running *Event
	at      int64
	since   int64 // when the wait began; the beginning of time if unknown
}

func newOracle() *oracle {
	return &oracle{
		counts:       make(map[string]int),
		rules:        make(map[string]int),
		incarnated:   make(map[string]*thread),
		cause:        make(map[*Event]*Event),
		reacquired:   make(map[*Event]*thread),
		namedFor:     make(map[*Event]bool),
		unparked:     make(map[*Event]bool),
		threadOf:     make(map[string]*thread),
		threadObject: make(map[string]bool),
		owner:        make(map[string]*thread),
		loose:        make(map[string][]*Event),
		woken:        make(map[string][]wakeUp),
		starts:       make(map[string][]*Event),
		held:         make(map[string]*thread),
		since:        make(map[string]int),
		notified:     make(map[*Event]string),
		className:    make(map[string]string),
		classOf:      make(map[string]string),
	}
}

// handle handles one element: "Events are handled in file order."
func (o *oracle) handle(e element) {
	o.counts[e.name]++
	o.history = append(o.history, e)
	now, timed := e.time()
	if timed {
		o.see(now)
	}
	if o.now = o.latest; timed {
		o.now = now
	}
	switch e.name {
	case "classDef":
		if id := e.attr("classId"); id != "" {
			o.className[id] = e.attr("name")
		}
	case "objAlloc":
		o.define(objectID(e.attr("objId")), e)
	case "objDef":
		o.define(objectID(e.attr("objId", "objIdRef")), e)
	case "objFree":
		o.forget(objectID(e.attr("objIdRef", "objId")))
	case "objMove":
		o.move(e.object(), objectID(e.attr("newObjId")))
	default:
		// "An event without thread id or with an unreadable time is skipped".
		if timed && e.threadID() != "" {
			o.handleEvent(e)
		}
	}
	o.dropUnbindable()
}

func (o *oracle) handleEvent(e element) {
	appended := len(o.events)
	defer func() { o.placeStack(e, o.events[appended:]) }()
	switch e.name {
	case "threadStart":
		o.threadStart(e)
	case "threadEnd":
		o.threadEnd(o.thread(e.threadID()))
	case "monContendedEnter":
		o.monContendedEnter(o.thread(e.threadID()), e)
	case "monContendedEntered":
		o.monContendedEntered(o.thread(e.threadID()), e)
	case "monWait":
		o.monWait(o.thread(e.threadID()), e)
	case "monWaited":
		o.monWaited(o.thread(e.threadID()), e)
	case "callNotify":
		o.callNotify(o.thread(e.threadID()), e)
	case "callStart":
		o.callStart(o.thread(e.threadID()), e.object())
	case "callInterrupt":
		o.callInterrupt(o.thread(e.threadID()), e.object())
	case "threadInterrupted":
		o.threadInterrupted(o.thread(e.threadID()))
	}
}

func (o *oracle) see(t int64) {
	if !o.timed {
		o.timed, o.start, o.latest = true, t, t
	}
	o.latest = max(o.latest, t)
}

// applied notes that a rule was applied.
func (o *oracle) applied(rule string) { o.rules[rule]++ }

// thread returns the incarnation a thread id names now. "An event of an
// id without one opens an incarnation without a name".
func (o *oracle) thread(id string) *thread {
	if t := o.incarnated[id]; t != nil {
		return t
	}
	o.applied("nameless thread")
	return o.incarnate(id)
}

func (o *oracle) incarnate(id string) *thread {
	t := &thread{Thread: &Thread{Key: len(o.threads) + 1, ThreadID: id, Events: []*Event{}}}
	o.threads = append(o.threads, t)
	o.incarnated[id] = t
	return t
}

// startedThread returns the incarnation that a threadStart announces: "the first threadStart then adopts it. A
// threadStart for an id whose incarnation has had its threadStart, or is dead, opens a new one; if the old one is alive
// (its threadEnd was lost), its wait is given up and it is blocked no longer, but no Dead is appended."
func (o *oracle) startedThread(id string) *thread {
	t := o.incarnated[id]
	switch {
	case t == nil:
		return o.incarnate(id)
	case t.started || t.dead:
		o.applied("thread id reused")
		if !t.dead {
			o.applied("threadEnd lost")
			t.blocked = nil
			o.closeWait(t)
			o.endHolds(t)
		}
		return o.incarnate(id)
	}
	o.applied("nameless thread adopted")
	return t
}

// append appends an event to the thread's sequence: "model events are
// numbered 1, 2, 3 … in the order appended."
func (o *oracle) append(t *thread, e Event) *Event {
	return o.appendAt(o.now, t, e)
}

func (o *oracle) appendAt(at int64, t *thread, e Event) *Event {
	event := &e
	event.ID = len(o.events) + 1
	event.Time = at - o.start
	o.events = append(o.events, event)
	t.Events = append(t.Events, event)
	if event.IsState() {
		if event.Type != DeadLock {
			o.leaveWait(t, func() { t.interval = event })
		}
		t.state, t.wasWaiting, t.soon = event, false, nil
		if t.block != nil && event.Type != DeadLock {
			t.block.end, t.block = event, nil
		}
	}
	return event
}

// timeOf returns an event's time since the epoch.
func (o *oracle) timeOf(e *Event) int64 { return o.start + e.Time }

// bind makes the Running event's cause this one, instead of an earlier one.
func (o *oracle) bind(cause, running *Event) {
	o.unbind(running)
	o.cause[running] = cause
	if cause.Type == NotifyAll {
		cause.RunningEvents = append(cause.RunningEvents, running.ID)
	} else {
		cause.RunningEvent = running.ID
	}
	// woken(obj) holds "returns from wait on obj that nothing explains yet".
	for object, entries := range o.woken {
		o.woken[object] = slices.DeleteFunc(entries, func(w wakeUp) bool { return w.running == running })
	}
}

// unbind undoes bind: "a notify goes to loose(obj), a notifyAll loses the
// entry, a DeadAndNotifyJoined stays without runningEvent".
func (o *oracle) unbind(running *Event) {
	cause := o.cause[running]
	if cause == nil {
		return
	}
	delete(o.cause, running)
	if cause.Type == NotifyAll {
		cause.RunningEvents = slices.DeleteFunc(cause.RunningEvents, func(id int) bool { return id == running.ID })
		return
	}
	if cause.RunningEvent == running.ID {
		cause.RunningEvent = 0
	}
	if cause.Type == Notify {
		o.setLoose(cause)
	}
}

// setLoose puts a notify whose marked thread left for another reason into loose(obj). A notifyAll has no mark to pass
// on.
func (o *oracle) setLoose(notification *Event) {
	if object := o.notified[notification]; notification.Type == Notify && object != "" {
		o.applied("notify becomes loose")
		o.loose[object] = append(o.loose[object], notification)
	}
}

// threadStart: "append Running to T. If starts(obj) has an entry, bind the
// oldest to this Running."
func (o *oracle) threadStart(e element) {
	t, object := o.startedThread(e.threadID()), e.object()
	t.started = true
	t.ObjectID = object
	t.Name, t.Group, t.Parent = e.attr("threadName"), e.attr("groupName"), e.attr("parentName")

	running := o.append(t, Event{Type: Running})
	if object == "" {
		return
	}
	o.threadOf[object] = t
	o.threadObject[object] = true
	if waiting := o.starts[object]; len(waiting) > 0 {
		o.applied("start")
		o.starts[object] = waiting[1:]
		o.bind(waiting[0], running)
	}
}

// threadEnd: "nothing, if T is dead. Else append Dead; T is no longer blocked or waiting." It stays the owner of its
// monitors.
func (o *oracle) threadEnd(t *thread) {
	if t.dead {
		return
	}
	o.append(t, Event{Type: Dead})
	t.dead = true
	t.blocked = nil
	o.closeWait(t)
	t.before = nil // "before(T) … go with threadEnd"
	o.endHolds(t)
}

// monContendedEnter finds out who owns the monitor, then blocks T on it.
func (o *oracle) monContendedEnter(t *thread, e element) {
	object := e.object()
	_, parks := e.annotation("park")
	if e.again() {
		o.again(t, object, e)
		return
	}
	if object == "" {
		// "without objIdRef (or with "0") it changes its thread's state, and
		// nothing is learnt or bound."
		o.append(t, Event{Type: WaitingForLock, Park: parks})
		t.blocked = nil
		return
	}
	o.sample(object, e)
	inferred := o.learnOwner(t, object, e)
	// "append WaitingForLock to T with lockedObject = obj, lockedThread =
	// owner(obj) if known. blocked(T) = obj."
	state := Event{Type: WaitingForLock, LockedObject: object, Inferred: inferred, Park: parks}
	state.lockedBy(o.owner[object])
	t.blocked = &enter{object: object, state: o.append(t, state), at: o.now}
	o.beginBlock(t, object, t.blocked.state)
}

// learnOwner sets owner(obj) when T finds the monitor taken. It reports
// whether the owner is inferred.
func (o *oracle) learnOwner(t *thread, object string, e element) bool {
	if e.has("threadOwner") {
		// "If threadOwner is a known thread other than T: owner(obj) = it. If
		// it is present and anything else ("0", an unknown thread, T):
		// owner(obj) = none."
		owner := o.incarnated[e.attr("threadOwner")]
		if owner == t {
			owner = nil
		}
		o.assign(object, owner)
		return false
	}
	// "If it is absent: owner(obj) stays, unless that is T, dead, or has an
	// open wait on obj (marked or not …): then none; a lockedThread that comes from the map carries
	// inferred: true."
	if owner := o.owner[object]; owner != nil && (owner == t || owner.dead || owner.waitsOn(object)) {
		o.assign(object, nil)
	}
	return o.owner[object] != nil
}

// lockedBy names the owner of the monitor, if it is known.
func (e *Event) lockedBy(owner *thread) {
	if owner != nil {
		e.LockedThread, e.LockedThreadKey = owner.ThreadID, owner.Key
	}
}

// waitsOn reports whether the thread's open wait is on the object, marked or
// not.
func (t *thread) waitsOn(object string) bool {
	return t.wait != nil && t.wait.object == object
}

// monContendedEntered makes T the owner, by a hand-off from the previous owner.
func (o *oracle) monContendedEntered(t *thread, e element) {
	object := e.object()
	if reason, gaveUp := e.gaveUp(); gaveUp {
		o.giveUp(t, object, reason)
		return
	}
	// "append Running to T; blocked(T) = none."
	running := o.append(t, Event{Type: Running})
	entered := t.blocked
	t.blocked = nil
	if object == "" {
		return
	}
	caused := o.causedBy(t, object, e)
	o.namedFor[running] = caused
	// "If owner(obj) is known and is not T: append HandoffLock to its sequence
	// …, runningEvent = the Running of step 1 (inferred: true if blocked(T) was
	// obj and that WaitingForLock was inferred, whoever the owner is now)."
	if owner := o.owner[object]; owner != nil && owner != t {
		inferred := !caused && entered != nil && entered.object == object && entered.state.Inferred
		handoff := o.append(owner, Event{
			Type: HandoffLock, LockedObject: object,
			ReceiverThread: t.ThreadID, ReceiverThreadKey: t.Key, Inferred: inferred,
		})
		o.bind(handoff, running)
		o.applied("handoff")
	}
	o.assign(object, t)
}

// monWait opens a wait, a join or a sleep.
func (o *oracle) monWait(t *thread, e element) {
	object, timeout := e.object(), e.timeout()
	joined := o.threadOf[object]
	outside, soon := e.waitsOutside(), t.soon
	var waiting *Event
	switch {
	case outside:
		if e.attr("objIdRef") == sleep {
			object = sleep
		}
		waiting = o.append(t, o.wait(e, object))
	case e.attr("objIdRef") == sleep:
		// "Sleeping (timeout) if objIdRef is "-1""
		object = sleep
		o.append(t, Event{Type: Sleeping, Timeout: timeout})
	case object != "" && o.threadObject[object] && (joined != t || e.joins()):
		// "WaitingForJoin (objectRef, timeout, joinedThread if that thread has
		// started) if obj is a thread object other than T's own", or the event
		// says that the wait is a join
		join := Event{Type: WaitingForJoin, ObjectRef: object, Timeout: timeout}
		if joined != nil {
			join.JoinedThread, join.JoinedThreadKey = joined.ThreadID, joined.Key
		}
		o.append(t, join)
	default:
		o.append(t, Event{Type: WaitingForObject, ObjectRef: object, Timeout: timeout})
	}
	// "An open wait of T is given up. waiting(T) = this one, mark(T) = none,
	// during(T) = none; T joins waitset(obj); owner(obj) = T: only the owner
	// may wait."
	o.closeWait(t)
	o.waitsBegun++
	t.wait = &wait{object: object, number: o.waitsBegun, since: o.now, timeout: timeout, outside: outside,
		parked: e.waitsParked(), initialiser: o.incarnated[e.initialiser()], state: waiting}
	if object != "" && object != sleep && !outside {
		o.owner[object] = t
		o.hold(object, nil)
	}
	if outside {
		o.markSoon(t, soon, e)
	}
}

// waitset returns "the threads waiting on obj, in the order of their monWait,
// that no notification has marked".
func (o *oracle) waitset(object string) []*thread {
	return o.waiters(object, func(w *wait) bool { return w.mark == nil })
}

func (o *oracle) waiters(object string, which func(*wait) bool) (waiters []*thread) {
	for _, t := range o.threads {
		if t.waitsOn(object) && !t.wait.outside && which(t.wait) {
			waiters = append(waiters, t)
		}
	}
	slices.SortFunc(waiters, func(a, b *thread) int { return cmp.Compare(a.wait.number, b.wait.number) })
	return waiters
}

// closeWait ends T's open wait, if there is one. "However a
// marked wait ends without being bound to its mark, a notify goes to
// loose(obj). When a wait closes, an unused during(T) becomes before(T): the
// flag is still set." Who binds the mark or the interrupt takes it off first.
func (o *oracle) closeWait(t *thread) {
	closed := t.wait
	if closed == nil {
		return
	}
	t.wait = nil
	if closed.mark != nil && !closed.outside { // "a mark that was not used is not loose"
		o.setLoose(closed.mark)
	}
	if closed.during != nil {
		t.before = closed.during
	}
}

// monWaited: "the end of waiting(T), which is closed."
func (o *oracle) monWaited(t *thread, e element) {
	object := e.object()
	if e.attr("objIdRef") == sleep {
		object = sleep
	}
	if timedOut, inferred := o.timedOut(t, e, object); timedOut {
		o.exceedTimeout(t, object, inferred)
		return
	}
	running := o.append(t, Event{Type: Running})
	t.wasWaiting = true
	// "without objIdRef … nothing is learnt or bound"; "If obj is not the
	// object of the open wait, nothing is bound."
	if object != "" && (t.wait == nil || t.wait.object == object) {
		o.explain(t, object, running, e)
	}
	o.closeWait(t)
}

// timedOut decides whether a wait ended by its timeout, and whether that is a
// guess: "Timed out = isTimedOut is 1/true; or isTimedOut is absent, obj is the
// object of the open wait, during(T) = none, the wait's timeout is above 0 and
// at least that many milliseconds have passed (then what follows carries
// inferred: true)."
func (o *oracle) timedOut(t *thread, e element, object string) (timedOut, inferred bool) {
	if present, yes := e.says("isTimedOut"); present {
		return yes, false
	}
	if t.wait == nil || t.wait.object != object || t.wait.during != nil || t.wait.timeout == nil ||
		*t.wait.timeout == 0 {
		return false, false
	}
	timeout := *t.wait.timeout
	passed := timeout <= math.MaxInt64/nanosPerMilli && o.now-t.wait.since >= timeout*nanosPerMilli
	return passed, passed
}

// exceedTimeout: "append WaitTimeoutExceed (objectRef), unless obj is "-1";
// append Running. Nothing is bound."
func (o *oracle) exceedTimeout(t *thread, object string, inferred bool) {
	o.applied("timed out")
	if object != sleep {
		o.append(t, Event{Type: WaitTimeoutExceed, ObjectRef: object, Inferred: inferred})
	}
	o.append(t, Event{Type: Running, Inferred: inferred})
	t.wasWaiting = true
	o.closeWait(t)
}

// explain binds the Running of a return from wait "to the first of these that
// applies". "If T had no open wait (recording began in between), the wait's
// start is unknown: only b to e without their time conditions, and f."
func (o *oracle) explain(t *thread, object string, running *Event, e element) {
	since := int64(math.MinInt64)
	var mark, during *Event
	if t.wait != nil {
		since, mark, during = t.wait.since, t.wait.mark, t.wait.during
	}
	if t.wait != nil && t.wait.outside {
		o.explainOutside(t, running, e)
		return
	}
	previousOwner := o.owner[object]

	died := o.threadOf[object]
	joined := died != nil && died != t && died.dead // the condition of b
	switch {
	// "a. during(T): InterruptThread.runningEvent. during(T) and before(T) are
	// used up. Until the recording has had a threadInterrupted: if T is not
	// marked, or was marked after it in the file. From then on: if T is not
	// marked and case b does not hold".
	case during != nil && (mark == nil && !(o.proves && joined) || mark != nil && !o.proves && mark.ID > during.ID):
		if o.proves {
			o.applied("2a proven")
		}
		o.applied("2a")
		t.wait.during, t.before = nil, nil
		o.bind(during, running)

	// "b. obj is the object of a thread D other than T that is dead: append
	// DeadAndNotifyJoined to D with runningEvent."
	case joined:
		if during != nil {
			o.applied("2b in spite of an interrupt")
		}
		o.applied("2b")
		o.bind(o.append(died, Event{Type: DeadAndNotifyJoined}), running)

	// "c. the notification that marked T: Notify.runningEvent, or it is added
	// to NotifyAll.runningEvents. owner(obj) = T."
	case mark != nil:
		if during != nil && mark.ID > during.ID {
			o.applied("2c in spite of an interrupt")
		}
		o.applied("2c")
		t.wait.mark = nil
		o.reacquire(t, object, mark, running, previousOwner)

	// "d. before(T): InterruptThread.runningEvent; used up."
	case t.before != nil:
		o.applied("2d")
		interrupt := t.before
		t.before = nil
		o.bind(interrupt, running)

	default:
		if notify := o.takeNotify(t, object, since); notify != nil {
			o.reacquire(t, object, notify, running, previousOwner)
			return
		}
		// "f. none: it goes to woken(obj), unless obj is "-1"."
		o.applied("2f")
		if object != sleep {
			o.woken[object] = append(o.woken[object], wakeUp{running: running, at: o.now, since: since})
		}
	}
}

// reacquire binds the Running to a notification. "Where c or e bound it and P, the owner of obj before this event, is
// known, is not T and is not waiting on obj, the Running has reacquired the monitor from P".
func (o *oracle) reacquire(t *thread, object string, notification, running *Event, previousOwner *thread) {
	o.bind(notification, running)
	o.assign(object, t)
	if p := previousOwner; p != nil && p != t && !p.waitsOn(object) {
		o.applied("reacquired")
		o.reacquired[running] = p
	}
}

// takeNotify finds a notify that may have ended this wait and that marked no thread, or another one.
func (o *oracle) takeNotify(t *thread, object string, since int64) *Event {
	inTime := func(notify *Event) bool { return o.timeOf(notify) >= since }

	// "e. the oldest entry of loose(obj) not earlier than the wait's start;"
	if i := slices.IndexFunc(o.loose[object], inTime); i >= 0 {
		o.applied("2e loose")
		notify := o.loose[object][i]
		o.loose[object] = slices.Delete(o.loose[object], i, i+1)
		return notify
	}
	// "else, where another waiter of obj is marked by a notify not earlier
	// than that, the mark of the longest-waiting such thread …, which is
	// unmarked and back in waitset(obj) at its place".
	for _, waiter := range o.waiters(object, func(w *wait) bool { return w.mark != nil }) {
		mark := waiter.wait.mark
		if waiter != t && object != sleep && mark.Type == Notify && inTime(mark) {
			o.applied("2e mark")
			waiter.wait.mark = nil
			return mark
		}
	}
	return nil
}

// callNotify takes threads out of the wait set. Their returns show which threads they were.
func (o *oracle) callNotify(t *thread, e element) {
	object := e.object()
	_, all := e.says("isNotifyAll")
	// "append Notify or NotifyAll (runningEvents = []) to T with objectRef =
	// obj; owner(obj) = T: only the owner may notify."
	event := Event{Type: Notify, ObjectRef: object}
	if all {
		event.Type, event.RunningEvents = NotifyAll, []int{}
	}
	notification := o.append(t, event)
	if object == "" {
		return
	}
	o.notified[notification] = object
	wakes, seen := e.wakes()
	if _, parks := e.annotation("park"); seen && parks {
		o.wakeParked(notification, object, wakes)
		return
	}
	o.assign(object, t)
	if seen {
		o.wakeWaiters(notification, object, wakes)
		return
	}

	waiting, returned := o.waitset(object), o.returnedSince(object)
	waiting = slices.DeleteFunc(waiting, func(waiter *thread) bool { return waiter == t })
	if all {
		// "notifyAll: mark all of waitset(obj) but T, take them out, and bind
		// all such entries of woken(obj)."
		o.mark(waiting, notification)
		o.bindReturned(returned, notification)
		return
	}
	// "notify: mark the longest-waiting thread of waitset(obj) other than T with
	// it and take it out; if there is none, bind the oldest entry of woken(obj)
	// …, else it stays unbound: nobody was waiting."
	if len(waiting) > 0 {
		o.mark(waiting[:1], notification)
	} else if len(returned) > 0 {
		o.bindReturned(returned[:1], notification)
	}
}

func (o *oracle) mark(waiting []*thread, notification *Event) {
	for _, t := range waiting {
		t.wait.mark = notification
	}
}

func (o *oracle) bindReturned(returned []*Event, notification *Event) {
	for _, running := range returned {
		o.applied("late " + notification.Type)
		o.bind(notification, running)
	}
}

// returnedSince returns the entries of woken(obj) "whose wait had not begun
// after this event's time and whose Running is not before it (records of two
// threads out of order)".
func (o *oracle) returnedSince(object string) (returned []*Event) {
	for _, w := range o.woken[object] {
		if w.since <= o.now && w.at >= o.now {
			returned = append(returned, w.running)
		}
	}
	return returned
}

// callStart waits for the new thread's start, unless that has come already.
func (o *oracle) callStart(t *thread, object string) {
	start := o.append(t, Event{Type: StartsThread, StartedThread: object})
	if object == "" {
		return
	}
	o.threadObject[object] = true
	// "If the thread of obj has started, is alive, its first Running is unbound
	// and not before this event's time: bind it at once (out of order). Else
	// remember it in starts(obj)."
	if started := o.threadOf[object]; started != nil && !started.dead {
		running := started.firstRunning()
		if o.cause[running] == nil && o.timeOf(running) >= o.now {
			o.applied("late start")
			o.bind(start, running)
			return
		}
	}
	o.starts[object] = append(o.starts[object], start)
}

// firstRunning returns the first Running event of a thread that has started.
func (t *thread) firstRunning() *Event {
	i := slices.IndexFunc(t.Events, func(e *Event) bool { return e.Type == Running })
	return t.Events[i]
}

// callInterrupt: "If the thread D of obj is known and not dead: during(D) =
// this if D is waiting and has none, else before(D) = this (the flag stays set
// until D next waits or sleeps). Otherwise it stays unbound."
func (o *oracle) callInterrupt(t *thread, object string) {
	interrupt := o.append(t, Event{Type: InterruptThread, InterruptedThread: object})
	if object == "" {
		return
	}
	o.threadObject[object] = true
	switch d := o.threadOf[object]; {
	case d == nil:
	case d.dead:
		o.applied("interrupt of the dead")
	case d.wait != nil && d.wait.during == nil:
		d.wait.during = interrupt
	default:
		d.before = interrupt
	}
}

// threadInterrupted is "exact proof of an interrupt. c = during(T) if a wait
// of T is open, else before(T); without one it changes nothing."
func (o *oracle) threadInterrupted(t *thread) {
	o.proves = true
	c := t.before
	if t.wait != nil {
		c = t.wait.during
	}
	if c == nil {
		return
	}
	// "during(T) and before(T) are used up in every case."
	t.before = nil
	if t.wait != nil {
		t.wait.during = nil
	}
	switch {
	case t.wasWaiting && c.Time > t.state.Time:
		// "(an interrupt cannot have ended what was over …)"
		o.applied("interrupted after the end")
	case t.wasWaiting && o.rebindable(t.state):
		// "T's last state event is a Running that a monWaited appended, c's
		// time is not later than that Running's, and it is unbound … or bound
		// to a notification or to a DeadAndNotifyJoined: bind it to c instead".
		if cause := o.cause[t.state]; cause != nil {
			o.applied("interrupted instead of " + cause.Type)
		}
		o.applied("interrupted after monWaited")
		o.bind(c, t.state)
	case t.wait != nil && t.isWaiting():
		// "T's state is Sleeping, WaitingForObject or WaitingForJoin (no
		// monWaited came): append Running to T, bind it to c; the wait is
		// closed."
		o.applied("interrupted without monWaited")
		o.bind(c, o.append(t, Event{Type: Running}))
		o.closeWait(t)
	}
}

func (o *oracle) rebindable(running *Event) bool {
	if o.unparked[running] {
		o.applied("interrupted after an unpark")
		return false
	}
	cause := o.cause[running]
	return cause == nil || cause.Type == Notify || cause.Type == NotifyAll || cause.Type == DeadAndNotifyJoined
}

// isWaiting reports whether T's state is one that a monWait began.
func (t *thread) isWaiting() bool {
	return slices.Contains([]string{Sleeping, WaitingForObject, WaitingForJoin}, t.state.Type)
}

// define: "an objAlloc or objDef of a known id, forget[s] what was known of
// the object (open waits stay)".
func (o *oracle) define(object string, e element) {
	if object == "" {
		return
	}
	o.forget(object)
	if class := o.className[e.attr("classIdRef")]; class != "" {
		o.classOf[object] = class
	}
}

// forget: objFree does so too. The threads' own states stay: what they are blocked on or wait for, and their marks.
func (o *oracle) forget(object string) {
	delete(o.threadOf, object)
	delete(o.threadObject, object)
	o.assign(object, nil)
	delete(o.owner, object)
	delete(o.loose, object)
	delete(o.woken, object)
	delete(o.starts, object)
}

// move: "objMove moves all of it to the new id, open waits and blocked threads included." As at an objAlloc, what was
// known of an earlier object of the new id is forgotten.
func (o *oracle) move(from, to string) {
	if from == "" || to == "" || from == to {
		return
	}
	o.applied("object moved")
	o.forget(to)
	rekey(o.threadOf, from, to)
	rekey(o.threadObject, from, to)
	o.owner[to] = o.owner[from]
	o.held[to], o.since[to] = o.held[from], o.since[from]
	o.moveSightings(from, to)
	o.cutBlocks(to, false)
	delete(o.owner, from)
	delete(o.held, from)
	for _, b := range o.blocks {
		if b.object == from {
			b.object = to
		}
	}
	rekey(o.loose, from, to)
	rekey(o.woken, from, to)
	rekey(o.starts, from, to)
	if class, ok := o.classOf[from]; ok {
		o.classOf[to] = class
	}
	for notification, object := range o.notified {
		if object == from {
			o.notified[notification] = to
		}
	}
	for _, t := range o.threads {
		if t.wait != nil && t.wait.object == from {
			t.wait.object = to
		}
		if t.blocked != nil && t.blocked.object == from {
			t.blocked.object = to
		}
	}
}

func rekey[V any](m map[string]V, from, to string) {
	if value, ok := m[from]; ok {
		delete(m, from)
		m[to] = value
	}
}

// dropUnbindable: "What can no longer be bound is dropped: loose(obj) when
// nobody waits on obj any more, marked or not; woken entries more than 2 ms
// older than the latest time seen".
func (o *oracle) dropUnbindable() {
	for object := range o.loose {
		if len(o.waiters(object, func(*wait) bool { return true })) == 0 {
			delete(o.loose, object)
		}
	}
	for object, entries := range o.woken {
		o.woken[object] = slices.DeleteFunc(entries, func(w wakeUp) bool { return w.at < o.latest-disorder })
		if len(o.woken[object]) == 0 {
			delete(o.woken, object)
		}
	}
}

// findDeadlocks: "a cycle is a deadlock if it exists at the end: threads
// T1 … Tn, n ≥ 2, with owner(blocked(Ti)) = Ti+1". "For each loop, in the order
// of the time it closed, append DeadLock to each member". "Open init and lock
// waits that form a loop at the end are a deadlock, listed in deadlocks; no
// DeadLock event is appended."
func (o *oracle) findDeadlocks() {
	var closers []*thread
	for _, t := range o.threads {
		if loop := o.loop(t); len(loop) >= 2 && slices.MaxFunc(loop, o.byEnter) == t {
			closers = append(closers, t)
		}
	}
	slices.SortFunc(closers, o.byEnter)
	for _, closer := range closers {
		o.reportDeadlock(o.loop(closer))
	}
}

// loop returns the loop of blocked threads that T is a member of, in search
// order from T, or nil.
func (o *oracle) loop(t *thread) []*thread {
	loop := []*thread{t}
	for range o.threads {
		last := loop[len(loop)-1]
		next := o.initialises(last)
		if next == nil && last.blocked != nil {
			next = o.owner[last.blocked.object]
		}
		if next == nil || next == last {
			return nil
		}
		if next == t {
			return loop
		}
		loop = append(loop, next)
	}
	return nil // T waits for a loop without being in it
}

// initialises returns the other thread P while T waits for P's initialisation of a class.
func (o *oracle) initialises(t *thread) *thread {
	if t.wait == nil || t.wait.initialiser == t || t.state != t.wait.state {
		return nil
	}
	return t.wait.initialiser
}

// byEnter orders the threads of loops by the time of their enter, or of their wait for a class; equal times stay in
// file order.
func (o *oracle) byEnter(a, b *thread) int {
	atA, stateA := o.stuck(a)
	atB, stateB := o.stuck(b)
	return cmp.Or(cmp.Compare(atA, atB), cmp.Compare(stateA.ID, stateB.ID))
}

// stuck returns the time and the event from which on a thread of a loop waits.
func (o *oracle) stuck(t *thread) (at int64, state *Event) {
	if o.initialises(t) != nil {
		return t.wait.since, t.wait.state
	}
	return t.blocked.at, t.blocked.state
}

// reportDeadlock appends DeadLock to the members, "dated at the latest enter
// among them, in search order from the thread of that enter, each with its own
// lockedObject and lockedThread."
func (o *oracle) reportDeadlock(loop []*thread) {
	at, _ := o.stuck(loop[0])
	deadlock := Deadlock{Time: at - o.start}
	inits := slices.ContainsFunc(loop, func(t *thread) bool { return o.initialises(t) != nil })
	for _, t := range loop {
		if deadlock.ThreadIDs = append(deadlock.ThreadIDs, t.ThreadID); inits {
			o.applied("init deadlock")
			continue
		}
		event := Event{Type: DeadLock, LockedObject: t.blocked.object}
		event.lockedBy(o.owner[t.blocked.object])
		o.appendAt(at, t, event)
	}
	o.deadlocks = append(o.deadlocks, deadlock)
}

// finish puts the model together.
func (o *oracle) finish(truncated bool) *Doc {
	doc := &Doc{
		Trace:      TraceInfo{Events: len(o.events), Truncated: truncated, Counts: o.counts},
		Threads:    []*Thread{},
		Objects:    o.namedObjects(),
		Deadlocks:  append([]Deadlock{}, o.deadlocks...),
		Causes:     make(map[int]int),
		Reacquired: make(map[int]int),
		Named:      make(map[int]bool),
		Rules:      o.rules,
	}
	doc.HolderParts, doc.Held = o.holderParts()
	doc.Sightings = o.seen()
	// "A callStart that no thread has answered when the trace ends, of an
	// object that no thread is known of, is an open start".
	for object, events := range o.starts {
		for _, e := range events {
			if o.threadOf[object] == nil {
				o.applied("open start")
				doc.OpenStarts = append(doc.OpenStarts, e.ID)
			}
		}
	}
	if o.timed {
		doc.Trace.StartTime = formatSeconds(o.start)
		doc.Trace.Duration = o.latest - o.start
	}
	for _, t := range o.threads {
		doc.Threads = append(doc.Threads, t.Thread)
	}
	for running, cause := range o.cause {
		doc.Causes[running.ID] = cause.ID
	}
	for running, from := range o.reacquired {
		doc.Reacquired[running.ID] = from.Key
	}
	for running, named := range o.namedFor {
		doc.Named[running.ID] = named
	}
	return doc
}

// namedObjects lists the objects that model events name, in the order of the events.
func (o *oracle) namedObjects() []Object {
	objects := []Object{}
	listed := make(map[string]bool)
	for _, e := range o.events {
		for _, id := range []string{e.ObjectRef, e.LockedObject, e.StartedThread, e.InterruptedThread} {
			if id != "" && !listed[id] {
				listed[id] = true
				objects = append(objects, Object{ObjectID: id, Class: o.classOf[id]})
			}
		}
	}
	return objects
}
