package drain

import (
	"math"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// parks is the state of a thread that has parked: called LockSupport.park or the like. A park on a lock is part of a
// block, which lasts until the thread has acquired the lock or has given up; any other park is a wait.
type parks struct {
	park                // the open one, or the last
	acquiring    int64  // the lock of the open block; 0 for none
	owner        int64  // the lock's owner, as the trace has it; 0 for none
	endedBy      author // who ended the last park on that lock
	permitNew    bool   // the thread's permit came in the open park, after the unpark that had ended it
	merged       author // who last unparked the thread while it had a permit
	mergedNew    bool   // likewise in the open park
	permitObject int64  // the object of parks without a blocker; 0 before the first
	marked       mark   // the signal that has removed it from a condition
}

// park is one park. Times are in nanoseconds since the Unix epoch.
type park struct {
	open        bool   // its Parked has not come
	lock        bool   // the blocker is a lock
	io          bool   // it is for input or output, see polledFor: whoever unparks it has not ended that
	existed     bool   // it began before the recording, and no Parked will come
	interrupted bool   // the interrupt flag was set when it began
	absolute    bool   // the deadline is a time of the wall clock
	permitted   bool   // the thread had a permit when it began
	notified    bool   // the callNotify of woken is written
	blocker     int64  // an object's id: the permit object's if the park has no blocker
	since       int64  // when it began
	deadline    int64  // when it times out; 0 for never
	woken       author // who has unparked the thread in it
}

// author is the id of a thread that has unparked another. Ids of threads are not used again.
type author int64

const (
	nobody   author = 0
	stranger author = -1 // a thread that the trace does not have
)

const (
	// shortPark is the longest duration of a park that an existing permit ends.
	shortPark = int64(2 * time.Microsecond)
	// clockError is how much the wall clock can differ from the trace's clock, which does not follow its corrections.
	clockError = int64(time.Millisecond)
)

// parkBegins handles Park. Parks within a sleep, or within the join of a virtual thread, are part of it.
func (d *Drainer) parkBegins(t *thread, r *ring.Record, now int64) {
	existed := r.Flags&ring.Existed != 0
	if existed && t.State.Suspended() || t.State == threadstate.Waiting && !t.inPark() {
		return
	}
	if t.parks == nil {
		t.parks = new(parks)
	}
	p := t.parks
	info := r.CutParkInfo()
	p.park = park{
		open: true, lock: d.blockers.isLock(r, info.Owner), existed: existed,
		interrupted: r.Flags&ring.Interrupted != 0, absolute: r.Flags&ring.Absolute != 0,
		permitted: t.permit != nobody,
		blocker:   d.blocker(t, r, now), since: now, deadline: deadline(r, now),
	}
	p.permitNew, p.mergedNew = false, false
	if p.marked.condition != p.blocker {
		p.marked = mark{}
	}
	if p.lock {
		d.blockOnLock(t, r, &info, now)
	} else {
		d.waitForUnpark(t, r, &info, now)
	}
}

// inPark reports whether the thread is in a park that has its own elements.
func (t *thread) inPark() bool { return t.parks != nil && t.parks.open }

// deadline returns when the park that begins now times out; 0 for never.
func deadline(r *ring.Record, now int64) int64 {
	switch {
	case r.Flags&ring.Absolute != 0:
		return min(max(r.Argument, 1), math.MaxInt64/int64(time.Millisecond)) * int64(time.Millisecond)
	case r.Argument > 0:
		return now + min(r.Argument, math.MaxInt64-now)
	}
	return 0
}

// waitForUnpark writes the begin of a wait. Its object can be a condition of a lock.
func (d *Drainer) waitForUnpark(t *thread, r *ring.Record, info *ring.ParkInfo, now int64) {
	p := t.parks
	d.advance(t, threadstate.Wait, p.blocker, now)
	t.timeout, t.since, t.existed, t.awakened = 0, now, p.existed, false
	frames, inner := d.frames(r), d.scratch.annotation[:0]
	operation, polls := d.polledFor(t, frames)
	p.io = polls
	if operation != trace.NoIO {
		inner = appendAnnotation(inner, trace.NoteIO, operation.String())
	} else if inner = append(inner, parkWait...); info.Lock != 0 {
		inner = appendIDs(inner, trace.NoteLock, info.Lock)
	}
	inner = d.appendFrames(appendTimeout(inner, r, &p.park), stackBegin, frames)
	d.scratch.annotation = inner
	if p.existed && p.deadline == 0 { // its timeout, if it has one, is unknown
		d.write(wait, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(p.blocker))
		return
	}
	if p.deadline > 0 {
		t.timeout = max(1, (p.deadline-now+int64(time.Millisecond)-1)/int64(time.Millisecond))
	}
	d.write(waitTimed, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(p.blocker),
		trcxml.Number(t.timeout))
}

// parkEnds handles Parked.
func (d *Drainer) parkEnds(t *thread, r *ring.Record, now int64) {
	p := t.parks
	if r.Flags&ring.Existed != 0 {
		d.existingEnds(t, r.Object, now)
		return
	}
	if p == nil || !p.open {
		if t.State == threadstate.Waiting { // the park is part of a sleep or a join
			t.permit = nobody
		} else {
			d.summary.Strays++
		}
		return
	}
	t.used = r.Argument
	by, timedOut := p.cause(t.permit, r.Flags&ring.Interrupted != 0, now)
	switch {
	case p.lock:
		p.endedBy = by
	case t.State == threadstate.Waiting && int64(t.Object) == p.blocker:
		d.endWait(t, by, timedOut, now)
	}
	p.close(t, by, now)
	p.marked = mark{}
}

// existingEnds ends a park with a timeout from before the recording. The agent has seen that it is over; nobody has
// unparked the thread, so its time was over.
func (d *Drainer) existingEnds(t *thread, blocker, now int64) {
	p := t.parks
	if p == nil || !p.open || !p.existed || p.blocker != blocker {
		return // the thread has done something since
	}
	if t.acquires(blocker) {
		d.giveUp(t, "timeout", now)
	} else if t.State == threadstate.Waiting && int64(t.Object) == blocker {
		d.endWait(t, nobody, true, now)
	}
	p.close(t, nobody, now)
	p.marked = mark{}
}

// cause returns the thread that ended the park that ends now, or none, and whether its time was over. The first of
// these that applies has ended it: an unpark; an interrupt; its timeout; the permit or interrupt flag that it found; an
// earlier unpark, whose thread was delayed in it.
func (p *parks) cause(permit author, interrupted bool, now int64) (by author, timedOut bool) {
	switch {
	case p.woken != nobody && !p.endedByPermit(now):
		return p.woken, false
	case p.woken == nobody && interrupted && !p.interrupted:
		return nobody, false
	case p.woken == nobody && p.isOver(now):
		return nobody, true
	case p.permitted && p.lock && permit != author(p.owner): // the owner had not released the lock yet
		return permit, false
	case p.permitted || p.interrupted:
		return nobody, false
	}
	return p.merged, false
}

// endedByPermit reports whether the thread's earlier permit, and not an unpark in the park, ends the park at the time.
func (p *park) endedByPermit(now int64) bool { return p.permitted && now-p.since < shortPark }

// isOver reports whether the park's timeout is over.
func (p *park) isOver(now int64) bool {
	return p.deadline > 0 && (now >= p.deadline || p.absolute && now >= p.deadline-clockError)
}

// close ends the park. That uses up the permit, unless it is for the next park.
func (p *parks) close(t *thread, by author, now int64) {
	switch {
	case p.woken != nobody && p.endedByPermit(now):
		t.permit = p.woken
	case p.permitted:
		t.permit = nobody
	}
	if by != nobody && !p.mergedNew {
		p.merged = nobody
	}
	p.open = false
}

// endWait writes the end of a wait. The wait of a thread that a signal has removed from a condition did not time out;
// by is then the thread that released the condition's lock.
func (d *Drainer) endWait(t *thread, by author, timedOut bool, now int64) {
	p := t.parks
	inner := d.scratch.annotation[:0]
	if p.marked.condition == p.blocker {
		d.closeSignal(d.live(p.marked.signaller))
		if by != nobody && by != stranger {
			inner = appendIDs(inner, trace.NoteLockFrom, int64(by))
		}
		timedOut = false
	} else if by != nobody && !p.notified && !p.io {
		d.notifyWaiter(d.live(int64(by)), t, now)
	}
	inner = d.withCPU(t, inner)
	d.advance(t, threadstate.Waited, p.blocker, now)
	if p.existed {
		d.write(waitEnded, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(p.blocker))
		return
	}
	duration := (now - t.since) / int64(time.Millisecond)
	d.write(waited, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(p.blocker),
		trcxml.Number(duration), flag(timedOut))
}
