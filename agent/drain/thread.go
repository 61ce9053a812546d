package drain

import (
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
)

// thread is a thread between its threadStart and its threadEnd.
type thread struct {
	id      int64 // noThread once it has ended
	virtual bool
	stands  standing
	object  int64 // the monitor, or ring.Sleep
	timeout int64 // of the open wait, in milliseconds
	since   int64 // when the open wait began, or when the one that it has returned from ended
	latest  int64 // when the thread did something last; times are in nanoseconds since the Unix epoch
	existed bool  // the open wait began before the recording
	roused  bool  // its sleep has ended in the trace, before the record of that came
	address
}

// standing is what a thread does, as the trace tells it.
type standing uint8

const (
	runs     standing = iota
	returned          // runs, and has done nothing since its monWaited
	blocked           // on a monitor
	waits             // on a monitor, or sleeps
)

// noThread is no thread's id: those in records have 48 bits, and no sign.
const noThread = -1

// suspended says whether the thread stands still.
func (t *thread) suspended() bool { return t.stands >= blocked }

// threads has those that live.
type threads struct {
	live  map[int64]*thread
	spare []*thread // to be used again
}

const mostSpare = 1 << 10

func newThreads() threads { return threads{live: map[int64]*thread{}} }

func (x *threads) admit(id int64) *thread {
	t := &thread{}
	if last := len(x.spare) - 1; last >= 0 {
		t, x.spare = x.spare[last], x.spare[:last]
	}
	*t = thread{id: id}
	x.live[id] = t
	return t
}

func (x *threads) bury(t *thread) {
	delete(x.live, t.id)
	t.id = noThread
	if len(x.spare) < mostSpare {
		x.spare = append(x.spare, t)
	}
}

// start begins a thread. A JVM tells of some threads twice; the second time may know better where the thread stands in
// memory.
func (d *Drainer) start(r *ring.Record) {
	if r.Thread == 0 {
		d.summary.Strays++
		return
	}
	info := r.ThreadInfo()
	t := d.threads.live[r.Thread]
	if t != nil {
		d.addresses.learn(t, &info)
		return
	}
	t = d.threads.admit(r.Thread)
	t.virtual = r.Flags&ring.Virtual != 0
	t.latest = d.moment(r.Time)
	d.addresses.learn(t, &info)
	d.at(t.latest)
	names := d.names(info.Name, info.Group, info.Parent)
	d.write(threadStart, nil, trcxml.Number(t.id), trcxml.Number(t.latest), names[0], names[1], names[2],
		trcxml.Number(r.Object))
}

// end ends a thread, whatever it does.
func (d *Drainer) end(t *thread, _ *ring.Record, now int64) {
	d.write(threadEnd, nil, trcxml.Number(t.id), trcxml.Number(now))
	d.addresses.forget(t)
	d.threads.bury(t)
}
