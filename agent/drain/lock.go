package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// blockOnLock writes that the thread blocks on a lock. If it is already blocked, because another thread acquired the
// lock first, it writes an element only for a new owner.
func (d *Drainer) blockOnLock(t *thread, r *ring.Record, info *ring.ParkInfo, now int64) {
	p := t.parks
	owner := d.lockOwner(t, info)
	inner := append(d.scratch.annotation[:0], parkLock...)
	if t.acquires(p.blocker) {
		if owner == p.owner {
			return
		}
		inner = append(inner, again...)
	} else {
		d.advance(t, threadstate.Enter, p.blocker, now)
		p.acquiring, p.endedBy = p.blocker, nobody
	}
	p.owner = owner
	inner = d.appendStack(appendTimeout(inner, r, &p.park), r)
	d.scratch.annotation = inner
	d.write(enterOwned, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(p.blocker), trcxml.Number(owner))
}

// acquires reports whether the thread's open block is on the lock.
func (t *thread) acquires(lock int64) bool {
	return t.State == threadstate.Blocked && t.parks != nil && t.parks.acquiring == lock && int64(t.Object) == lock
}

// lockOwner returns the id of the park owner, the thread that owns the lock for which a thread parks: another live
// thread, or 0.
func (d *Drainer) lockOwner(t *thread, info *ring.ParkInfo) int64 {
	if owner := d.live(info.Owner); owner != nil && owner != t {
		return owner.id
	}
	return 0
}

// acquired handles Acquired: the thread has acquired a lock, or has given up. It ignores a virtual thread that has not
// blocked, and a synchronizer that is not a lock.
func (d *Drainer) acquired(t *thread, r *ring.Record, now int64) {
	switch {
	case t.parks == nil || t.parks.acquiring == 0:
	case !t.acquires(r.Object):
		if t.acquires(t.parks.acquiring) {
			d.closeState(t, now) // an Error ended the method that acquires the lock
		}
		t.parks.acquiring = 0
	case r.Argument > 0:
		d.acquire(t, t.parks.endedBy, now)
	case r.Argument == 0:
		d.giveUp(t, "timeout", now)
	default:
		d.giveUp(t, "interrupt", now)
	}
}

// acquire writes that the thread has acquired its lock, after a park that the author, if any, ended.
func (d *Drainer) acquire(t *thread, by author, now int64) {
	inner := d.scratch.annotation[:0]
	if by != nobody && by != stranger && by != author(t.id) {
		inner = appendIDs(inner, trace.NoteCausedBy, int64(by))
	}
	d.endBlock(t, inner, now)
}

// giveUp writes that the thread has stopped waiting for its lock.
func (d *Drainer) giveUp(t *thread, reason string, now int64) {
	d.endBlock(t, appendAnnotation(d.scratch.annotation[:0], trace.NoteGaveUp, reason), now)
}

func (d *Drainer) endBlock(t *thread, inner []byte, now int64) {
	inner = d.withCPU(t, inner)
	lock := t.parks.acquiring
	t.parks.acquiring = 0
	d.advance(t, threadstate.Entered, lock, now)
	d.write(entered, inner, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(lock))
}
