package perfetto

import (
	"io"

	"github.com/trcx/trcx/trace"
)

// format writes marks that come in the order of their times.
type format interface {
	// order says how the marks of one time are ordered, and whether slices are written in two parts, a beginning and an
	// ending.
	order() (order *[kindCount]rank, parts bool)
	// begin begins the output. All times are written as those since start; the keys of threads are less than tracks.
	begin(start trace.Time, tracks int)
	// process and thread describe a track, before the marks on it.
	process(session uint64, name []byte)
	thread(session uint64, key trace.ThreadKey, name []byte)
	// mark writes a mark.
	mark(m *mark)
	// finish ends the output.
	finish()
}

// rank is the place of a kind of marks among those of the same time: by place, then by the event, then by step.
type rank struct{ place, step uint64 }

// counter collects what is to be written, and counts it.
type counter struct {
	out     io.Writer
	buf     []byte
	written int64
	err     error
}

// flushAt is how many bytes are written at once.
const flushAt = 64 << 10

// flushed writes the buffer out when there is much in it.
func (c *counter) flushed() {
	if len(c.buf) >= flushAt {
		c.flush()
	}
}

func (c *counter) flush() {
	if c.err == nil {
		_, c.err = c.out.Write(c.buf)
		c.written += int64(len(c.buf))
	}
	c.buf = c.buf[:0]
}
