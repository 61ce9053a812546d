package drain

import (
	"errors"
	"sync"
	"time"

	"github.com/trcx/trcx/agent/output"
	"github.com/trcx/trcx/agent/ring"
	"github.com/trcx/trcx/trace"
)

// Outlet is where the trace goes: an output.Writer.
type Outlet interface {
	// Write takes whole lines. The error is an *output.Stalled if what was not taken can be given again; after any
	// other, nothing more is written.
	Write(lines []byte) error
	// Close writes the ending behind what was written, also after an error, and makes room for it if need be.
	Close(ending []byte) error
}

// delivery is the text on its way to the outlet.
type delivery struct {
	outlet  Outlet
	segment *ring.Segment
	clock   stallClock

	text    []byte    // whole lines that the outlet has not taken
	flushed time.Time // when it was given some last
	number  uint64    // of the next flush
	stalled bool      // the outlet has not taken all; nothing may be appended until it has
	stopped error     // why nothing more is written
	left    int       // how often it may still stall; below 0 there is no limit

	counts, written counts // of the text, and of what the outlet has
}

// counts is what is known of a piece of text.
type counts struct {
	events [trace.KindCount]uint64
	last   int64 // the latest time, in nanoseconds since the Unix epoch
}

const (
	flushAt = 128 << 10
	// fullText is what the text can have when it is flushed: one line more.
	fullText = flushAt + 64<<10
	// lastTries is how often an outlet may stall when the trace ends. Each time takes it a second or so.
	lastTries = 3
)

func newDelivery(segment *ring.Segment, outlet Outlet) delivery {
	return delivery{outlet: outlet, segment: segment, text: make([]byte, 0, fullText), flushed: time.Now(), left: -1}
}

// full says whether it is time to flush.
func (d *delivery) full() bool { return len(d.text) >= flushAt }

// open says whether more can be appended.
func (d *delivery) open() bool { return !d.stalled && d.stopped == nil }

// ready says the same, having tried again if the outlet has stalled.
func (d *delivery) ready() bool {
	if d.stalled {
		d.flush()
	}
	return d.open()
}

// hasten says that the trace ends, and is not to wait for the outlet for ever.
func (d *delivery) hasten() { d.left = lastTries }

// flushOld flushes text that has waited for long.
func (d *delivery) flushOld() {
	if len(d.text) > 0 && time.Since(d.flushed) >= oldest {
		d.flush()
	}
}

// flush gives the text to the outlet, however often it stalls if the trace ends.
func (d *delivery) flush() {
	d.write()
	for d.stalled && d.left > 0 {
		d.left--
		d.write()
	}
}

// write gives the text to the outlet once.
func (d *delivery) write() {
	if len(d.text) == 0 || d.stopped != nil {
		return
	}
	d.number++
	d.clock.start(d.segment)
	err := d.outlet.Write(d.text)
	d.flushed = time.Now()
	if err != nil && d.stall(err) {
		return // and producers are not to wait
	}
	if d.stopped = err; err == nil {
		d.written = d.counts
	}
	d.text, d.stalled = d.text[:0], false
	d.clock.stop(d.segment)
}

// stall keeps what a slow outlet has not taken, and says whether that is to be tried again.
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
	if err := d.outlet.Close(ending); d.stopped == nil {
		d.stopped = err
	}
}

// stallClock tells producers not to wait for room when a write takes long.
type stallClock struct {
	mutex sync.Mutex
	timer *time.Timer
	runs  bool
}

// patienceForWrites is how long producers may wait for the outlet.
const patienceForWrites = 100 * time.Millisecond

func (c *stallClock) start(segment *ring.Segment) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.runs = true
	if c.timer == nil {
		c.timer = time.AfterFunc(patienceForWrites, func() { c.ring(segment) })
	} else {
		c.timer.Reset(patienceForWrites)
	}
}

// ring comes when the time is over, or a little later, when the write is.
func (c *stallClock) ring(segment *ring.Segment) {
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
