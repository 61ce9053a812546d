package drain

import (
	"slices"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// handlers has the function that writes a record, by its kind: thread for an event of a live thread, whose time is not
// before the thread's last event; global for a record that does not depend on a thread.
var handlers = [256]struct {
	thread func(d *Drainer, t *thread, r *ring.Record, now int64)
	global func(d *Drainer, r *ring.Record)
}{
	ring.ThreadStart:       {global: (*Drainer).threadStart},
	ring.ThreadEnd:         {thread: (*Drainer).threadEnd},
	ring.ContendedEnter:    {thread: (*Drainer).monitorEnter},
	ring.ContendedEntered:  {thread: (*Drainer).monitorEntered},
	ring.Wait:              {thread: (*Drainer).monitorWait},
	ring.Waited:            {thread: (*Drainer).monitorWaited},
	ring.CallStart:         {thread: callOf(callStart)},
	ring.CallInterrupt:     {thread: (*Drainer).callInterrupt},
	ring.CallNotify:        {thread: (*Drainer).callNotify},
	ring.ThreadInterrupted: {thread: (*Drainer).threadInterrupted},
	ring.Park:              {thread: (*Drainer).parkBegins},
	ring.Parked:            {thread: (*Drainer).parkEnds},
	ring.Unpark:            {global: (*Drainer).unpark},
	ring.Acquired:          {thread: (*Drainer).acquired},
	ring.Signal:            {thread: (*Drainer).signalBegins},
	ring.Signalled:         {thread: (*Drainer).signalled},
	ring.GCStart:           {global: timed(gcStart)},
	ring.GCFinish:          {global: (*Drainer).collected},
	ring.Allocated:         {thread: (*Drainer).allocated},
	ring.Freed:             {global: (*Drainer).freed},
	ring.CPUUsed:           {thread: (*Drainer).cpuUsed},
	ring.Held:              {global: (*Drainer).held},
	ring.InitWait:          {thread: (*Drainer).initWait},
	ring.State:             {global: (*Drainer).state},
	ring.MethodCount:       {global: (*Drainer).methodCount},
	ring.CallTree:          {global: (*Drainer).calls},
	ring.LeftOut:           {global: (*Drainer).leftOut},
	ring.MethodEntry:       {thread: (*Drainer).methodEntry},
	ring.MethodExit:        {thread: (*Drainer).methodExit},
	ring.Shutdown:          {global: timed(shutdown)},
	ring.InitDone:          {global: (*Drainer).initDone},
}

// timed returns the handler of an event that has only a time.
func timed(id encoderID) func(*Drainer, *ring.Record) {
	return func(d *Drainer, r *ring.Record) {
		now := d.traceTime(r.Time)
		d.noteTime(now)
		d.write(id, nil, trcxml.Number(now))
	}
}

func (d *Drainer) initDone(r *ring.Record) {
	if d.live(r.Thread) == nil {
		timed(initDone)(d, r)
		return
	}
	now := d.traceTime(r.Time)
	d.noteTime(now)
	d.write(initDoneBy, nil, trcxml.Number(r.Thread), trcxml.Number(now))
}

// callInterrupt handles CallInterrupt. A thread that was interrupted while it was blocked on a lock sets its interrupt
// flag again when it has acquired the lock, before its Acquired.
func (d *Drainer) callInterrupt(t *thread, r *ring.Record, now int64) {
	if p := t.parks; p != nil && r.Object == t.object && t.acquires(p.acquiring) {
		d.acquire(t, p.endedBy, now)
	}
	callOf(callInterrupt)(d, t, r, now)
	t.interrupts = r.Object
}

// callOf returns the handler of a thread's call of Thread.start or Thread.interrupt.
func callOf(id encoderID) func(*Drainer, *thread, *ring.Record, int64) {
	return func(d *Drainer, t *thread, r *ring.Record, now int64) {
		d.advance(t, threadstate.Act, r.Object, now)
		d.write(id, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
}

// callNotify handles CallNotify. With a wait set the element has the threads that it wakes, if they have started.
func (d *Drainer) callNotify(t *thread, r *ring.Record, now int64) {
	d.advance(t, threadstate.Act, r.Object, now)
	inner := d.scratch.annotation[:0]
	if r.Flags&ring.Seen != 0 {
		d.scratch.waiters = slices.DeleteFunc(r.CutWaiters(d.scratch.waiters[:0]),
			func(id int64) bool { return d.live(id) == nil })
		inner = appendIDs(inner, trace.NoteWakes, d.scratch.waiters...)
	}
	inner = d.appendStack(inner, r)
	d.scratch.annotation = inner
	d.write(callNotify, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
		flag(r.Flags&ring.All != 0))
}

// threadInterrupted handles ThreadInterrupted, the construction of an InterruptedException. For a sleep, or a virtual
// thread's join, it comes before the end of the wait. For another wait it comes after the end, unless the record of the
// end was lost.
func (d *Drainer) threadInterrupted(t *thread, r *ring.Record, now int64) {
	switch t.State {
	case threadstate.Waiting:
		d.advance(t, threadstate.Waited, int64(t.Object), now)
		d.writeWaited(t, now, false)
		t.awakened = int64(t.Object) == ring.Sleep
	case threadstate.Blocked:
		if t.acquires(int64(t.Object)) { // a lock for which it had waited since before the recording
			d.giveUp(t, "interrupt", now)
		} else {
			d.closeState(t, now)
		}
	}
	d.write(threadInterrupted, d.stack(r), trcxml.Number(t.id), trcxml.Number(now))
}

func flag(is bool) trcxml.Value {
	if is {
		return trcxml.Number(1)
	}
	return trcxml.Number(0)
}
