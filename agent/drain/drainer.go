package drain

import (
	"context"
	"time"

	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/emit/trcxml"
	"github.com/trcx/trcx/trace"
)

// Drainer turns the records of one segment into one trace.
type Drainer struct {
	segment  *ring.Segment
	preamble Preamble
	shows    Shows
	delivery delivery
	forms    forms

	begun    bool
	epoch    int64 // to be added to the times of the rings
	patience time.Duration
	room     int // for records outside of their rings: mostKept

	sources []*source
	heap    heap
	kept    int // records that wait outside of their rings
	record  ring.Record

	threads     threads
	addresses   addresses
	definitions definitions
	returns     returns

	annotation         []byte // room to work in, as all of these
	frames             []ring.Frame
	inserted           []byte
	java, xml, escaped []byte

	lost     uint64 // records, since the trace has told it last
	ringless uint64 // of the segment's, what was counted
	summary  Summary
}

// Shows says whether frames of the method are shown in call stacks. Names are the JVM's: java/lang/Object, <init>.
type Shows func(class, method string) bool

const (
	// patience is how long the others' records wait for a thread that has begun to publish one and does not get on with
	// it.
	patience = 50 * time.Millisecond
	// pause is how long nothing is done when there is little to do. A ring that fills up ends it.
	pause = 20 * time.Millisecond
	// oldest is how long text waits for more at the end of a round. With a pause that makes 50 ms.
	oldest = 30 * time.Millisecond
	// many is how many records of a round say that the next should follow at once.
	many = 512
)

// New returns a Drainer. Of call stacks it writes the frames of the methods that are shown; nil shows all.
func New(segment *ring.Segment, outlet Outlet, preamble Preamble, shows Shows) *Drainer {
	return &Drainer{
		segment: segment, preamble: preamble, shows: shows, patience: patience, room: mostKept,
		delivery: newDelivery(segment, outlet), forms: newForms(),
		threads: newThreads(), addresses: newAddresses(), definitions: newDefinitions(),
	}
}

// Run writes the trace, until the recording ends, the context is done, which says that nothing more will be published,
// or nothing more can be written. In each case the outlet is closed.
func (d *Drainer) Run(ctx context.Context) *Summary {
	for ctx.Err() == nil && d.delivery.stopped == nil && d.segment.Phase() != ring.Ended {
		if d.round() < many {
			d.segment.Sleep(pause)
		}
	}
	return d.finish()
}

// round writes what can be written by now, and returns how many records that were.
func (d *Drainer) round() (taken int) {
	if !d.delivery.ready() || !d.begin() {
		return 0
	}
	patience := d.patience
	if d.kept >= d.room {
		patience = 0
	}
	rings, safe := d.segment.Snapshot(ring.Now, patience.Nanoseconds())
	d.define()
	taken = d.merge(rings, safe)
	taken += d.keep()
	d.countLost(rings)
	d.delivery.flushOld()
	return taken
}

// begin writes the preamble once the JVM is there, and says whether it has been written.
func (d *Drainer) begin() bool {
	if !d.begun && d.segment.PID() != 0 {
		d.introduce()
	}
	return d.begun
}

// finish writes all that was ever published and the end of the trace.
func (d *Drainer) finish() *Summary {
	d.segment.Stop()
	d.delivery.hasten()
	if d.delivery.ready() && !d.begun {
		d.introduce()
	}
	rings, _ := d.segment.Snapshot(ring.Now, 0)
	d.define()
	d.merge(rings, ring.Now()+1)
	if d.delivery.open() {
		d.summary.Unknown += uint64(len(d.heap)) // of times that are yet to come
	}
	d.countLost(rings)
	d.delivery.flush()
	d.delivery.close(d.ending())
	return d.summarise()
}

// introduce writes the preamble.
func (d *Drainer) introduce() {
	d.begun = true
	d.epoch = d.segment.Epoch()
	d.summary.First = trace.Time(d.moment(d.segment.Started()))
	d.delivery.text = d.preamble.appendTo(d.delivery.text, d.segment.PID(), d.summary.First)
}

// moment is a time of the rings in nanoseconds since the Unix epoch.
func (d *Drainer) moment(time int64) int64 { return max(0, time+d.epoch) }

// ending closes the trace.
func (d *Drainer) ending() []byte {
	latest := max(d.delivery.written.last, int64(d.summary.First))
	if ended := d.segment.Ended(); ended > 0 && d.delivery.stopped == nil {
		latest = max(latest, d.moment(ended))
	}
	d.summary.Last = trace.Time(latest)
	return d.preamble.ending(d.summary.Last)
}

// define writes the definitions that are there.
func (d *Drainer) define() {
	published := d.segment.Definitions()
	for _, ok := published.Peek(); ok; _, ok = published.Peek() {
		published.Read(&d.record)
		if define := defining[d.record.Kind]; define != nil {
			define(d, &d.record)
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

// merge writes the records before the time, oldest first, and returns how many they were.
func (d *Drainer) merge(rings []*ring.Ring, before int64) (taken int) {
	d.gather(rings)
	for len(d.heap) > 0 && d.heap[0].time < before && d.delivery.open() {
		taken += d.run(min(before, d.heap.second()))
	}
	for _, waiting := range d.heap {
		waiting.source.ring.Consume()
	}
	return taken
}

// gather puts all rings with records on the heap, and frees those that are done.
func (d *Drainer) gather(rings []*ring.Ring) {
	for number := len(d.sources); number < len(rings); number++ {
		d.sources = append(d.sources, &source{ring: rings[number], number: number})
	}
	d.heap = d.heap[:0]
	for number, ring := range rings {
		if ring.Waiting() == 0 {
			ring.Release()
			if d.kept == 0 {
				continue
			}
		}
		if time, ok := d.sources[number].peek(); ok {
			d.heap = append(d.heap, turn{time, d.sources[number]})
		}
	}
	d.heap.order()
}

// run writes records of the source whose turn it is, as long as they are older than all others, and returns how many.
func (d *Drainer) run(before int64) (taken int) {
	s := d.heap[0].source
	for {
		if s.read(&d.record) {
			d.kept--
		}
		d.take(s, &d.record)
		taken++
		time, ok := s.peek()
		switch {
		case !ok:
			s.ring.Consume()
			d.heap.drop()
			return taken
		case d.delivery.full():
			d.deliver()
			d.heap.put(time)
			return taken
		case time >= before:
			d.heap.put(time)
			return taken
		}
	}
}

// deliver gives the text to the outlet, once the producers have room again.
func (d *Drainer) deliver() {
	for _, waiting := range d.heap {
		waiting.source.ring.Consume()
	}
	d.delivery.flush()
}

// take writes the record, if it can be.
func (d *Drainer) take(s *source, r *ring.Record) {
	deed := &deeds[r.Kind]
	if deed.alone != nil {
		deed.alone(d, r)
		return
	}
	if deed.by == nil {
		d.summary.Unknown++
		return
	}
	t := s.last
	if t == nil || t.id != r.Thread {
		if t = d.threads.live[r.Thread]; t == nil {
			d.summary.Strays++
			return
		}
		s.last = t
	}
	now := max(d.moment(r.Time), t.latest)
	t.latest = now
	d.at(now)
	deed.by(d, t, r, now)
}

// write appends an element, with a call stack if there is one.
func (d *Drainer) write(shape shape, stack []byte, values ...trcxml.Value) {
	form := d.forms[shape]
	d.delivery.text = form.AppendAround(d.delivery.text, stack, values...)
	d.delivery.counts.events[form.Kind()]++
}

// at notes that something was written about a time.
func (d *Drainer) at(now int64) { d.delivery.counts.last = max(d.delivery.counts.last, now) }
