package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
)

// unparkerName begins the names of the threads that end timed parks of virtual threads in JDK 21 to 23.
const unparkerName = "VirtualThread-unparker"

// unpark handles Unpark. The first one in a park has woken the thread; a further one is a permit for the next park, and
// so is the unpark of a thread that is not parked. A thread has one permit at most.
func (d *Drainer) unpark(r *ring.Record) {
	t, u := d.live(r.Argument), d.live(r.Thread)
	if t == nil {
		return
	}
	by := stranger
	if u != nil {
		if d.unparkedByItself(t, u, r) {
			return
		}
		by = author(u.id)
	}
	switch p := t.parks; {
	case p != nil && p.open && p.woken == nobody:
		p.woken = by
		d.wake(t, u, d.traceTime(r.Time))
	case t.permit == nobody:
		t.permit = by
		if p != nil {
			p.permitNew = p.open
		}
	case p != nil:
		p.merged, p.mergedNew = by, p.open
	}
}

// unparkedByItself reports whether the unpark of t by u is no action of another thread: it is part of the interrupt of
// a virtual thread, or the end of t's timeout.
func (d *Drainer) unparkedByItself(t, u *thread, r *ring.Record) bool {
	interrupts := t.virtual && u.interrupts == t.object && t.object != 0
	d.noteRecord(u, r, max(d.traceTime(r.Time), u.latest))
	return interrupts || u.unparker
}

// wake handles the unpark by u, nil if unknown, that wakes the parked thread t.
func (d *Drainer) wake(t, u *thread, now int64) {
	p := t.parks
	now = max(now, t.latest)
	switch {
	case p.existed:
		d.endExisting(t, now)
	case p.lock, p.io, p.marked.condition == p.blocker, p.endedByPermit(now):
	default:
		p.notified = d.notifyWaiter(u, t, now)
	}
}

// endExisting ends a wait or block from before the recording when the thread is unparked: its end has no record.
func (d *Drainer) endExisting(t *thread, now int64) {
	p := t.parks
	by := p.woken
	if t.State.Suspended() && int64(t.Object) == p.blocker {
		t.latest = now
		d.noteTime(now)
		if p.lock {
			d.acquire(t, by, now)
		} else {
			d.endWait(t, by, false, now)
		}
	}
	p.close(t, by, now)
	p.marked = mark{}
}

// notifyWaiter writes that u has unparked the thread t, which waits, unless u is nil or is itself suspended in the
// trace. It reports whether it is written.
func (d *Drainer) notifyWaiter(u, t *thread, now int64) bool {
	if u == nil || u.State.Suspended() {
		return false
	}
	u.latest = max(now, u.latest)
	d.noteTime(u.latest)
	blocker := t.parks.blocker
	d.advance(u, threadstate.Act, blocker, u.latest)
	inner := appendIDs(append(d.scratch.annotation[:0], parkWait...), "wakes", t.id)
	d.scratch.annotation = inner
	d.write(callNotify, inner, trcxml.Number(u.id), trcxml.Number(u.latest), trcxml.Number(blocker), flag(false))
	return true
}
