package drain

import (
	"bytes"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
)

// thread is a thread between its threadStart and its threadEnd. Times are in nanoseconds since the Unix epoch.
type thread struct {
	id                 int64 // noThread once it has ended
	object             int64 // the Thread object
	virtual            bool
	unparker           bool   // its unparks are timeouts of the threads that it unparks
	threadstate.Thread        // as the trace shows it; the object is a record's, ring.Sleep included
	timeout            int64  // of the open wait, in milliseconds
	since              int64  // when the open wait began, or the previous wait ended
	latest             int64  // time of the thread's last event
	existed            bool   // the open wait began before the recording
	awakened           bool   // the trace has the end of its sleep, whose record has not come yet
	interrupts         int64  // the Thread object that its last record, a CallInterrupt, names; 0 for none
	used               int64  // its CPU time in nanoseconds, if that is to be written with the end of its wait; else 0
	heldAt             uint64 // a hash of the owner's stack, as the trace has it, while the thread is blocked
	permit             author
	parks              *parks  // nil before its first park
	signal             *signal // its last signal; nil before the first
	calls              []openCall
	address
}

// noThread is the id of no thread: ids in records have 48 bits and no sign.
const noThread = -1

// live returns the live thread of the id, or nil.
func (d *Drainer) live(id int64) *thread { return d.threads.Get(threadstate.Key(id)) }

// threadStart begins a thread. A JVM posts some ThreadStarts twice; the second may have the thread's addresses.
func (d *Drainer) threadStart(r *ring.Record) {
	if r.Thread == 0 {
		d.summary.Strays++
		return
	}
	info := r.ThreadInfo()
	t := d.live(r.Thread)
	if t != nil {
		d.addresses.learn(t, &info)
		return
	}
	t = d.threads.Add(threadstate.Key(r.Thread))
	*t = thread{id: r.Thread, object: r.Object, virtual: r.Flags&ring.Virtual != 0,
		unparker: bytes.HasPrefix(info.Name, []byte(unparkerName)), latest: d.traceTime(r.Time)}
	d.addresses.learn(t, &info)
	d.usage.start(t, r.Argument)
	d.noteTime(t.latest)
	names := d.names(info.Name, info.Group, info.Parent)
	d.scratch.annotation = appendCPU(d.scratch.annotation[:0], r.Argument)
	d.write(threadStart, d.scratch.annotation, trcxml.Number(t.id), trcxml.Number(t.latest), names[0], names[1],
		names[2], trcxml.Number(r.Object))
}

// threadEnd ends a thread, whatever its state.
func (d *Drainer) threadEnd(t *thread, r *ring.Record, now int64) {
	d.cpuUsed(t, r, now)
	d.endCalls(t, 0, now)
	d.write(threadEnd, nil, trcxml.Number(t.id), trcxml.Number(now))
	d.addresses.forget(t)
	d.threads.Remove(threadstate.Key(t.id), true)
	t.id = noThread
}

// advance passes an event on an object to the thread's state, and writes the end of an open wait or block that the
// event does not fit. It returns the state in which the event then found the thread, and whether the event fits it; if
// not, the record is to be dropped.
func (d *Drainer) advance(t *thread, in threadstate.Input, object, now int64) (before threadstate.State, fits bool) {
	key := threadstate.Key(object)
	step := t.Next(in, t.Object == key)
	if step.Fit != threadstate.OK && t.State.Suspended() {
		d.closeState(t, now)
		step = t.Next(in, t.Object == key)
	}
	if step.Fit != threadstate.OK {
		d.summary.Strays++
		return t.State, false
	}
	before = t.State
	t.Apply(in, step, key)
	return before, true
}

// closeState writes the missing end of the thread's wait or block: its record was lost, or never published, because the
// sleep began before the recording.
func (d *Drainer) closeState(t *thread, now int64) {
	object := int64(t.Object)
	if t.State == threadstate.Blocked {
		d.write(entered, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(object))
		d.advance(t, threadstate.Entered, object, now)
	} else {
		d.write(waitEnded, nil, trcxml.Number(t.id), trcxml.Number(now), trcxml.Number(object))
		d.advance(t, threadstate.Waited, object, now)
		d.noteReturn(t, now)
	}
	d.summary.Repaired++
}
