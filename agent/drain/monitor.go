package drain

import (
	"hash/maphash"
	"math"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// monitorEnter handles ContendedEnter, JVMTI's MonitorContendedEnter. A record flagged Existed shows a state from
// before the recording; it is ignored if the thread is blocked or waits already.
func (d *Drainer) monitorEnter(t *thread, r *ring.Record, now int64) {
	if r.Flags&ring.Existed != 0 && t.State.Suspended() {
		return
	}
	d.advance(t, threadstate.Enter, r.Object, now)
	inner := d.enterStack(r)
	if owner := d.owner(t, r); owner != nil {
		d.write(enterOwned, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
			trcxml.Number(owner.id))
	} else {
		d.write(enter, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
}

// held handles Held, a record of holder sampling: it writes the owner of the monitor or lock that a thread is blocked
// on, and the owner's place, if either is news. Only an element with park can say so. The record is a sample, so the
// thread's parks do not change.
func (d *Drainer) held(r *ring.Record) {
	t, owner := d.live(r.Thread), d.live(r.Argument)
	switch {
	case t == nil || t.State != threadstate.Blocked || int64(t.Object) != r.Object:
		return
	case owner == t || owner == nil && r.Argument != 0:
		return
	}
	inner := append(append(d.scratch.annotation[:0], parkLock...), again...)
	before := len(inner)
	inner = d.appendFrames(inner, ownerStackBegin, d.frames(r))
	d.scratch.annotation = inner
	place := maphash.Bytes(placeSeed, inner[before:])
	if r.Flags&ring.OwnerNews == 0 && place == t.heldAt {
		return
	}
	t.heldAt = place
	if t.acquires(r.Object) {
		t.parks.owner = r.Argument
	}
	t.latest = max(d.traceTime(r.Time), t.latest)
	d.noteTime(t.latest)
	d.write(enterOwned, inner, trcxml.Number(t.id), trcxml.Number(t.latest), trcxml.Number(r.Object),
		trcxml.Number(r.Argument))
}

// placeSeed is the seed for hashes of the owners' stacks.
var placeSeed = maphash.MakeSeed()

// monitorEntered handles ContendedEntered, JVMTI's MonitorContendedEntered.
func (d *Drainer) monitorEntered(t *thread, r *ring.Record, now int64) {
	before, fits := d.advance(t, threadstate.Entered, r.Object, now)
	if !fits {
		return
	}
	if before == threadstate.Returned {
		d.insertEnter(t)
	}
	t.used = r.Argument
	d.write(entered, d.cpu(t), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
}

// monitorWait handles Wait: JVMTI's MonitorWait, a Thread.sleep, or a wait for input or output.
func (d *Drainer) monitorWait(t *thread, r *ring.Record, now int64) {
	existed := r.Flags&ring.Existed != 0
	if existed && t.State.Suspended() {
		return
	}
	d.advance(t, threadstate.Wait, r.Object, now)
	inner := appendIO(d.scratch.annotation[:0], r)
	if existed && r.Argument < 0 && len(inner) == 0 && r.Object != ring.Sleep { // an endless one has 0
		inner = append(inner, someTime...)
	}
	if r.Flags&ring.Joins != 0 && r.Object == t.object {
		inner = append(inner, joins...)
	}
	inner = d.appendStack(inner, r)
	d.scratch.annotation = inner
	if r.Argument >= 0 {
		d.write(waitTimed, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
			trcxml.Number(r.Argument))
	} else {
		d.write(wait, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
	t.timeout, t.since, t.existed, t.awakened = r.Argument, now, existed, false
}

// initWait handles InitWait: a thread waits until another one has initialised a class, which only a sample shows. It is
// ignored if the thread is known to be blocked or waiting: then the sample came too late.
func (d *Drainer) initWait(t *thread, r *ring.Record, now int64) {
	if t.State.Suspended() {
		return
	}
	by := r.Argument
	if d.live(by) == nil {
		by = 0
	}
	d.advance(t, threadstate.Wait, r.Object, now)
	inner := append(appendIDs(d.scratch.annotation[:0], trace.NoteInit, by), sampled...)
	inner = d.appendStack(inner, r)
	d.scratch.annotation = inner
	d.write(wait, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	t.timeout, t.since, t.existed, t.awakened = ring.UnknownTimeout, now, true, false
}

// monitorWaited handles Waited: JVMTI's MonitorWaited, or the end of another wait. A record flagged Existed ends a
// wait from before the recording; it is ignored if the thread has done something since.
func (d *Drainer) monitorWaited(t *thread, r *ring.Record, now int64) {
	if r.Flags&ring.Existed != 0 && !(t.State == threadstate.Waiting && t.existed) {
		return
	}
	if t.awakened && r.Object == ring.Sleep {
		t.awakened = false
		return
	}
	if _, fits := d.advance(t, threadstate.Waited, r.Object, now); !fits {
		return
	}
	t.used = r.Argument
	if t.existed { // the reason of its end is unknown
		d.write(waitEnded, d.cpu(t), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
		d.noteReturn(t, now)
		return
	}
	d.writeWaited(t, now, r.Flags&ring.TimedOut != 0 && t.timeIsOver(now))
}

// early is how much earlier than its timeout a wait may end as timed out: timeouts are rounded up.
const early = int64(3 * time.Millisecond)

// timeIsOver reports whether the wait of the thread can have timed out. JVMTI calls each end that is neither a
// notification nor an interrupt timed out. But Object.wait of a virtual thread can return before its time: on JDK 25,
// an interrupt that comes late, after the thread has cleared its flag, also ends the thread's next wait.
func (t *thread) timeIsOver(now int64) bool {
	const milli = int64(time.Millisecond)
	return t.timeout != 0 && now-t.since >= min(t.timeout, math.MaxInt64/milli)*milli-early
}

// writeWaited writes the end of the thread's wait.
func (d *Drainer) writeWaited(t *thread, now int64, timedOut bool) {
	duration := (now - t.since) / int64(time.Millisecond)
	d.write(waited, d.cpu(t), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(int64(t.Object)),
		trcxml.Number(duration), flag(timedOut))
	d.noteReturn(t, now)
}

// noteReturn notes that the thread's monWaited has just been written.
func (d *Drainer) noteReturn(t *thread, now int64) {
	t.since = now
	if t.virtual {
		d.returns.note(&d.delivery, t.id)
	}
}
