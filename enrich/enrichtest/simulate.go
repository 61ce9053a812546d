package enrichtest

import (
	"math/rand/v2"
	"slices"
	"strconv"
)

// Simulate runs a JVM of a few threads and monitors at random until about size records are written, and returns the
// trace its agent would write. Half of the traces are faithful; in the others, records are lost, garbled and reordered
// as in real ones. The same seed gives the same trace.
func Simulate(seed uint64, size int) Trace {
	vm := newJVM(rand.New(rand.NewPCG(seed, 1)))
	vm.run(size)
	var deadlocks [][]string
	if vm.chance(3) {
		deadlocks = append(deadlocks, vm.deadlock(2+vm.rand.IntN(2)))
	}
	records := vm.records
	if !vm.faithful {
		records = vm.misrecord(records)
	}
	return Trace{
		XML:       document(append(preamble(), annotate(seed, records, vm.faithful)...), vm.chance(2)),
		Faithful:  vm.faithful,
		Wakes:     vm.wakes,
		Deadlocks: deadlocks,
	}
}

// jvm is a Java VM under an agent.
type jvm struct {
	dice
	faithful bool
	heap     bool // the agent posts objAlloc
	now      int64
	records  []record
	wakes    []Wake

	threads    []*javaThread
	monitors   []*monitor
	classes    map[string]bool // those the agent has defined
	lastObject int
	lastThread int
	freed      []string // ids of freed objects, to be used again
}

// monitor is an object in its role as a monitor.
type monitor struct {
	id      string
	class   string
	known   bool // the agent has posted its objAlloc
	owner   *javaThread
	waitset []*javaThread
}

// threadState is what a thread is doing. In some states it has already done what the agent posts only when the thread
// runs again.
type threadState int

const (
	starting    threadState = iota // started, has not run yet
	runnable                       // runs
	asleep                         // in Thread.sleep
	waiting                        // in a wait set; joining, in that of the thread's object
	returning                      // has left the wait set by itself, has not posted that
	queued                         // has posted that it tries to enter a monitor
	reacquiring                    // notified, and wants its monitor back
	letIn                          // owns the monitor it was queued for, has not posted that
	ending                         // has posted its end, its joiners are still waiting
	gone
)

// javaThread is a thread of the simulated JVM.
type javaThread struct {
	id      string
	name    string
	object  *monitor // its java.lang.Thread
	virtual bool
	started int64 // time of the callStart, 0 if none was posted
	state   threadState
	held    []*monitor

	monitor  *monitor // waited on or to be entered, nil in a sleep
	again    bool     // the monitor was left by a wait and is to be won back
	deadline int64    // of a timed wait or sleep, else 0
	wakeType string   // what ended the wait: Notify, InterruptThread, …
	wakeTime int64    // the time of the event that ended it

	interrupted   bool  // the interrupt flag
	interruptedAt int64 // when it was set
	throwing      bool  // an InterruptedException is on its way
}

func newJVM(r *rand.Rand) *jvm {
	vm := &jvm{dice: dice{r}, faithful: r.IntN(2) == 0, heap: r.IntN(2) == 0, now: traceBegin, classes: make(map[string]bool),
		lastObject: 100}
	vm.newMonitors()
	vm.newThread("main").post(vm)
	return vm
}

// newMonitors makes other monitors for the threads to contend for.
func (vm *jvm) newMonitors() {
	vm.monitors = nil
	for range 1 + vm.rand.IntN(4) {
		vm.monitors = append(vm.monitors, vm.newObject("java/lang/Object"))
	}
}

func (vm *jvm) newObject(class string) *monitor {
	vm.lastObject++
	return &monitor{id: strconv.Itoa(vm.lastObject), class: class}
}

// newThread creates a thread that is about to run. Ids of threads that are
// gone are used again, as the JVM's own are.
func (vm *jvm) newThread(name string) *javaThread {
	id := ""
	for _, t := range vm.threads {
		if t.state == gone && !vm.idInUse(t.id) && vm.chance(2) {
			id = t.id
		}
	}
	if id == "" {
		vm.lastThread++
		id = strconv.Itoa(vm.lastThread)
	}
	t := &javaThread{id: id, name: name, object: vm.newObject("java/lang/Thread"), virtual: vm.chance(6)}
	vm.threads = append(vm.threads, t)
	return t
}

func (vm *jvm) idInUse(id string) bool {
	return slices.ContainsFunc(vm.threads, func(t *javaThread) bool { return t.id == id && t.state != gone })
}

// run lets the threads run until the trace is long enough.
func (vm *jvm) run(size int) {
	for len(vm.records) < size {
		able := vm.able()
		if len(able) == 0 {
			vm.passTime()
			continue
		}
		vm.now += vm.rand.Int64N(nanosPerMilli / 4)
		vm.act(able[vm.rand.IntN(len(able))])
		if vm.chance(40) {
			vm.collectGarbage()
		}
	}
}

// able returns the threads that can do something now.
func (vm *jvm) able() []*javaThread {
	var able []*javaThread
	for _, t := range vm.threads {
		if t.able(vm.now) {
			able = append(able, t)
		}
	}
	return able
}

func (t *javaThread) able(now int64) bool {
	switch t.state {
	case asleep, waiting:
		return t.deadline != 0 && now >= t.deadline
	case queued, reacquiring:
		return t.monitor.owner == nil
	case gone:
		return false
	}
	return true
}

// passTime goes on to the next deadline. Without a deadline all threads wait for each other: a thread from outside
// comes that knows other monitors.
func (vm *jvm) passTime() {
	next := int64(0)
	for _, t := range vm.threads {
		if (t.state == asleep || t.state == waiting) && t.deadline != 0 && (next == 0 || t.deadline < next) {
			next = t.deadline
		}
	}
	if next == 0 {
		vm.newMonitors()
		vm.newThread("attached").post(vm)
		return
	}
	vm.now = max(vm.now, next)
}

// record posts an event of a thread and returns its time.
func (vm *jvm) record(t *javaThread, name string, object *monitor, namesAndValues ...string) int64 {
	if object != nil {
		vm.announce(object)
	}
	vm.now++ // so that times are unique
	var attrs []string
	if name == "threadStart" { // its object comes last
		attrs = append(attrs, namesAndValues...)
	}
	if object != nil {
		attrs = append(attrs, "objIdRef", object.id)
	}
	vm.records = append(vm.records, ofThread(name, t.id, vm.now, append(attrs, namesAndValues...)...))
	return vm.now
}

// announce posts the objAlloc of an object before its first mention.
func (vm *jvm) announce(object *monitor) {
	if object.known || !vm.heap {
		return
	}
	object.known = true
	class := map[string]string{"java/lang/Object": "100001", "java/lang/Thread": "100002"}[object.class]
	if !vm.classes[class] {
		vm.classes[class] = true
		vm.records = append(vm.records, newRecord("classDef", "", vm.now, "name", object.class, "sourceName", "",
			"classId", class, "time", timeMark))
	}
	vm.records = append(vm.records, newRecord("objAlloc", "", vm.now, "objId", object.id, "classIdRef", class, "time",
		timeMark))
}

// post lets a thread that was started run.
func (t *javaThread) post(vm *jvm) {
	at := vm.record(t, "threadStart", t.object, "threadName", t.name, "groupName", "main", "parentName", "system")
	t.state = runnable
	if t.started != 0 {
		vm.wakes = append(vm.wakes, Wake{Type: StartsThread, Cause: t.started, Effect: at})
	}
}

// act lets a thread do its next step.
func (vm *jvm) act(t *javaThread) {
	switch t.state {
	case starting:
		t.post(vm)
	case runnable:
		vm.execute(t)
	case asleep:
		vm.record(t, "monWaited", nil, "objIdRef", sleep)
		t.state = runnable
	case waiting:
		vm.leaveWaitset(t, WaitTimeoutExceed, vm.now)
	case returning:
		vm.postReturn(t)
	case queued, reacquiring:
		t.monitor.owner = t
		t.held = append(t.held, t.monitor)
		t.state, t.again = letIn, t.state == reacquiring
	case letIn:
		vm.postLetIn(t)
	case ending:
		vm.notifyJoiners(t)
	}
}

// execute lets a running thread do something of its choice.
func (vm *jvm) execute(t *javaThread) {
	if t.throwing {
		t.throwing = false
		if vm.chance(2) {
			vm.record(t, "threadInterrupted", nil)
			return
		}
	}
	switch vm.rand.IntN(26) {
	case 0, 1, 2:
		vm.start(t)
	case 3, 4, 5, 6, 7, 8:
		vm.enter(t, vm.someMonitor(t))
	case 9, 10:
		vm.sleep(t)
	case 11, 12, 13, 14:
		vm.notify(t)
	case 15, 16, 17, 18:
		vm.wait(t)
	case 19:
		vm.join(t)
	case 20, 21:
		vm.interrupt(t)
	case 22:
		vm.end(t)
	default:
		vm.exit(t)
	}
}

func (vm *jvm) start(t *javaThread) {
	if len(vm.able()) >= 5 {
		return
	}
	child := vm.newThread("worker")
	if !vm.chance(10) { // contention analysis may have been switched on late
		child.started = vm.record(t, "callStart", child.object)
	}
}

// someMonitor chooses a monitor to enter. Most programs enter them in the same order, as they would soon deadlock
// otherwise.
func (vm *jvm) someMonitor(t *javaThread) *monitor {
	first := 0
	if !vm.chance(50) {
		for i, m := range vm.monitors {
			if m.owner == t {
				first = i
			}
		}
	}
	return vm.monitors[first+vm.rand.IntN(len(vm.monitors)-first)]
}

// enter posts nothing if the monitor has no owner.
func (vm *jvm) enter(t *javaThread, m *monitor) {
	switch m.owner {
	case t:
	case nil:
		m.owner = t
		t.held = append(t.held, m)
	default:
		vm.queue(t, m)
	}
}

func (vm *jvm) queue(t *javaThread, m *monitor) {
	t.monitor, t.state = m, queued
	attrs := []string{"threadOwner", m.owner.id}
	if vm.chance(6) {
		attrs = nil
	} else if !vm.faithful && vm.chance(8) {
		attrs[1] = []string{"0", "999", t.id, vm.threads[vm.rand.IntN(len(vm.threads))].id}[vm.rand.IntN(4)]
	}
	vm.record(t, "monContendedEnter", m, attrs...)
}

// exit releases the monitor entered last. Nothing is posted.
func (vm *jvm) exit(t *javaThread) {
	if n := len(t.held); n > 0 {
		vm.release(t, t.held[n-1])
	}
}

func (vm *jvm) release(t *javaThread, m *monitor) {
	m.owner = nil
	t.held = slices.DeleteFunc(t.held, func(held *monitor) bool { return held == m })
}

func (vm *jvm) sleep(t *javaThread) {
	millis := 1 + vm.rand.Int64N(5)
	attrs := []string{"objIdRef", sleep}
	// With its timeout given, a sleep that ends late is taken for timed out,
	// though an interrupt ended it: the agent does not say isTimedOut here.
	if !vm.faithful && vm.chance(2) {
		attrs = append(attrs, "timeout", strconv.FormatInt(millis, 10))
	}
	since := vm.record(t, "monWait", nil, attrs...)
	t.monitor = nil
	if t.interrupted {
		vm.returnAtOnce(t)
		return
	}
	t.state, t.deadline = asleep, since+millis*nanosPerMilli
}

// wait waits on a monitor the thread owns, seldom while it owns another.
func (vm *jvm) wait(t *javaThread) {
	if len(t.held) == 0 || len(t.held) > 1 && !vm.chance(10) {
		return
	}
	m := t.held[vm.rand.IntN(len(t.held))]
	vm.beginWait(t, m)
	t.again = true
	if t.interrupted {
		// The flag is seen before the monitor is released: nobody can notify in between.
		vm.returnAtOnce(t)
		return
	}
	vm.release(t, m)
	m.waitset = append(m.waitset, t)
	t.state = waiting
}

// beginWait posts a monWait, timed or not. The last thread that could wake others does not wait forever.
func (vm *jvm) beginWait(t *javaThread, m *monitor) {
	millis := int64(0)
	if vm.chance(3) || len(vm.able()) < 2 {
		millis = 1 + vm.rand.Int64N(5)
	}
	since := vm.record(t, "monWait", m, "timeout", strconv.FormatInt(millis, 10))
	t.monitor, t.deadline = m, 0
	if millis > 0 {
		t.deadline = since + millis*nanosPerMilli
	}
}

// returnAtOnce ends the wait of a thread whose interrupt flag is set.
func (vm *jvm) returnAtOnce(t *javaThread) {
	at := vm.postWaited(t, "0")
	vm.wakes = append(vm.wakes, Wake{Type: InterruptThread, Cause: t.interruptedAt, Effect: at})
	t.interrupted, t.throwing = false, true
	t.state = runnable
}

// join waits on the object of a thread that has not ended. Entering and leaving that monitor is left out: it is never
// contended here.
func (vm *jvm) join(t *javaThread) {
	other := vm.other(t)
	if other == nil || other.state == gone || other.state == ending && t.interrupted {
		return
	}
	vm.beginWait(t, other.object)
	t.again = false
	if t.interrupted {
		vm.returnAtOnce(t)
		return
	}
	other.object.waitset = append(other.object.waitset, t)
	t.state = waiting
}

func (vm *jvm) other(t *javaThread) *javaThread {
	other := vm.threads[vm.rand.IntN(len(vm.threads))]
	if other == t {
		return nil
	}
	return other
}

// leaveWaitset ends a wait by timeout, interrupt or the end of a joined thread.
func (vm *jvm) leaveWaitset(t *javaThread, wakeType string, at int64) {
	if t.state == waiting {
		t.monitor.waitset = slices.DeleteFunc(t.monitor.waitset, func(other *javaThread) bool { return other == t })
	}
	t.state, t.wakeType, t.wakeTime = returning, wakeType, at
	// If the agent is slow, a notify may overtake the end of the wait: then no rule can see whom it woke.
	if vm.faithful && wakeType != DeadAndNotifyJoined {
		vm.postReturn(t)
	}
}

// postReturn posts a monWaited, after which the thread may have to queue for
// the monitor it had left.
func (vm *jvm) postReturn(t *javaThread) {
	if t.wakeType == InterruptThread {
		t.interrupted, t.throwing = false, true
	}
	if t.wakeType == InterruptThread && t.monitor == nil && vm.chance(4) {
		// Some agents do not post the end of an interrupted sleep.
		t.throwing = false
		at := vm.record(t, "threadInterrupted", nil)
		vm.wakes = append(vm.wakes, Wake{Type: InterruptThread, Cause: t.wakeTime, Effect: at})
		t.state = runnable
		return
	}
	timedOut := "0"
	if t.wakeType == WaitTimeoutExceed {
		timedOut = "1"
	}
	at := vm.postWaited(t, timedOut)
	switch t.wakeType {
	case InterruptThread:
		vm.wakes = append(vm.wakes, Wake{Type: InterruptThread, Cause: t.wakeTime, Effect: at})
	case DeadAndNotifyJoined:
		vm.wakes = append(vm.wakes, Wake{Type: DeadAndNotifyJoined, Cause: at, Effect: at})
	}
	t.state = runnable
	if t.monitor == nil || !t.again {
		return
	}
	switch {
	case t.monitor.owner == nil:
		vm.enter(t, t.monitor)
	case t.virtual:
		t.state = queued
	default:
		vm.queue(t, t.monitor)
	}
}

func (vm *jvm) postWaited(t *javaThread, timedOut string) int64 {
	if t.monitor == nil {
		return vm.record(t, "monWaited", nil, "objIdRef", sleep)
	}
	if vm.chance(4) {
		timedOut = map[string]string{"0": "false", "1": "true"}[timedOut]
	}
	return vm.record(t, "monWaited", t.monitor, "isTimedOut", timedOut)
}

// postLetIn posts that the thread has the monitor it wanted.
func (vm *jvm) postLetIn(t *javaThread) {
	t.state = runnable
	if !t.again {
		vm.record(t, "monContendedEntered", t.monitor)
		return
	}
	at := vm.postWaited(t, "0")
	vm.wakes = append(vm.wakes, Wake{Type: t.wakeType, Cause: t.wakeTime, Effect: at})
	if t.virtual && vm.chance(2) {
		vm.record(t, "monContendedEntered", t.monitor)
	}
}

// notify notifies the longest-waiting thread of a monitor, or all its threads.
func (vm *jvm) notify(t *javaThread) {
	if len(t.held) == 0 {
		return
	}
	m := t.held[vm.rand.IntN(len(t.held))]
	notified, wakeType, all := m.waitset, NotifyAll, "1"
	if !vm.chance(3) {
		notified, wakeType, all = m.waitset[:min(1, len(m.waitset))], Notify, "0"
	}
	if vm.chance(4) {
		all = map[string]string{"0": "false", "1": "true"}[all]
	}
	at := vm.record(t, "callNotify", m, "isNotifyAll", all)
	for _, woken := range notified {
		woken.state, woken.wakeType, woken.wakeTime = reacquiring, wakeType, at
	}
	m.waitset = slices.Clone(m.waitset[len(notified):])
}

// interrupt interrupts some other thread.
func (vm *jvm) interrupt(t *javaThread) {
	other := vm.other(t)
	if other == nil {
		return
	}
	// A second interrupt before the first is answered is one interrupt with two causes. An interrupt of a thread that
	// has not run yet has no thread.
	unclear := other.interrupted || other.throwing || other.state == returning || other.state == starting
	if unclear && vm.faithful {
		return
	}
	at := vm.record(t, "callInterrupt", other.object)
	switch other.state {
	case asleep, waiting:
		vm.leaveWaitset(other, InterruptThread, at)
	case ending, gone:
	default:
		other.interrupted, other.interruptedAt = true, at
	}
}

// end releases everything and ends the thread.
func (vm *jvm) end(t *javaThread) {
	if t.name == "main" {
		return
	}
	for len(t.held) > 0 {
		vm.exit(t)
	}
	vm.record(t, "threadEnd", nil)
	t.state = ending
}

// notifyJoiners is what the JVM does a little after the end of a thread.
func (vm *jvm) notifyJoiners(t *javaThread) {
	for _, joiner := range slices.Clone(t.object.waitset) {
		vm.leaveWaitset(joiner, DeadAndNotifyJoined, vm.now)
	}
	if !slices.ContainsFunc(vm.threads, func(other *javaThread) bool {
		return other.state == returning && other.monitor == t.object
	}) {
		t.state = gone
	}
}

// collectGarbage moves an object, or frees an unused one and puts another in its place.
func (vm *jvm) collectGarbage() {
	m := vm.monitors[vm.rand.IntN(len(vm.monitors))]
	idle := m.owner == nil && !slices.ContainsFunc(vm.threads, func(t *javaThread) bool {
		return t.monitor == m && t.state != runnable && t.state != gone
	})
	switch {
	case idle && m.known:
		vm.freed = append(vm.freed, m.id)
		vm.records = append(vm.records, newRecord("objFree", "", vm.now, "objIdRef", m.id, "time", timeMark))
		*m = *vm.newObject("java/lang/Object")
		if vm.chance(2) {
			m.id = vm.freed[0]
			vm.freed = vm.freed[1:]
		}
	case m.known:
		if t := vm.threads[vm.rand.IntN(len(vm.threads))]; vm.chance(3) && t.object.known {
			m = t.object
		}
		vm.lastObject++
		id := strconv.Itoa(vm.lastObject)
		vm.records = append(vm.records, newRecord("objMove", "", vm.now, "objIdRef", m.id, "newObjId", id, "time",
			timeMark))
		m.id = id
	}
}

// deadlock ends the trace with n new threads: each holds what the one before it wants. It returns their ids from the
// last to enter on.
func (vm *jvm) deadlock(n int) []string {
	ring := make([]*javaThread, n)
	for i := range ring {
		ring[i] = vm.newThread("deadlocked")
		ring[i].post(vm)
		ring[i].monitor = vm.newObject("java/lang/Object")
	}
	ids := []string{ring[n-1].id}
	for i, t := range ring {
		next := ring[(i+1)%n]
		vm.now += vm.rand.Int64N(nanosPerMilli)
		vm.record(t, "monContendedEnter", next.monitor, "threadOwner", next.id)
		if i < n-1 {
			ids = append(ids, t.id)
		}
	}
	return ids
}
