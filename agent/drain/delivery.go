package drain

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// delivery buffers the text for the output.
type delivery struct {
	out     output.Writer
	segment *ring.Segment
	clock   stallClock

	text    []byte    // whole lines that the output has not accepted
	flushed time.Time // when the output last got text
	number  uint64    // of the next flush
	stalled bool      // the output has not accepted all; nothing may be appended until it has
	stopped error     // the error after which nothing more is written
	left    int       // how often the output may still stall; negative for no limit

	counts, written counts // including the text, and without it
	refused         []byte // the text of the write that has failed
}

// counts has the number of events and the latest time of the trace up to some point.
type counts struct {
	events [trace.KindCount]uint64
	last   int64 // time, in nanoseconds since the Unix epoch
}

const (
	flushAt = 128 << 10
	// textSize is the size of text that causes a flush; the text is at most one line longer.
	textSize = flushAt + 64<<10
	// maxStalls is how often an output may stall when the trace ends. Each time lasts a second or so.
	maxStalls = 3
)

func newDelivery(segment *ring.Segment, out output.Writer) delivery {
	return delivery{out: out, segment: segment, text: make([]byte, 0, textSize), flushed: time.Now(), left: -1}
}

// full reports whether the text is to be flushed.
func (d *delivery) full() bool { return len(d.text) >= flushAt }

// open reports whether more can be appended.
func (d *delivery) open() bool { return !d.stalled && d.stopped == nil }

// ready tries a stalled output again, and reports whether more can be appended.
func (d *delivery) ready() bool {
	if d.stalled {
		d.flush()
	}
	return d.open()
}

// limitStalls limits the waiting for the output, because the trace ends.
func (d *delivery) limitStalls() { d.left = maxStalls }

// flushOld flushes text that has waited for maxAge.
func (d *delivery) flushOld() {
	if len(d.text) > 0 && time.Since(d.flushed) >= maxAge {
		d.flush()
	}
}

// flush writes the text to the output, again and again if it stalls when the trace ends.
func (d *delivery) flush() {
	d.write()
	for d.stalled && d.left > 0 {
		d.left--
		d.write()
	}
}

// write writes the text to the output once.
func (d *delivery) write() {
	if len(d.text) == 0 || d.stopped != nil {
		return
	}
	d.number++
	d.clock.start(d.segment)
	err := d.out.Write(d.text)
	d.flushed = time.Now()
	if err != nil && d.stall(err) {
		return // producers still drop records instead of waiting
	}
	if d.stopped = err; err == nil {
		d.written = d.counts
	} else {
		d.refused = slices.Clone(d.text)
	}
	d.text, d.stalled = d.text[:0], false
	d.clock.stop(d.segment)
}

// stall keeps the text that a slow output has not accepted, and reports whether it is to be tried again.
func (d *delivery) stall(err error) bool {
	var slow *output.Stalled
	d.stalled = errors.As(err, &slow) && d.left != 0
	if d.stalled {
		d.text = d.text[:copy(d.text, d.text[min(slow.Written, len(d.text)):])]
	}
	return d.stalled
}

// close ends the trace.
func (d *delivery) close(ending []byte) {
	if err := d.out.Close(ending); d.stopped == nil {
		d.stopped = err
	}
	d.countRefused()
	d.discountReplaced()
}

// countRefused counts the elements of the failed write that are in the file nevertheless: a disk that becomes full has
// accepted some of them. The preamble's elements do not count.
func (d *delivery) countRefused() {
	var stopped *output.Stopped
	if !errors.As(d.stopped, &stopped) {
		return
	}
	for kind := range kinds(d.refused[:min(stopped.Written, len(d.refused))]) {
		switch kind {
		case trace.Foreign, trace.Node, trace.ProcessCreate, trace.AgentCreate, trace.TraceStart, trace.Filter,
			trace.Option:
		default:
			d.written.events[kind]++
		}
	}
}

// discountReplaced subtracts the elements that the ending of the trace has replaced.
func (d *delivery) discountReplaced() {
	out, ok := d.out.(output.Replacer)
	if !ok {
		return
	}
	for kind := range kinds(out.Replaced()) {
		if n := &d.written.events[kind]; *n > 0 { // the preamble's elements are not counted
			*n--
		}
	}
}

// kinds iterates over the kinds of the elements in lines of a trace, one a line.
func kinds(lines []byte) iter.Seq[trace.Kind] {
	return func(yield func(trace.Kind) bool) {
		for line := range bytes.Lines(lines) {
			name := bytes.TrimPrefix(line, []byte("<"))
			if !yield(trace.Lookup(name[:max(bytes.IndexAny(name, " />"), 0)])) {
				return
			}
		}
	}
}

// stallClock stops producers from waiting for a full ring while a write takes long.
type stallClock struct {
	mutex sync.Mutex
	timer *time.Timer
	runs  bool
}

// writePatience is how long producers may wait for the output.
const writePatience = 100 * time.Millisecond

func (c *stallClock) start(segment *ring.Segment) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs = true
	if c.timer == nil {
		c.timer = time.AfterFunc(writePatience, func() { c.expire(segment) })
	} else {
		c.timer.Reset(writePatience)
	}
}

// expire is called when the time is over, possibly after the write.
func (c *stallClock) expire(segment *ring.Segment) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.runs {
		segment.SetStalled(true)
	}
}

func (c *stallClock) stop(segment *ring.Segment) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs = false
	c.timer.Stop()
	segment.SetStalled(false)
}
