package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
)

// deeds has what is done with a record, by its kind: as the deed of a living thread, at a time that is not before what
// the thread did last, or without regard to any.
var deeds = [256]struct {
	by    func(d *Drainer, t *thread, r *ring.Record, now int64)
	alone func(d *Drainer, r *ring.Record)
}{
	ring.ThreadStart:       {alone: (*Drainer).start},
	ring.ThreadEnd:         {by: (*Drainer).end},
	ring.ContendedEnter:    {by: (*Drainer).enter},
	ring.ContendedEntered:  {by: (*Drainer).entered},
	ring.Wait:              {by: (*Drainer).wait},
	ring.Waited:            {by: (*Drainer).waited},
	ring.CallStart:         {by: calls(callStart)},
	ring.CallInterrupt:     {by: calls(callInterrupt)},
	ring.CallNotify:        {by: (*Drainer).notify},
	ring.ThreadInterrupted: {by: (*Drainer).interrupted},
	ring.GCStart:           {alone: happens(gcStart)},
	ring.GCFinish:          {alone: happens(gcFinish)},
	ring.Shutdown:          {alone: happens(shutdown)},
	ring.InitDone:          {alone: (*Drainer).initDone},
}

// happens is for what no thread does.
func happens(shape shape) func(*Drainer, *ring.Record) {
	return func(d *Drainer, r *ring.Record) {
		now := d.moment(r.Time)
		d.at(now)
		d.write(shape, nil, trcxml.Number(now))
	}
}

func (d *Drainer) initDone(r *ring.Record) {
	if d.threads.live[r.Thread] == nil {
		happens(initDone)(d, r)
		return
	}
	now := d.moment(r.Time)
	d.at(now)
	d.write(initDoneBy, nil, trcxml.Number(r.Thread), trcxml.Number(now))
}

// calls is for what a thread does to another one.
func calls(shape shape) func(*Drainer, *thread, *ring.Record, int64) {
	return func(d *Drainer, t *thread, r *ring.Record, now int64) {
		d.act(t, now)
		d.write(shape, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object))
	}
}

func (d *Drainer) notify(t *thread, r *ring.Record, now int64) {
	d.act(t, now)
	d.write(callNotify, d.stack(r), trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(r.Object),
		flag(r.Flags&ring.All != 0))
}

// interrupted: the InterruptedException of a sleep is made before the sleep returns; that of a wait, after.
func (d *Drainer) interrupted(t *thread, r *ring.Record, now int64) {
	switch {
	// a sleep, or the join of a virtual thread, whose ends are not told before; or the record of the end was lost
	case t.stands == waits:
		d.leave(t, now, false)
		t.roused = t.object == ring.Sleep
	case t.stands == blocked:
		d.mend(t, now)
	}
	d.write(threadInterrupted, d.stack(r), trcxml.Number(t.id), trcxml.Number(now))
}

// act is for what only a thread that runs can do.
func (d *Drainer) act(t *thread, now int64) {
	d.mend(t, now)
	t.stands = runs
}

func flag(is bool) trcxml.Value {
	if is {
		return trcxml.Number(1)
	}
	return trcxml.Number(0)
}
