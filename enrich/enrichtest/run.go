package enrichtest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Ending is how a simulated run ends.
type Ending int

// The endings of a run.
const (
	Returned Ending = iota // the threads of the program end, then DestroyJavaVM
	Signaled               // a signal's handler starts a hook, and the JVM ends while threads run, wait or are blocked
	Cut                    // the text ends anywhere in its second half
)

// Run runs a program that uses locks, conditions and permits of
// java.util.concurrent, sockets and monitors, until about size records are
// written, and lets it end. Its agent annotates all parks. The same seed
// gives the same trace.
func Run(seed uint64, size int, ending Ending) Trace {
	p := newProgram(rand.New(rand.NewPCG(seed, 5)))
	for len(p.records) < size {
		p.step()
	}
	switch ending {
	case Returned:
		p.windUp()
	case Signaled:
		p.signal()
	}
	end := func(name string, namesAndValues ...string) { p.post(nil, name, namesAndValues...) }
	end("runtimeShutdown")
	end("traceEnd", "traceIdRef", "t-1")
	end("agentDestroy", "agentIdRef", "a-1")
	text := document(append(preamble(), annotate(seed, p.records, true)...), true)
	if ending == Cut {
		half := len(text) / 2
		text = text[:half+p.rand.IntN(half-20)]
		if p.chance(2) { // after a whole element
			text = text[:bytes.LastIndexByte(text, '\n')+1]
		}
	}
	return Trace{XML: text, Faithful: true}
}

// AnyRun is Run with each ending in turn.
func AnyRun(seed uint64, size int) Trace { return Run(seed, size, Ending(seed%3)) }

// program is a program under an agent that records parks.
type program struct {
	dice
	now     int64
	records []record
	threads []*worker
	locks   []*lock
}

// activity is what a worker does.
type activity int

const (
	working activity = iota
	enqueued
	awaiting // a condition
	parking  // for its permit
	reading  // from a socket
	napping
	joining
	finished
)

// worker is a thread of the program.
type worker struct {
	id      string
	object  string
	does    activity
	lock    *lock // that it waits for, or whose condition it awaits
	let     bool  // it has the lock, but has not posted that
	posted  bool  // it has posted that it is blocked
	waker   *worker
	until   int64 // of a timed wait, else 0
	joined  *worker
	stopped bool // interrupted while it was enqueued
}

// lock is a lock of java.util.concurrent, or a monitor, with its condition.
type lock struct {
	id        string
	condition string // of a monitor, its id
	monitor   bool
	owner     *worker
	queue     []*worker
	awaiting  []*worker
}

func newProgram(r *rand.Rand) *program {
	p := &program{dice: dice{r}, now: traceBegin}
	for i := range 1 + r.IntN(3) {
		p.locks = append(p.locks, &lock{id: strconv.Itoa(900 + i), condition: strconv.Itoa(950 + i)})
	}
	if len(p.locks) == 3 {
		p.locks[2].monitor, p.locks[2].condition = true, p.locks[2].id
	}
	p.start("main", "main", nil)
	for range 2 + r.IntN(5) {
		p.start("worker-"+strconv.Itoa(len(p.threads)), "main", p.threads[0])
	}
	return p
}

// post writes a record of the thread; nil for none.
func (p *program) post(t *worker, name string, namesAndValues ...string) *record {
	p.now += 1 + p.rand.Int64N(nanosPerMilli/4)
	var r record
	if t != nil {
		r = ofThread(name, t.id, p.now, namesAndValues...)
	} else {
		r = newRecord(name, "", p.now, append([]string{"time", timeMark}, namesAndValues...)...)
	}
	p.records = append(p.records, r)
	return &p.records[len(p.records)-1]
}

func (r *record) annotate(name, value string) { r.inside = append(r.inside, annotation(name, value)) }

// start starts a thread, as by if that is a thread.
func (p *program) start(name, group string, by *worker) *worker {
	id := strconv.Itoa(len(p.threads) + 1)
	t := &worker{id: id, object: "10" + id}
	if by != nil {
		p.post(by, "callStart", "objIdRef", t.object)
	}
	p.post(t, "threadStart", "threadName", name, "groupName", group, "parentName", "system", "objIdRef", t.object)
	p.threads = append(p.threads, t)
	return t
}

// step lets one thread do something, or lets something happen that one waits for.
func (p *program) step() {
	t := p.threads[p.rand.IntN(len(p.threads))]
	p.now += p.rand.Int64N(nanosPerMilli)
	switch t.does {
	case working:
		p.work(t)
	case enqueued:
		p.leaveQueue(t)
	case awaiting, parking:
		if t.until != 0 && p.chance(2) {
			p.now = max(p.now, t.until)
			p.wakeUp(t, true)
		}
	case reading, napping:
		p.wakeUp(t, t.does == napping)
	case joining:
		if t.joined.does == finished {
			p.post(t, "monWaited", "objIdRef", t.joined.object, "isTimedOut", "0")
			t.does = working
		}
	}
	if !p.anyoneActs() { // a thread from outside
		p.rescue()
	}
}

// anyoneActs reports whether a thread can go on without another one.
func (p *program) anyoneActs() bool {
	for _, t := range p.threads {
		switch {
		case t.does == working, t.does == reading, t.does == napping, t.let, t.until != 0,
			t.does == joining && t.joined.does == finished:
			return true
		}
	}
	return false
}

// rescue starts a thread that interrupts a waiting one.
func (p *program) rescue() {
	by := p.start("rescuer", "main", nil)
	for _, t := range p.threads {
		if t.does == awaiting || t.does == parking {
			p.interrupt(by, t)
			return
		}
	}
}

// work does one of many things.
func (p *program) work(t *worker) {
	l, other := p.locks[p.rand.IntN(len(p.locks))], p.threads[p.rand.IntN(len(p.threads))]
	mine := l.owner == t
	switch p.rand.IntN(12) {
	case 0, 1, 2, 3:
		if mine {
			p.unlock(t, l)
		} else if !p.owns(t) { // no thread owns two, so there are no deadlocks
			p.acquire(t, l)
		}
	case 4:
		if mine {
			p.await(t, l)
		}
	case 5:
		if mine && len(l.awaiting) > 0 {
			p.signalWaiters(t, l)
		}
	case 6:
		if !p.owns(t) {
			p.park(t)
		}
	case 7, 8:
		if other.does == parking {
			r := p.post(t, "callNotify", "objIdRef", "7"+other.id, "isNotifyAll", "0")
			r.annotate("park", "wait")
			r.annotate("wakes", other.id)
			p.wakeUp(other, false)
		}
	case 9:
		if p.chance(2) {
			p.post(t, "monWait", "objIdRef", "80"+t.id, "timeout", "0").annotate("io", "read")
			t.does = reading
		} else {
			p.post(t, "monWait", "objIdRef", sleep, "timeout", "1")
			t.does = napping
		}
	case 10:
		if p.chance(3) && other != t {
			p.interrupt(t, other)
		}
	case 11:
		p.startOrJoin(t, other)
	}
}

// startOrJoin starts a thread, joins one or ends.
func (p *program) startOrJoin(t, other *worker) {
	switch {
	case p.owns(t):
	case len(p.threads) < 12 && p.chance(2):
		p.start("worker-"+strconv.Itoa(len(p.threads)), "main", t)
	case t == p.threads[0] && other != t && other.does != joining:
		p.post(t, "monWait", "objIdRef", other.object, "timeout", "0")
		t.does, t.joined, t.until = joining, other, 0
	case t != p.threads[0] && p.chance(4):
		p.post(t, "threadEnd")
		t.does = finished
	}
}

func (p *program) owns(t *worker) bool {
	return slices.ContainsFunc(p.locks, func(l *lock) bool { return l.owner == t })
}

// acquire takes the lock, or queues for it.
func (p *program) acquire(t *worker, l *lock) {
	if l.owner == nil && len(l.queue) == 0 {
		l.owner = t
		return
	}
	p.enqueue(t, l)
	if !l.monitor && p.chance(4) {
		t.until = p.now + p.rand.Int64N(5*nanosPerMilli)
	}
}

func (p *program) enqueue(t *worker, l *lock) {
	owner := "0"
	if l.owner != nil {
		owner = l.owner.id
	}
	r := p.post(t, "monContendedEnter", "objIdRef", l.id, "threadOwner", owner)
	if !l.monitor {
		r.annotate("park", "lock")
	}
	t.does, t.lock, t.posted, t.until = enqueued, l, true, 0
	l.queue = append(l.queue, t)
	p.letIn(l, nil)
}

// unlock lets the next thread of the queue in, or one that has not queued.
func (p *program) unlock(t *worker, l *lock) {
	l.owner = nil
	if p.chance(4) && !l.monitor && len(l.queue) > 0 {
		for _, barging := range p.threads {
			if barging != t && barging.does == working && !p.owns(barging) {
				l.owner = barging
				r := p.post(l.queue[0], "monContendedEnter", "objIdRef", l.id, "threadOwner", barging.id)
				r.annotate("park", "lock")
				r.annotate("again", "1")
				return
			}
		}
	}
	p.letIn(l, t)
}

// letIn gives a free lock to the first thread of the queue.
func (p *program) letIn(l *lock, by *worker) {
	if l.owner == nil && len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = l.queue[1:]
		l.owner, next.let, next.waker = next, true, by
	}
}

// leaveQueue posts that the thread has the lock, or gave up.
func (p *program) leaveQueue(t *worker) {
	l := t.lock
	switch {
	case t.let:
		r := p.post(t, "monContendedEntered", "objIdRef", l.id)
		if t.waker != nil && !l.monitor {
			r.annotate("causedBy", t.waker.id)
		}
	case t.stopped && !l.monitor:
		p.post(t, "monContendedEntered", "objIdRef", l.id).annotate("gaveUp", "interrupt")
		l.queue = without(l.queue, t)
	case t.until != 0:
		p.now = max(p.now, t.until)
		p.post(t, "monContendedEntered", "objIdRef", l.id).annotate("gaveUp", "timeout")
		l.queue = without(l.queue, t)
	default:
		return
	}
	t.does, t.let, t.until, t.stopped, t.waker = working, false, 0, false, nil
}

// without removes the thread from a queue.
func without(queue []*worker, t *worker) []*worker {
	return slices.DeleteFunc(queue, func(other *worker) bool { return other == t })
}

// await releases the lock until a signal comes or the time has passed.
func (p *program) await(t *worker, l *lock) {
	timeout := p.rand.IntN(3) * p.rand.IntN(4)
	r := p.post(t, "monWait", "objIdRef", l.condition, "timeout", strconv.Itoa(timeout))
	if !l.monitor {
		r.annotate("park", "wait")
		r.annotate("lock", l.id)
	}
	t.does, t.lock, t.until = awaiting, l, 0
	if timeout > 0 {
		t.until = p.now + int64(timeout)*nanosPerMilli
	}
	l.awaiting = append(l.awaiting, t)
	l.owner = nil
	p.letIn(l, t)
}

// signalWaiters signals one waiter or all. They queue for the lock, which the signaller still owns.
func (p *program) signalWaiters(t *worker, l *lock) {
	all, woken := "0", l.awaiting[:1]
	if p.chance(3) {
		all, woken = "1", l.awaiting
	}
	r := p.post(t, "callNotify", "objIdRef", l.condition, "isNotifyAll", all)
	if !l.monitor {
		var ids []string
		for _, w := range woken {
			ids = append(ids, w.id)
		}
		r.annotate("park", "wait")
		r.annotate("wakes", strings.Join(ids, " "))
	}
	l.awaiting = l.awaiting[len(woken):]
	woken = slices.Clone(woken)
	p.unlock(t, l)
	for _, w := range woken {
		if l.monitor {
			p.regain(w, l)
			continue
		}
		r := p.post(w, "monWaited", "objIdRef", l.condition, "isTimedOut", "0")
		r.annotate("lockFrom", t.id)
		p.resume(w, l)
	}
}

// regain posts the return from a monitor's wait when the monitor is free; its owner releases it first.
func (p *program) regain(w *worker, l *lock) {
	for l.owner != nil {
		owner := l.owner
		if owner.let {
			p.leaveQueue(owner)
		}
		l.owner = nil
		if p.chance(2) {
			p.letIn(l, owner)
		}
	}
	l.owner = w
	p.post(w, "monWaited", "objIdRef", l.id, "isTimedOut", "0")
	w.does, w.until, w.lock = working, 0, nil
}

// resume gives the lock to a thread that has left a condition.
func (p *program) resume(w *worker, l *lock) {
	w.does, w.until, w.lock = working, 0, nil
	if l.owner == nil {
		l.owner = w
		return
	}
	p.enqueue(w, l)
}

// park lets the thread wait for its permit.
func (p *program) park(t *worker) {
	timeout := p.rand.IntN(2) * p.rand.IntN(5)
	p.post(t, "monWait", "objIdRef", "7"+t.id, "timeout", strconv.Itoa(timeout)).annotate("park", "wait")
	t.does, t.until = parking, 0
	if timeout > 0 {
		t.until = p.now + int64(timeout)*nanosPerMilli
	}
}

// wakeUp ends a wait for anything but a lock.
func (p *program) wakeUp(t *worker, timedOut bool) {
	flag := "0"
	if timedOut {
		flag = "1"
	}
	t.until = 0
	switch t.does {
	case awaiting:
		t.lock.awaiting = without(t.lock.awaiting, t)
		p.post(t, "monWaited", "objIdRef", t.lock.condition, "isTimedOut", flag)
		p.resume(t, t.lock)
		return
	case parking:
		p.post(t, "monWaited", "objIdRef", "7"+t.id, "isTimedOut", flag)
	case reading:
		p.post(t, "monWaited", "objIdRef", "80"+t.id, "isTimedOut", flag)
	case napping:
		p.post(t, "monWaited", "objIdRef", sleep, "isTimedOut", flag)
	}
	t.does = working
}

// interrupt interrupts a thread, which ends its wait; sometimes the recorder proves it.
func (p *program) interrupt(by, t *worker) {
	p.post(by, "callInterrupt", "objIdRef", t.object)
	switch t.does {
	case awaiting, parking, napping:
		parked := t.does == parking
		p.wakeUp(t, false)
		if !parked && t.does == working {
			p.post(t, "threadInterrupted")
		}
	case enqueued:
		t.stopped = !t.lock.monitor && !t.let
	}
}

// windUp ends all threads, and DestroyJavaVM after them. The main thread ends first.
func (p *program) windUp() {
	destroyer := &worker{id: "500", object: "1500"}
	var main *worker
	for range 100 * len(p.threads) {
		open := false
		for i, t := range p.threads {
			open = open || t.does != finished
			switch {
			case t.does == working && !p.owns(t):
				p.post(t, "threadEnd")
				t.does = finished
				if i == 0 {
					main = t
					p.post(destroyer, "threadStart", "threadName", "DestroyJavaVM", "groupName", "main", "parentName",
						"system", "objIdRef", destroyer.object)
				}
			case t.does == working:
				for _, l := range p.locks {
					if l.owner == t {
						p.unlock(t, l)
					}
				}
			case t.does == awaiting || t.does == parking:
				p.wakeUp(t, t.until != 0)
			case t.does != finished:
				p.step()
			}
		}
		if !open {
			break
		}
	}
	if main != nil {
		p.post(destroyer, "threadEnd")
	}
}

// signal lets the handler of a signal start a hook and wait for its end. The program goes on meanwhile.
func (p *program) signal() {
	dispatcher := p.start("Signal Dispatcher", "system", nil)
	handler := p.start("SIGTERM handler", "system", dispatcher)
	hook := p.start("Thread-0", "main", handler)
	p.threads = p.threads[:len(p.threads)-3]
	p.post(handler, "monWait", "objIdRef", hook.object, "timeout", "0")
	for range p.rand.IntN(12) {
		p.step()
	}
	p.post(hook, "monWait", "objIdRef", sleep, "timeout", "1")
	p.post(hook, "monWaited", "objIdRef", sleep, "isTimedOut", "1")
	p.post(hook, "threadEnd")
	p.post(handler, "monWaited", "objIdRef", hook.object, "isTimedOut", "0")
}
