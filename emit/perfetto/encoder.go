package perfetto

import (
	"io"

	"github.com/trcx/trcx/trace"
)

// encoder writes marks, which arrive in time order.
type encoder interface {
	// order returns the order of marks with the same time, and whether a slice is written in two parts, a beginning and
	// an ending.
	order() (order *[kindCount]rank, parts bool)
	// begin begins the output. Times are written relative to start; the keys of threads are less than tracks.
	begin(start trace.Time, tracks int)
	// process and thread describe a track, before the marks on it.
	process(session uint64, name []byte)
	thread(session uint64, key trace.ThreadKey, name []byte)
	// calls describes a track of calls of a thread. thread is 0 if it is unknown.
	calls(session uint64, key, thread trace.ThreadKey, name []byte)
	// mark writes a mark.
	mark(m *mark)
	// finish ends the output.
	finish()
}

// rank is the rank of a kind among marks of the same time: they are ordered by place, then by event, then by step.
type rank struct{ place, step uint64 }

// counter buffers and counts the output.
type counter struct {
	out     io.Writer
	buf     []byte
	written int64
	err     error
}

// flushAt is the size in bytes from which the buffer is written.
const flushAt = 64 << 10

// flushed writes the buffer if it has reached flushAt.
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
