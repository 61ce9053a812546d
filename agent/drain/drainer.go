package drain

import (
	"context"
	"math"
	"time"

	"github.com/trcx/trcx/agent/flight"
	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/internal/threadstate"
	"github.com/trcx/trcx/trace"
)

// Drainer merges the records of one segment into one trace. It has a field for each stage that a record passes, and for
// the known threads, addresses and definitions.
type Drainer struct {
	// Samples, if not nil, returns the samples of methods that the JVM has taken, once it has ended the recording; java
	// is its release.
	Samples func(java int) (*flight.Samples, error)

	segment  *ring.Segment
	preamble Preamble
	shows    Shows
	delivery delivery
	encoders encoders

	started  bool  // the preamble is written
	epoch    int64 // to be added to the times of the rings
	patience time.Duration
	merger   merger

	threads     threadstate.Table[thread]
	addresses   addresses
	definitions definitions
	blockers    blockers
	allocations allocations
	returns     returns
	signallers  []*thread            // whose signals are open
	trees       map[int64][]callNode // the open nodes of the trees of calls that are being written, by thread
	tickets     int64                // of calls
	usage       usage

	scratch scratch
	losses  losses
	summary Summary
}

// scratch is memory that is used again for each record.
type scratch struct {
	record             ring.Record
	annotation         []byte
	waiters            []int64
	frames             []ring.Frame
	spans              []byte
	inserted           []byte
	java, xml, escaped []byte
}

// Shows reports whether stack traces include frames of the method. Names are the JVM's: java/lang/Object, <init>.
type Shows func(class, method string) bool

const (
	// patience is how long the records of other threads wait for a thread that is publishing a record.
	patience = 50 * time.Millisecond
	// pause is the time between two rounds if there is little to do. A ring that fills up ends it.
	pause = 20 * time.Millisecond
	// maxAge is how long text waits for more at the end of a round. With a pause that makes 50 ms.
	maxAge = 30 * time.Millisecond
	// busyRound is the number of records in a round after which the next round follows at once.
	busyRound = 512
)

// New returns a Drainer that writes to the output. Stack traces have the frames of the methods that shows selects; nil
// selects all.
func New(segment *ring.Segment, out output.Writer, preamble Preamble, shows Shows) *Drainer {
	return &Drainer{
		segment: segment, preamble: preamble, shows: shows, patience: patience, merger: merger{limit: maxHeld},
		delivery: newDelivery(segment, out), encoders: newEncoders(),
		addresses: newAddresses(), definitions: newDefinitions(), blockers: newBlockers(),
		allocations: newAllocations(preamble.Interval), trees: map[int64][]callNode{},
	}
}

// Run writes the trace until the recording ends, the context is done, after which nothing more is published, or the
// output fails. Then it closes the output.
func (d *Drainer) Run(ctx context.Context) *Summary {
	if d.Samples != nil {
		d.usage.begun = map[int64]int64{}
	}
	for ctx.Err() == nil && d.delivery.stopped == nil && d.segment.Phase() != ring.Ended {
		if d.round() < busyRound {
			d.segment.Sleep(pause)
		}
	}
	return d.finish()
}

// round writes the records that are complete by now, and returns their number.
func (d *Drainer) round() (written int) {
	if !d.delivery.ready() || !d.start() {
		return 0
	}
	patience := d.patience
	if d.merger.full() {
		patience = 0
	}
	rings, safe := d.segment.Snapshot(ring.Now, patience.Nanoseconds())
	d.define()
	written = d.merge(rings, safe)
	d.closeSignals(d.traceTime(safe) - maxSignal)
	d.writeLost()
	d.writeLosses(rings)
	d.delivery.flushOld()
	return written
}

// start writes the preamble once the recording has begun, and reports whether it is written. What the agent prepares
// before that takes seconds in a JVM that collects all the time, and is not in the trace.
func (d *Drainer) start() bool {
	if !d.started && d.segment.Phase() != ring.Waiting {
		d.writePreamble()
	}
	return d.started
}

// finish writes everything that was ever published and the end of the trace.
func (d *Drainer) finish() *Summary {
	d.segment.Stop()
	d.delivery.limitStalls()
	if d.delivery.ready() && !d.started {
		d.writePreamble()
	}
	rings, _ := d.segment.Snapshot(ring.Now, 0)
	d.define()
	d.merge(rings, ring.Now()+1)
	if d.delivery.open() {
		d.closeSignals(math.MaxInt64)
		d.summary.Unknown += uint64(len(d.merger.heap)) // their times are in the future
	}
	d.writeLost()
	d.writeLosses(rings)
	d.writeSamples()
	d.delivery.flush()
	d.delivery.close(d.ending())
	return d.summarise()
}

func (d *Drainer) writePreamble() {
	d.started = true
	d.epoch = d.segment.Epoch()
	d.summary.First = trace.Time(d.traceTime(d.segment.Started()))
	d.delivery.text = d.preamble.appendTo(d.delivery.text, d.segment.PID(), d.summary.First)
}

// traceTime returns a time of the rings in nanoseconds since the Unix epoch.
func (d *Drainer) traceTime(time int64) int64 { return max(0, time+d.epoch) }

// ending returns the end of the document. A killed JVM has not published when it ended: its end has just been noticed.
func (d *Drainer) ending() []byte {
	latest, ended := max(d.delivery.written.last, int64(d.summary.First)), d.segment.Ended()
	if d.delivery.refused != nil { // the file has a part of it
		latest = max(latest, d.delivery.counts.last)
	}
	if ended == 0 && d.segment.Phase() == ring.Recording {
		ended = ring.Now()
	}
	if ended > 0 && d.delivery.stopped == nil {
		latest = max(latest, d.traceTime(ended))
	}
	d.summary.Last = trace.Time(latest)
	return d.preamble.ending(d.summary.Last)
}

// define writes the definitions that are published.
func (d *Drainer) define() {
	published, record := d.segment.Definitions(), &d.scratch.record
	for _, ok := published.Peek(); ok; _, ok = published.Peek() {
		published.Read(record)
		if define := definers[record.Kind]; define != nil {
			define(d, record)
		} else {
			d.summary.Unknown++
		}
		if d.delivery.full() {
			published.Consume()
			d.delivery.flush()
		}
		if !d.delivery.open() {
			break
		}
	}
	published.Consume()
}

// merge writes the records before the time, oldest first, and returns their number.
func (d *Drainer) merge(rings []*ring.Ring, before int64) (written int) {
	m := &d.merger
	m.gather(rings)
	for len(m.heap) > 0 && m.heap[0].time < before && d.delivery.open() {
		written += d.drainFirst(min(before, m.heap.second()))
	}
	m.consume()
	return written
}

// drainFirst writes records of the first source, as long as they are older than before, and returns their number.
func (d *Drainer) drainFirst(before int64) (written int) {
	m, record := &d.merger, &d.scratch.record
	s := m.heap[0].source
	for {
		s.ring.Read(record)
		d.handle(s, record)
		written++
		time, ok := s.ring.Peek()
		switch {
		case !ok:
			s.ring.Consume()
			m.heap.drop()
			return written
		case d.delivery.full():
			m.consume() // before the flush, which can take long
			d.delivery.flush()
			m.heap.replaceFirst(time)
			return written
		case time >= before:
			m.heap.replaceFirst(time)
			return written
		}
	}
}

// handle writes the record, if it fits.
func (d *Drainer) handle(s *source, r *ring.Record) {
	if len(d.signallers) > 0 {
		d.closeSignals(d.traceTime(r.Time) - maxSignal)
	}
	h := &handlers[r.Kind]
	if h.global != nil {
		h.global(d, r)
		return
	}
	if h.thread == nil {
		d.summary.Unknown++
		return
	}
	t := s.last
	if t == nil || t.id != r.Thread {
		if t = d.live(r.Thread); t == nil {
			d.summary.Strays++
			return
		}
		s.last = t
	}
	now := max(d.traceTime(r.Time), t.latest)
	d.noteRecord(t, r, now)
	t.latest = now
	d.noteTime(now)
	h.thread(d, t, r, now)
}

// write appends an element, with a stack trace if there is one.
func (d *Drainer) write(id encoderID, stack []byte, values ...trcxml.Value) {
	form := d.encoders[id]
	d.delivery.text = form.AppendAround(d.delivery.text, stack, values...)
	d.delivery.counts.events[form.Kind()]++
}

// noteTime keeps the latest time that is written.
func (d *Drainer) noteTime(now int64) { d.delivery.counts.last = max(d.delivery.counts.last, now) }

// noteRecord ends what lasts until the thread's next record. Calls say nothing about waits.
func (d *Drainer) noteRecord(t *thread, r *ring.Record, now int64) {
	if r.Kind == ring.MethodEntry || r.Kind == ring.MethodExit {
		return
	}
	if isAct(r) {
		d.noteAct(t, r.Kind, now)
	}
	if r.Kind != ring.Signalled {
		d.closeSignal(t)
	}
}

// isAct reports whether the record's thread has published it. The agent's own thread publishes samples, and of waits
// from before the recording the begins and, late, some ends.
func isAct(r *ring.Record) bool {
	switch r.Kind {
	case ring.CPUUsed, ring.InitWait:
		return false
	case ring.ContendedEnter, ring.Wait, ring.Waited, ring.Park, ring.Parked:
		return r.Flags&ring.Existed == 0
	}
	return true
}

// noteAct ends what lasts until the thread's next act, of the kind. A wait that began before the recording is over
// then, though no record has told this: the wait can have timed out, or its end is published late.
func (d *Drainer) noteAct(t *thread, kind ring.Kind, now int64) {
	t.interrupts = 0
	existed := t.State == threadstate.Waiting && t.existed
	if existed && !t.inPark() && (kind == ring.Park || kind == ring.Unpark) { // else advance ends it
		t.latest = now
		d.noteTime(now)
		d.closeState(t, now)
	}
	if p := t.parks; p != nil && kind != ring.Park && kind != ring.Parked {
		if existed && p.open && p.existed && int64(t.Object) == p.blocker {
			t.latest = now
			d.noteTime(now)
			d.endWait(t, nobody, false, now)
		}
		p.open, p.marked = false, mark{}
	}
}
