package drain

import (
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
)

// world simulates threads that use java.util.concurrent. It publishes the records of a JVM, and knows what really
// happened. Its time is simulated; a thread runs until it calls run or is parked.
type world struct {
	jvm      *ringtest.JVM
	random   *rand.Rand
	now      int64 // nanoseconds
	tick     int64 // of the JVM's clock, in nanoseconds
	delays   int   // how many unparks of a thousand are delayed after their record
	calm     bool  // no thread interrupts another
	actors   []*actor
	carriers []*ringtest.Producer
	locks    []*synchronizer
	between  func() // is called between two steps
}

// actor is a thread.
type actor struct {
	*world
	id          int64
	virtual     bool
	ring        *ringtest.Producer
	carrier     int   // of a virtual thread, the ring of its records until it is parked
	at          int64 // when it runs next
	next        func() (struct{}, bool)
	stop        func()
	yield       func(struct{}) bool
	permit      int64 // who has unparked it, or byInterrupt; 0 if it has no permit
	interrupted bool
	blocked     bool
	hasParked   bool  // since its last Acquired
	signaller   int64 // who removed it from a condition, until its await returns
	blocks      []fact
	last        outcome
}

// fact is what a wait or a block was.
type fact struct {
	object  int64
	lock    bool
	outcome       // of the wait, or of the last park of the block
	signal  int64 // who removed the thread from the condition
	result  int64 // of the acquisition
	owners  []int64
}

// outcome is how a park ended, and by whose unpark.
type outcome struct {
	reason reason
	by     int64
}

type reason string

const (
	unparked   reason = "unparked"
	permitted  reason = "permit"
	flagged    reason = "flag"
	interrupts reason = "interrupt"
	timeout    reason = "timeout"
	spurious   reason = "spurious"
)

const (
	never       = math.MaxInt64
	byInterrupt = -2
	wakeUp      = 2500 // nanoseconds from an unpark until the thread runs, at least
)

// stopped ends an actor that the world no longer runs.
type stopped struct{}

// newWorld returns a world with this number of threads, which all run the program.
func newWorld(jvm *ringtest.JVM, seed uint64, threads int, program func(*actor)) *world {
	w := &world{jvm: jvm, random: rand.New(rand.NewPCG(seed, 1)), now: ms, tick: 10, between: func() {}}
	for range 3 {
		w.carriers = append(w.carriers, jvm.Thread())
	}
	for id := range int64(threads) {
		a := &actor{world: w, id: id + 1, virtual: w.random.IntN(3) == 0, ring: jvm.Thread(), at: w.now}
		var flags uint8
		if a.virtual {
			flags = ring.Virtual
		}
		a.record(ring.ThreadStart, 500+a.id, 0, flags, ringtest.Named("t", "", ""))
		a.next, a.stop = iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				if r := recover(); r != nil && r != (stopped{}) {
					panic(r)
				}
			}()
			a.yield = yield
			program(a)
			a.at = never
			a.record(ring.ThreadEnd, 0, 0, 0, nil)
		})
		w.actors = append(w.actors, a)
	}
	w.random.Shuffle(len(w.actors), func(i, k int) { w.actors[i], w.actors[k] = w.actors[k], w.actors[i] })
	return w
}

// simulate runs the threads until all have ended or none can run, or the time.
func (w *world) simulate(until int64) {
	for {
		first := slices.MinFunc(w.actors, func(a, b *actor) int { return int(min(1, max(-1, a.at-b.at))) })
		if first.at == never || first.at > until {
			break
		}
		w.now = max(w.now, first.at)
		first.next()
		w.between()
	}
	for _, a := range w.actors {
		a.stop()
	}
}

// run lets time pass, up to the given nanoseconds.
func (a *actor) run(most int64) {
	a.at = a.now + 1 + a.random.Int64N(most)
	a.pause()
}

// pause lets others run until the time at.
func (a *actor) pause() {
	if !a.yield(struct{}{}) {
		panic(stopped{})
	}
}

// record publishes a record with the time that the clock shows.
func (a *actor) record(kind ring.Kind, object, argument int64, flags uint8, payload []byte) {
	p := a.ring
	if a.virtual && kind != ring.ThreadStart {
		p = a.carriers[a.carrier]
	}
	p.Put(ring.Record{Kind: kind, Flags: flags, Thread: a.id, Time: a.now / a.tick * a.tick, Object: object,
		Argument: argument, Payload: payload})
}

func (a *actor) flag() uint8 {
	if a.interrupted {
		return ring.Interrupted
	}
	return 0
}

// park is LockSupport.park and parkNanos; a timeout of 0 means no timeout.
func (a *actor) park(object, timeout, owner, lock int64, flags uint8) outcome {
	a.run(300)
	a.record(ring.Park, object, timeout, flags|a.flag(), ringtest.ParkInfo(ring.ParkInfo{Owner: owner, Lock: lock}))
	a.hasParked = true
	begun := a.now
	a.run(300)
	o := outcome{permitted, a.permit}
	switch {
	case a.permit != 0:
	case a.interrupted:
		o = outcome{flagged, 0}
	default:
		o = a.block(begun, timeout)
	}
	a.permit = 0
	if o.by == byInterrupt {
		o = outcome{map[bool]reason{true: flagged, false: interrupts}[o.reason == permitted], 0}
	}
	a.run(200)
	a.record(ring.Parked, object, 0, a.flag(), nil)
	if flags&ring.IsLock == 0 {
		if object == 0 {
			object = -a.id
		}
		f := fact{object: object, outcome: o}
		if lock != 0 {
			f.signal = a.signaller
		}
		a.blocks = append(a.blocks, f)
	}
	a.last = o
	return o
}

// block waits until the thread is unparked or interrupted, or the time is over.
func (a *actor) block(begun, timeout int64) outcome {
	a.at = never
	if timeout > 0 {
		a.at = begun + timeout + a.random.Int64N(50_000)
	} else if a.random.IntN(5000) == 0 {
		a.at = a.now + a.random.Int64N(ms)
	}
	a.blocked = true
	a.pause()
	a.blocked, a.carrier = false, a.random.IntN(len(a.carriers))
	switch {
	case a.permit != 0:
		return outcome{unparked, a.permit}
	case timeout > 0:
		return outcome{reason: "timeout"}
	}
	return outcome{reason: spurious}
}

// unpark is LockSupport.unpark: the record, a delay in which the thread may lose its processor, the unpark.
func (a *actor) unpark(target *actor) {
	a.run(300)
	a.record(ring.Unpark, 0, target.id, 0, nil)
	if a.run(100); a.random.IntN(1000) < a.delays {
		a.run(ms)
	}
	a.release(target, a.id)
}

// release gives the target a permit, which ends its park.
func (a *actor) release(target *actor, by int64) {
	if target.permit == 0 {
		target.permit = by
	}
	if target.blocked {
		target.at = min(target.at, a.now+wakeUp+a.random.Int64N(50_000))
	}
}

// interrupt is Thread.interrupt.
func (a *actor) interrupt(target *actor) {
	a.run(300)
	a.record(ring.CallInterrupt, 500+target.id, 0, 0, nil)
	a.run(100)
	target.interrupted = true
	if target.virtual && target != a {
		a.record(ring.Unpark, 0, target.id, 0, nil)
		a.run(100)
	}
	a.release(target, byInterrupt)
}

// clearInterrupt is Thread.interrupted.
func (a *actor) clearInterrupt() bool {
	was := a.interrupted
	a.interrupted = false
	return was
}

// synchronizer is an AbstractQueuedSynchronizer of JDK 17 and later: a lock, or a counter of permits.
type synchronizer struct {
	id        int64
	lock      bool
	permits   int64 // free permits; for a lock, 1 if it is free
	owner     *actor
	queue     []*waiter
	condition int64
	awaiting  []*waiter
	last      int64 // who released it last
}

// waiter is a node of its queue or of its condition.
type waiter struct {
	*actor
	waiting, queued bool
	condition       bool
	shared          bool
}

// try acquires the synchronizer, if it is free.
func (s *synchronizer) try(a *actor) bool {
	if s.permits == 0 {
		return false
	}
	s.permits--
	s.owner = a
	return true
}

// acquire is AbstractQueuedSynchronizer.acquire by a new or a queued waiter: 1 if acquired, 0 if the time was over, -1
// if interrupted.
func (s *synchronizer) acquire(n *waiter, timeout int64, interruptible bool) (result int64) {
	a := n.actor
	deadline := a.now + timeout
	wasInterrupted, blocked := false, false
	var owners []int64
	for result = 2; result == 2; {
		a.run(200)
		first := len(s.queue) > 0 && s.queue[0] == n
		switch {
		case (first || !n.queued) && s.try(a):
			result = 1
			if first {
				s.queue = s.queue[1:]
			}
			if n.shared && s.permits > 0 {
				s.signalNext(a)
			}
		case !n.queued:
			n.queued = true
			s.queue = append(s.queue, n)
		case !n.waiting:
			n.waiting = true
		case timeout > 0 && a.now >= deadline:
			result = 0
		default:
			left := int64(0)
			if timeout > 0 {
				left = deadline - a.now
			}
			owner, flags := s.ownerNow()
			owners = append(owners, owner)
			a.park(s.id, left, owner, 0, flags)
			blocked, n.waiting = true, false
			if wasInterrupted = a.clearInterrupt() || wasInterrupted; wasInterrupted && interruptible {
				result = -1
			}
		}
	}
	if result != 1 {
		s.queue = slices.DeleteFunc(s.queue, func(other *waiter) bool { return other == n })
		s.signalNext(a)
	}
	if wasInterrupted && !interruptible {
		a.record(ring.CallInterrupt, 500+a.id, 0, 0, nil)
		a.interrupted = true
	}
	if a.hasParked || a.virtual {
		a.run(100)
		a.record(ring.Acquired, s.id, result, 0, nil)
		a.hasParked = false
	}
	if blocked && s.lock {
		a.blocks = append(a.blocks, fact{object: s.id, lock: true, outcome: a.last, result: result, owners: owners})
	}
	return result
}

// ownerNow returns the owner, as a Park has it, and the flags.
func (s *synchronizer) ownerNow() (owner int64, flags uint8) {
	flags = ring.Ownable | ring.OwnerThread
	if !s.lock {
		return 0, flags
	}
	if s.permits == 0 && s.owner != nil {
		owner = s.owner.id
	}
	return owner, flags | ring.IsLock
}

// signalNext unparks the first waiter.
func (s *synchronizer) signalNext(a *actor) {
	if len(s.queue) > 0 && s.queue[0].waiting {
		s.queue[0].waiting = false
		a.unpark(s.queue[0].actor)
	}
}

// release is AbstractQueuedSynchronizer.release.
func (s *synchronizer) release(a *actor) {
	a.run(300)
	s.owner, s.last = nil, a.id
	s.permits++
	a.run(50)
	s.signalNext(a)
}

// await is Condition.await and awaitNanos. The thread owns the lock.
func (s *synchronizer) await(a *actor, timeout int64) {
	n := &waiter{actor: a, condition: true}
	deadline := a.now + timeout
	s.awaiting = append(s.awaiting, n)
	a.signaller = 0
	s.release(a)
	for !n.queued {
		a.run(100)
		if a.clearInterrupt() || timeout > 0 && a.now >= deadline {
			if n.condition {
				n.condition = false
				s.awaiting = slices.DeleteFunc(s.awaiting, func(other *waiter) bool { return other == n })
				break
			}
		} else if n.condition {
			left := int64(0)
			if timeout > 0 {
				left = deadline - a.now
			}
			a.park(s.condition, left, 0, s.id, 0)
		}
	}
	a.signaller = 0
	n.waiting = false
	s.acquire(n, 0, false)
}

// signal is Condition.signal and signalAll. The thread owns the lock.
func (s *synchronizer) signal(a *actor, all bool) {
	if a.run(100); len(s.awaiting) == 0 {
		return
	}
	var flags uint8
	if all {
		flags = ring.All
	}
	a.record(ring.Signal, s.condition, 0, flags, nil)
	for a.run(50); len(s.awaiting) > 0; a.run(50) {
		n := s.awaiting[0]
		s.awaiting = s.awaiting[1:]
		n.condition, n.waiting = false, true
		n.actor.signaller = a.id
		a.record(ring.Signalled, 0, n.id, 0, nil)
		a.run(50)
		n.queued = true
		s.queue = append(s.queue, n)
		if !all {
			break
		}
	}
}
