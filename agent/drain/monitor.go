package drain

import (
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
)

// enter blocks a thread. That one was blocked before is old news if its own records have come.
func (d *Drainer) enter(t *thread, r *ring.Record, now int64) {
	if r.Flags&ring.Existed != 0 && t.suspended() {
		return
	}
	d.mend(t, now)
	if owner := d.owner(t, r); owner != nil {
		d.write(enterOwned, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
			trcxml.Number(owner.id))
	} else {
		d.write(enter, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
	t.stands, t.object = blocked, r.Object
}

// entered lets a thread in.
func (d *Drainer) entered(t *thread, r *ring.Record, now int64) {
	if t.stands == waits || t.stands == blocked && t.object != r.Object {
		d.mend(t, now)
	}
	switch {
	case t.stands == blocked:
	case t.stands == returned && t.object == r.Object:
		d.insertEnter(t)
	default:
		d.summary.Strays++
		return
	}
	d.write(entered, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	t.stands = runs
}

// wait lets a thread wait, or sleep.
func (d *Drainer) wait(t *thread, r *ring.Record, now int64) {
	if r.Flags&ring.Existed != 0 && t.suspended() {
		return
	}
	d.mend(t, now)
	if r.Argument >= 0 {
		d.write(waitTimed, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
			trcxml.Number(r.Argument))
	} else {
		d.write(wait, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
	t.stands, t.object, t.timeout, t.since, t.roused = waits, r.Object, r.Argument, now, false
	t.existed = r.Flags&ring.Existed != 0
}

// waited ends a wait. That one ended which began before the recording is old news if the thread has done something
// since.
func (d *Drainer) waited(t *thread, r *ring.Record, now int64) {
	if r.Flags&ring.Existed != 0 && !(t.stands == waits && t.existed) {
		return
	}
	if t.roused && r.Object == ring.Sleep {
		t.roused = false
		return
	}
	if t.stands == blocked || t.stands == waits && t.object != r.Object {
		d.mend(t, now)
	}
	if t.stands != waits {
		d.summary.Strays++
		return
	}
	if t.existed { // why it has ended cannot be known
		d.write(waitEnded, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(t.object))
		d.returned(t, now)
		return
	}
	d.leave(t, now, r.Flags&ring.TimedOut != 0 && t.timeout != 0)
}

// leave ends the open wait of a thread.
func (d *Drainer) leave(t *thread, now int64, timedOut bool) {
	waitedFor := (now - t.since) / int64(time.Millisecond)
	d.write(waited, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(t.object), trcxml.Number(waitedFor),
		flag(timedOut))
	d.returned(t, now)
}

// mend ends what a thread stands still at, for it does something else. The record of the end was lost, or never was
// one: nobody saw the sleep begin.
func (d *Drainer) mend(t *thread, now int64) {
	switch t.stands {
	case blocked:
		d.write(entered, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(t.object))
		t.stands = runs
	case waits:
		d.write(waitEnded, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(t.object))
		d.returned(t, now)
	default:
		return
	}
	d.summary.Mended++
}

// returned notes that the monWaited of a thread has just been written.
func (d *Drainer) returned(t *thread, now int64) {
	t.stands, t.since = returned, now
	if t.virtual {
		d.returns.note(&d.delivery, t.id)
	}
}
