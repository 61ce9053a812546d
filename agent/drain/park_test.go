package drain

import (
	"regexp"
	"slices"
	"testing"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/agent/ring/ringtest"
	"github.com/trcx/trcx/trace"
)

// parking is a Park of a thread without a stack trace; the timeout is in nanoseconds.
func parking(thread, at, blocker, timeout, owner, lock int64, flags ...uint8) step {
	return act(ring.Park, thread, at, blocker, timeout, flags...).with(ringtest.ParkInfo(ring.ParkInfo{Owner: owner, Lock: lock}))
}

func parked(thread, at, blocker int64, flags ...uint8) step {
	return act(ring.Parked, thread, at, blocker, 0, flags...)
}

func unpark(thread, at, target int64) step { return act(ring.Unpark, thread, at, 0, target) }

func acquired(thread, at, lock, value int64) step { return act(ring.Acquired, thread, at, lock, value) }

func signals(thread, at, condition int64, flags ...uint8) step {
	return act(ring.Signal, thread, at, condition, 0, flags...)
}

func signalled(thread, at, waiter int64) step { return act(ring.Signalled, thread, at, 0, waiter) }

// later shifts the record by nanoseconds.
func (s step) later(nanoseconds int64) step {
	s.record.Time += nanoseconds
	return s
}

const (
	lockFlags = ring.IsLock | ring.Ownable | ring.OwnerThread
	start9    = `<threadStart threadId="9" @1 threadName="" groupName="" parentName="" objIdRef="13"/>` + "\n"

	isWait    = `<annotation name="park" value="wait"/>`
	isLock    = `<annotation name="park" value="lock"/>`
	isTimed   = `<annotation name="timeoutNanos" value="unknown"/>`
	isSampled = `<annotation name="sampled" value="1"/>`
)

// three are the threads of the cases.
var three = []step{started(7, 1, 11), started(8, 1, 12), started(9, 1, 13)}

var parkCases = []struct {
	name             string
	steps            []step
	want             string
	strays, repaired uint64
}{
	{"a lock", []step{
		parking(7, 2, 50, 0, 8, 0, lockFlags), unpark(8, 3, 7), parked(7, 4, 50), acquired(7, 5, 50, 1),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"><annotation name="causedBy" value="8"/></monContendedEntered>
`, 0, 0},
	{"a lock that nobody owns, with a timeout", []step{
		parking(7, 2, 50, 1_500_000, 0, 0, lockFlags), parked(7, 4, 50), acquired(7, 4, 50, 0),
		parking(7, 5, 50, 0, 77, 0, lockFlags), parked(7, 6, 50, ring.Interrupted), acquired(7, 7, 50, -1),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="0">` + isLock + `<annotation name="timeoutNanos" value="1500000"/></monContendedEnter>
<monContendedEntered threadIdRef="7" @4 objIdRef="50"><annotation name="gaveUp" value="timeout"/></monContendedEntered>
<monContendedEnter threadIdRef="7" @5 objIdRef="50" threadOwner="0">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"><annotation name="gaveUp" value="interrupt"/></monContendedEntered>
`, 0, 0},
	{"a lock that another thread acquires first", []step{
		parking(7, 2, 50, 0, 8, 0, lockFlags), unpark(8, 3, 7), parked(7, 4, 50),
		parking(7, 5, 50, 0, 8, 0, lockFlags), parked(7, 6, 50, ring.Interrupted),
		parking(7, 7, 50, 0, 9, 0, lockFlags, ring.Interrupted), unpark(9, 8, 7), parked(7, 9, 50, ring.Interrupted),
		acquired(7, 10, 50, 1),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEnter threadIdRef="7" @7 objIdRef="50" threadOwner="9">` + isLock + `<annotation name="again" value="1"/></monContendedEnter>
<monContendedEntered threadIdRef="7" @10 objIdRef="50"><annotation name="causedBy" value="9"/></monContendedEntered>
`, 0, 0},
	{"a monitor whose owner becomes known while the thread is blocked, and when it is not", []step{
		act(ring.ContendedEnter, 7, 2, 50, 0), act(ring.Held, 7, 3, 50, 8, ring.OwnerNews),
		act(ring.Held, 7, 4, 51, 8, ring.OwnerNews),    // another monitor
		act(ring.Held, 7, 5, 50, 7, ring.OwnerNews),    // itself
		act(ring.Held, 7, 6, 50, 1234, ring.OwnerNews), // no live thread
		act(ring.ContendedEntered, 7, 7, 50, 0), act(ring.Held, 7, 8, 50, 8, ring.OwnerNews),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @3 objIdRef="50" threadOwner="8">` + isLock + `<annotation name="again" value="1"/></monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"/>
`, 0, 0},
	{"a thread that waits for a class, whose initialiser may be unknown, and samples that come too late", []step{
		act(ring.InitWait, 7, 2, 50, 8), act(ring.Waited, 7, 3, 50, 0, ring.Existed),
		act(ring.InitWait, 7, 4, 50, 1234), act(ring.InitWait, 7, 5, 51, 8), // it waits already
		act(ring.ContendedEnter, 7, 6, 52, 0), // the end of the wait was not sampled
		act(ring.InitWait, 7, 7, 50, 8),       // it is blocked
		act(ring.ContendedEntered, 7, 8, 52, 0), act(ring.Waited, 7, 9, 50, 0, ring.Existed),
	}, `<monWait threadIdRef="7" @2 objIdRef="50"><annotation name="init" value="8"/>` + isSampled + `</monWait>
<monWaited threadIdRef="7" @3 objIdRef="50"/>
<monWait threadIdRef="7" @4 objIdRef="50"><annotation name="init" value="0"/>` + isSampled + `</monWait>
<monWaited threadIdRef="7" @6 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @6 objIdRef="52"/>
<monContendedEntered threadIdRef="7" @8 objIdRef="52"/>
`, 0, 1},
	{"states of objects, one of them unreadable", []step{
		act(ring.State, 0, 2, 50, 0).with([]byte(" permits=0 queued=2")), act(ring.State, 0, 3, 51, 0).with([]byte(" secret=x")),
	}, `<annotation name="state" value="50 1700000000.002000000 permits=0 queued=2"/>
`, 1, 0},
	{"a lock that an interrupted thread acquires", []step{
		parking(7, 2, 50, 0, 8, 0, lockFlags), parked(7, 3, 50, ring.Interrupted), parking(7, 4, 50, 0, 8, 0, lockFlags),
		unpark(8, 5, 7), parked(7, 6, 50), act(ring.CallInterrupt, 7, 7, 11, 0), acquired(7, 8, 50, 1),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"><annotation name="causedBy" value="8"/></monContendedEntered>
<callInterrupt threadId="7" @7 objIdRef="11"/>
`, 0, 0},
	{"a permit for a lock", []step{
		unpark(8, 2, 7), parking(7, 3, 50, 0, 0, 0, lockFlags), parked(7, 3, 50).later(900), acquired(7, 4, 50, 1),
		unpark(8, 5, 7), parking(7, 6, 50, 0, 8, 0, lockFlags), parked(7, 6, 50).later(900), acquired(7, 7, 50, 1),
	}, `<monContendedEnter threadIdRef="7" @3 objIdRef="50" threadOwner="0">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @4 objIdRef="50"><annotation name="causedBy" value="8"/></monContendedEntered>
<monContendedEnter threadIdRef="7" @6 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="50"/>
`, 0, 0},
	{"locks of a class that was seen with an owner", []step{
		parking(7, 2, 60, 0, 0, 0, ring.Ownable|ring.OwnerThread), unpark(8, 3, 7), parked(7, 4, 60), acquired(7, 4, 60, 1),
		parking(7, 5, 61, 0, 8, 0, ring.Ownable|ring.OwnerThread), unpark(8, 6, 7), parked(7, 7, 61), acquired(7, 7, 61, 1),
		parking(7, 8, 60, 0, 0, 0, ring.Ownable|ring.OwnerThread), unpark(8, 9, 7), parked(7, 10, 60), acquired(7, 10, 60, 1),
	}, `<monWait threadIdRef="7" @2 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="8" @3 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @4 objIdRef="60" timeout="2" isTimedOut="0"/>
<monContendedEnter threadIdRef="7" @5 objIdRef="61" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="61"><annotation name="causedBy" value="8"/></monContendedEntered>
<monContendedEnter threadIdRef="7" @8 objIdRef="60" threadOwner="0">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @10 objIdRef="60"><annotation name="causedBy" value="8"/></monContendedEntered>
`, 0, 0},
	{"waits: woken, timed out, interrupted, with a permit, with the flag set", []step{
		parking(7, 2, 60, 0, 0, 0), unpark(8, 3, 7), parked(7, 4, 60),
		parking(7, 5, 60, 2_000_001, 0, 0), parked(7, 8, 60),
		parking(7, 9, 60, 1_700_000_000_020, 0, 0, ring.Absolute), parked(7, 20, 60),
		parking(7, 21, 60, 0, 0, 0), parked(7, 22, 60, ring.Interrupted),
		unpark(8, 23, 7), parking(7, 24, 60, 0, 0, 0), parked(7, 24, 60).later(1000),
		parking(7, 25, 60, 0, 0, 0, ring.Interrupted), parked(7, 26, 60, ring.Interrupted),
	}, `<monWait threadIdRef="7" @2 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="8" @3 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @4 objIdRef="60" timeout="2" isTimedOut="0"/>
<monWait threadIdRef="7" @5 objIdRef="60" timeout="3">` + isWait + `<annotation name="timeoutNanos" value="2000001"/></monWait>
<monWaited threadIdRef="7" @8 objIdRef="60" timeout="3" isTimedOut="1"/>
<monWait threadIdRef="7" @9 objIdRef="60" timeout="11">` + isWait + `<annotation name="until" value="1700000000.020000000"/></monWait>
<monWaited threadIdRef="7" @20 objIdRef="60" timeout="11" isTimedOut="1"/>
<monWait threadIdRef="7" @21 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @22 objIdRef="60" timeout="1" isTimedOut="0"/>
<monWait threadIdRef="7" @24 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.024001000" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @25 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @26 objIdRef="60" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"several unparks", []step{
		unpark(8, 2, 7), unpark(9, 2, 7), parking(7, 3, 60, 0, 0, 0), parked(7, 3, 60).later(500), // the permit of 8
		parking(7, 4, 60, 0, 0, 0), unpark(8, 5, 7), unpark(9, 5, 7), parked(7, 6, 60), // 9 is for the next park
		parking(7, 7, 60, 0, 0, 0), parked(7, 7, 60).later(500),
		parking(7, 8, 60, 0, 0, 0), unpark(9, 9, 7), unpark(8, 9, 9), parked(7, 9, 60).later(500),
	}, `<monWait threadIdRef="7" @3 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.003000500" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @4 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="8" @5 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @6 objIdRef="60" timeout="2" isTimedOut="0"/>
<monWait threadIdRef="7" @7 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.007000500" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @8 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="9" @9 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" time="1700000000.009000500" objIdRef="60" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"an unpark in a short park that a permit ends is for the next one", []step{
		unpark(8, 2, 7), parking(7, 3, 60, 0, 0, 0), unpark(9, 3, 7).later(500), parked(7, 3, 60).later(1900),
		parking(7, 4, 60, 0, 0, 0), parked(7, 4, 60).later(1000),
	}, `<monWait threadIdRef="7" @3 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.003001900" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @4 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.004001000" objIdRef="60" timeout="0" isTimedOut="0"/>
`, 0, 0},
	{"an unpark in a park longer than those that a permit ends", []step{
		unpark(8, 2, 7), parking(7, 3, 60, 0, 0, 0), unpark(9, 3, 7).later(500), parked(7, 4, 60),
	}, `<monWait threadIdRef="7" @3 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="9" @4 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @4 objIdRef="60" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"an unpark that was delayed", []step{
		unpark(8, 2, 7), parking(7, 2, 60, 0, 0, 0), parked(7, 2, 60).later(500), unpark(8, 3, 7), unpark(9, 3, 7),
		parking(7, 4, 60, 0, 0, 0), parked(7, 4, 60).later(500), parking(7, 5, 60, 0, 0, 0), parked(7, 6, 60),
	}, `<monWait threadIdRef="7" @2 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.002000500" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @4 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" time="1700000000.004000500" objIdRef="60" timeout="0" isTimedOut="0"/>
<monWait threadIdRef="7" @5 objIdRef="60" timeout="0">` + isWait + `</monWait>
<callNotify threadId="9" @6 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @6 objIdRef="60" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"conditions", []step{
		parking(7, 2, 71, 0, 0, 70), parking(8, 2, 71, 10_000_000, 0, 70).in(1),
		signals(9, 3, 71), signalled(9, 3, 7), unpark(9, 4, 7), parked(7, 5, 71),
		signals(9, 6, 71, ring.All), signalled(9, 6, 8), unpark(7, 7, 8), parked(8, 20, 71),
		signals(9, 21, 71, ring.All), act(ring.ThreadEnd, 9, 22, 0, 0),
	}, `<monWait threadIdRef="7" @2 objIdRef="71" timeout="0">` + isWait + `<annotation name="lock" value="70"/></monWait>
<monWait threadIdRef="8" @2 objIdRef="71" timeout="10">` + isWait + `<annotation name="lock" value="70"/><annotation name="timeoutNanos" value="10000000"/></monWait>
<callNotify threadId="9" @3 objIdRef="71" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @5 objIdRef="71" timeout="3" isTimedOut="0"><annotation name="lockFrom" value="9"/></monWaited>
<callNotify threadId="9" @6 objIdRef="71" isNotifyAll="1">` + isWait + `<annotation name="wakes" value="8"/></callNotify>
<monWaited threadIdRef="8" @20 objIdRef="71" timeout="18" isTimedOut="0"><annotation name="lockFrom" value="7"/></monWaited>
<callNotify threadId="9" @21 objIdRef="71" isNotifyAll="1">` + isWait + `<annotation name="wakes" value=""/></callNotify>
<threadEnd threadIdRef="9" @22/>
`, 0, 0},
	{"a signal whose thread loses the processor before it removes the waiter", []step{
		parking(7, 2, 71, 0, 0, 70), signals(9, 3, 71), parking(8, 5, 60, 0, 0, 0), parked(8, 6, 60),
		signalled(9, 7, 7), unpark(9, 8, 7), parked(7, 9, 71),
	}, `<monWait threadIdRef="7" @2 objIdRef="71" timeout="0">` + isWait + `<annotation name="lock" value="70"/></monWait>
<monWait threadIdRef="8" @5 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="8" @6 objIdRef="60" timeout="1" isTimedOut="0"/>
<callNotify threadId="9" @7 objIdRef="71" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @9 objIdRef="71" timeout="7" isTimedOut="0"><annotation name="lockFrom" value="9"/></monWaited>
`, 0, 0},
	{"a signal to a thread that parks next, and one to a thread that never does", []step{
		signals(9, 2, 71), signalled(9, 2, 7), parking(7, 3, 71, 0, 0, 70), parked(7, 3, 71).later(500),
		signals(9, 4, 71), signalled(9, 4, 7), act(ring.CallStart, 7, 5, 11, 0),
		parking(7, 6, 71, 0, 0, 70), unpark(8, 7, 7), parked(7, 8, 71),
	}, `<callNotify threadId="9" @2 objIdRef="71" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWait threadIdRef="7" @3 objIdRef="71" timeout="0">` + isWait + `<annotation name="lock" value="70"/></monWait>
<monWaited threadIdRef="7" time="1700000000.003000500" objIdRef="71" timeout="0" isTimedOut="0"/>
<callNotify threadId="9" @4 objIdRef="71" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<callStart threadId="7" @5 objIdRef="11"/>
<monWait threadIdRef="7" @6 objIdRef="71" timeout="0">` + isWait + `<annotation name="lock" value="70"/></monWait>
<callNotify threadId="8" @7 objIdRef="71" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @8 objIdRef="71" timeout="2" isTimedOut="0"/>
`, 0, 0},
	{"parks without a blocker", []step{
		parking(7, 2, 0, 0, 0, 0), unpark(8, 3, 7), parked(7, 4, 0), parking(7, 5, 0, 1000, 0, 0), parked(7, 6, 0),
		parking(8, 7, 0, 0, 0, 0).in(1),
	}, `<classDef name="java/util/concurrent/locks/LockSupport" sourceName="LockSupport.java" classId="4503599627370496" @2/>
<objAlloc objId="4503599627370497" classIdRef="4503599627370496" @2/>
<monWait threadIdRef="7" @2 objIdRef="4503599627370497" timeout="0">` + isWait + `</monWait>
<callNotify threadId="8" @3 objIdRef="4503599627370497" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @4 objIdRef="4503599627370497" timeout="2" isTimedOut="0"/>
<monWait threadIdRef="7" @5 objIdRef="4503599627370497" timeout="1">` + isWait + `<annotation name="timeoutNanos" value="1000"/></monWait>
<monWaited threadIdRef="7" @6 objIdRef="4503599627370497" timeout="1" isTimedOut="1"/>
<objAlloc objId="4503599627370498" classIdRef="4503599627370496" @7/>
<monWait threadIdRef="8" @7 objIdRef="4503599627370498" timeout="0">` + isWait + `</monWait>
`, 0, 0},
	{"parks within a sleep", []step{
		act(ring.Wait, 7, 2, ring.Sleep, 5), parking(7, 3, 60, 0, 0, 0), parked(7, 4, 60), act(ring.Waited, 7, 5,
			ring.Sleep, 0),
	}, `<monWait threadIdRef="7" @2 objIdRef="-1" timeout="5"/>
<monWaited threadIdRef="7" @5 objIdRef="-1" timeout="3" isTimedOut="0"/>
`, 0, 0},
	{"parks from before the recording", []step{
		parking(7, 2, 60, ring.UnknownTimeout, 0, 0, ring.Existed), parking(8, 2, 50, ring.UnknownTimeout, 9, 0, ring.Existed,
			lockFlags),
		unpark(9, 3, 7), unpark(9, 4, 8), parking(7, 5, 60, 0, 0, 0), parking(7, 5, 60, 0, 0, 0, ring.Existed),
		parking(8, 6, 60, ring.UnknownTimeout, 0, 0, ring.Existed), act(ring.CallStart, 8, 7, 11, 0),
	}, `<monWait threadIdRef="7" @2 objIdRef="60">` + isWait + isTimed + `</monWait>
<monContendedEnter threadIdRef="8" @2 objIdRef="50" threadOwner="9">` + isLock + isTimed + `</monContendedEnter>
<callNotify threadId="9" @3 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="7"/></callNotify>
<monWaited threadIdRef="7" @3 objIdRef="60"/>
<monContendedEntered threadIdRef="8" @4 objIdRef="50"><annotation name="causedBy" value="9"/></monContendedEntered>
<monWait threadIdRef="7" @5 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWait threadIdRef="8" @6 objIdRef="60">` + isWait + isTimed + `</monWait>
<monWaited threadIdRef="8" @7 objIdRef="60"/>
<callStart threadId="8" @7 objIdRef="11"/>
`, 0, 0},
	{"a park from before the recording, whose time is over", []step{
		parking(7, 2, 60, ring.UnknownTimeout, 0, 0, ring.Existed), unpark(7, 3, 8), parking(7, 4, 60, 0, 0, 0), parked(7, 5, 60),
	}, `<monWait threadIdRef="7" @2 objIdRef="60">` + isWait + isTimed + `</monWait>
<monWaited threadIdRef="7" @3 objIdRef="60"/>
<monWait threadIdRef="7" @4 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @5 objIdRef="60" timeout="1" isTimedOut="0"/>
`, 0, 0},
	{"parks from before the recording, over without a report", []step{
		parking(7, 2, 60, ring.UnknownTimeout, 0, 0, ring.Existed), parking(8, 2, 50, ring.UnknownTimeout, 9, 0, ring.Existed, lockFlags),
		act(ring.Parked, 7, 3, 61, 0, ring.Existed), act(ring.Parked, 7, 4, 60, 0, ring.Existed), act(ring.Parked, 8, 4, 50, 0, ring.Existed),
		parking(7, 5, 60, 0, 0, 0), act(ring.Parked, 7, 6, 60, 0, ring.Existed), act(ring.Parked, 8, 6, 50, 0, ring.Existed),
	}, `<monWait threadIdRef="7" @2 objIdRef="60">` + isWait + isTimed + `</monWait>
<monContendedEnter threadIdRef="8" @2 objIdRef="50" threadOwner="9">` + isLock + isTimed + `</monContendedEnter>
<monWaited threadIdRef="7" @4 objIdRef="60"/>
<monContendedEntered threadIdRef="8" @4 objIdRef="50"><annotation name="gaveUp" value="timeout"/></monContendedEntered>
<monWait threadIdRef="7" @5 objIdRef="60" timeout="0">` + isWait + `</monWait>
`, 0, 0},
	{"a lock from before the recording, given up by an interrupt", []step{
		parking(7, 2, 50, ring.UnknownTimeout, 8, 0, ring.Existed, lockFlags), act(ring.ThreadInterrupted, 7, 3, 0, 0),
	}, `<monContendedEnter threadIdRef="7" @2 objIdRef="50" threadOwner="8">` + isLock + isTimed + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @3 objIdRef="50"><annotation name="gaveUp" value="interrupt"/></monContendedEntered>
<threadInterrupted threadId="7" @3/>
`, 0, 0},
	{"waits without a timeout from before the recording, and with one", []step{
		parking(7, 2, 60, 0, 0, 0, ring.Existed), parking(8, 2, 50, 0, 9, 0, ring.Existed, lockFlags),
		act(ring.Wait, 9, 2, 70, 0, ring.Existed), act(ring.Waited, 9, 3, 70, 0, ring.Existed),
		act(ring.Wait, 9, 4, 70, ring.UnknownTimeout, ring.Existed), act(ring.Waited, 9, 5, 70, 0, ring.Existed),
		act(ring.Wait, 9, 6, ring.Sleep, ring.UnknownTimeout, ring.Existed), act(ring.Waited, 9, 7, ring.Sleep, 0, ring.Existed),
		act(ring.Wait, 9, 8, 80, ring.UnknownTimeout, ring.Existed, uint8(trace.IORead)<<ring.OperationShift),
	}, `<monWait threadIdRef="7" @2 objIdRef="60">` + isWait + `</monWait>
<monContendedEnter threadIdRef="8" @2 objIdRef="50" threadOwner="9">` + isLock + `</monContendedEnter>
<monWait threadIdRef="9" @2 objIdRef="70" timeout="0"/>
<monWaited threadIdRef="9" @3 objIdRef="70"/>
<monWait threadIdRef="9" @4 objIdRef="70">` + isTimed + `</monWait>
<monWaited threadIdRef="9" @5 objIdRef="70"/>
<monWait threadIdRef="9" @6 objIdRef="-1"/>
<monWaited threadIdRef="9" @7 objIdRef="-1"/>
<monWait threadIdRef="9" @8 objIdRef="80"><annotation name="io" value="read"/></monWait>
`, 0, 0},
	{"a park, and an unpark, after a wait from before the recording, before the agent has seen its end", []step{
		act(ring.Wait, 7, 2, 80, ring.UnknownTimeout, ring.Existed, uint8(trace.IORead)<<ring.OperationShift),
		act(ring.Wait, 8, 2, ring.Sleep, ring.UnknownTimeout, ring.Existed), parking(9, 2, 60, 0, 0, 0),
		parking(7, 3, 50, 0, 8, 0, lockFlags), unpark(8, 4, 9), parked(9, 5, 60),
		act(ring.Waited, 7, 6, 80, 0, ring.Existed), act(ring.Waited, 8, 6, ring.Sleep, 0, ring.Existed),
		act(ring.InitWait, 8, 7, 70, 9), parking(8, 8, 60, 0, 0, 0), act(ring.Waited, 8, 9, 70, 0, ring.Existed),
		parked(8, 10, 60), unpark(9, 10, 7), parked(7, 11, 50), acquired(7, 11, 50, 1),
	}, `<monWait threadIdRef="7" @2 objIdRef="80"><annotation name="io" value="read"/></monWait>
<monWait threadIdRef="8" @2 objIdRef="-1"/>
<monWait threadIdRef="9" @2 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @3 objIdRef="80"/>
<monContendedEnter threadIdRef="7" @3 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monWaited threadIdRef="8" @4 objIdRef="-1"/>
<callNotify threadId="8" @4 objIdRef="60" isNotifyAll="0">` + isWait + `<annotation name="wakes" value="9"/></callNotify>
<monWaited threadIdRef="9" @5 objIdRef="60" timeout="3" isTimedOut="0"/>
<monWait threadIdRef="8" @7 objIdRef="70"><annotation name="init" value="9"/>` + isSampled + `</monWait>
<monWaited threadIdRef="8" @8 objIdRef="70"/>
<monWait threadIdRef="8" @8 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="8" @10 objIdRef="60" timeout="2" isTimedOut="0"/>
<monContendedEntered threadIdRef="7" @11 objIdRef="50"><annotation name="causedBy" value="9"/></monContendedEntered>
`, 0, 3},
	{"joins of a thread by itself, and other waits on Thread objects", []step{
		act(ring.Wait, 7, 2, 11, 0, ring.Joins), act(ring.Waited, 7, 3, 11, 0), act(ring.Wait, 7, 4, 11, 0),
		act(ring.Wait, 8, 4, 11, 0, ring.Joins), act(ring.Wait, 9, 4, 13, 0, ring.Existed, ring.Joins),
	}, `<monWait threadIdRef="7" @2 objIdRef="11" timeout="0"><annotation name="call" value="join"/></monWait>
<monWaited threadIdRef="7" @3 objIdRef="11" timeout="1" isTimedOut="0"/>
<monWait threadIdRef="7" @4 objIdRef="11" timeout="0"/>
<monWait threadIdRef="8" @4 objIdRef="11" timeout="0"/>
<monWait threadIdRef="9" @4 objIdRef="13" timeout="0"><annotation name="call" value="join"/></monWait>
`, 0, 0},
	{"records that are missing", []step{
		parking(7, 2, 60, 0, 0, 0), parking(7, 3, 50, 0, 8, 0, lockFlags), parked(7, 4, 50),
		parking(7, 5, 51, 0, 8, 0, lockFlags), parked(7, 6, 51), act(ring.Wait, 7, 7, 52, 0),
		act(ring.Waited, 7, 8, 52, 0), parked(7, 9, 60), acquired(7, 10, 50, 1), unpark(8, 11, 99),
		signalled(8, 12, 7),
	}, `<monWait threadIdRef="7" @2 objIdRef="60" timeout="0">` + isWait + `</monWait>
<monWaited threadIdRef="7" @3 objIdRef="60"/>
<monContendedEnter threadIdRef="7" @3 objIdRef="50" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @5 objIdRef="50"/>
<monContendedEnter threadIdRef="7" @5 objIdRef="51" threadOwner="8">` + isLock + `</monContendedEnter>
<monContendedEntered threadIdRef="7" @7 objIdRef="51"/>
<monWait threadIdRef="7" @7 objIdRef="52" timeout="0"/>
<monWaited threadIdRef="7" @8 objIdRef="52" timeout="1" isTimedOut="0"/>
`, 2, 3},
}

// definedObjects matches the definitions of the objects of the cases.
var definedObjects = regexp.MustCompile(`<(classDef name="app/Lock"|objAlloc objId="6\d").*\n`)

// TestParks proves which elements the records of java.util.concurrent become.
func TestParks(t *testing.T) {
	for _, c := range parkCases {
		jvm := begin(t, 25)
		jvm.Define(ring.Record{Kind: ring.DefineClass, Object: 100, Payload: ringtest.ClassInfo("app/Lock", "")})
		for object := range int64(3) {
			jvm.Define(ring.Record{Kind: ring.DefineObject, Object: 60 + object, Argument: 100})
		}
		rings := []*ringtest.Producer{jvm.Thread(), jvm.Thread()}
		for _, s := range append(slices.Clone(three), c.steps...) {
			rings[s.ring].Put(s.record)
		}
		document, summary := drained(jvm, nil)
		want := start7 + start8 + start9 + c.want
		if got := definedObjects.ReplaceAllString(body(t, document), ""); got != spelled(want) {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, spelled(want))
		}
		if summary.Strays != c.strays || summary.Repaired != c.repaired || summary.Unknown != 0 {
			t.Errorf("%s: %d strays, %d repaired, want %d and %d; %d unknown", c.name, summary.Strays,
				summary.Repaired, c.strays, c.repaired, summary.Unknown)
		}
		checkTrace(t, c.name, document, "object-undefined")
	}
}
