package output

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"syscall"
	"time"
)

// channel is what a stream writes to. One that knows no deadlines says so with os.ErrNoDeadline, and is expected to be
// fast.
type channel interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// stream is an outlet to what cannot be taken back: a pipe, a device, a socket. It waits for the other end only so
// long.
type stream struct {
	to       channel
	name     string
	gone     string // what a broken pipe means here
	codec    codec  // nil if it is not compressed
	rest     []byte // of a line or a member that was begun, and must be finished before anything else
	sent     int64
	max      int64
	patience time.Duration // of a Write
	farewell time.Duration // the patience of Close
	stopped  *Stopped
	broken   bool // nothing reaches the other end any more
}

const (
	// patience is how long a Write waits. In the meantime the rings fill.
	patience = time.Second
	// farewell is how long Close waits. In the meantime the JVM does not end.
	farewell = 5 * time.Second
)

func (d *Description) stream(to channel, gone string) *stream {
	limit := int64(math.MaxInt64)
	if d.MaxSize > 0 {
		limit = d.MaxSize
	}
	return &stream{to: to, name: d.String(), gone: gone, codec: codecFor(d.File), max: limit, patience: patience,
		farewell: farewell}
}

// Write sends the lines.
func (s *stream) Write(lines []byte) error {
	if s.stopped != nil || len(lines) == 0 {
		return s.error()
	}
	part := lines
	if s.codec != nil {
		part = s.codec.member(lines) // before the time runs, or a slow machine would never get anything through
	}
	if err := s.within(s.patience); err != nil {
		return err
	}
	if err := s.finish(); err != nil {
		return err
	}
	if s.sent+int64(len(part)) > s.max {
		s.stopped = &Stopped{Name: s.name, Reason: sizeReached}
		return s.error()
	}
	n, err := s.send(part)
	if err != nil && s.stopped == nil {
		return &Stalled{s.keep(lines, part, n)}
	}
	return err
}

// error is what has stopped the stream, which is no error as long as it is nil.
func (s *stream) error() error {
	if s.stopped == nil {
		return nil
	}
	return s.stopped
}

// within bounds how long the writes that follow may take.
func (s *stream) within(patience time.Duration) error {
	err := s.to.SetWriteDeadline(time.Now().Add(patience))
	if err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return s.breakOff(err)
	}
	return nil
}

// finish sends what was begun.
func (s *stream) finish() error {
	if len(s.rest) == 0 {
		return nil
	}
	n, err := s.send(s.rest)
	s.rest = s.rest[:copy(s.rest, s.rest[n:])]
	if err != nil && s.stopped == nil {
		return &Stalled{}
	}
	return err
}

// send sends a text. The error is os.ErrDeadlineExceeded as long as the stream has not stopped.
func (s *stream) send(text []byte) (int, error) {
	n, err := s.to.Write(text)
	s.sent += int64(n)
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	return n, s.breakOff(err)
}

// keep keeps what is left of a line or a member of which a beginning was sent, and returns how many bytes of the lines
// that makes.
func (s *stream) keep(lines, part []byte, sent int) (taken int) {
	switch {
	case sent == 0:
		return 0
	case s.codec != nil:
		s.rest = append(s.rest, part[sent:]...)
		return len(lines)
	case lines[sent-1] == '\n':
		return sent
	}
	taken = len(lines)
	if end := bytes.IndexByte(lines[sent:], '\n'); end >= 0 {
		taken = sent + end + 1
	}
	s.rest = append(s.rest, lines[sent:taken]...)
	return taken
}

// answering is a channel by which the other end says why it takes no more.
type answering interface{ answer() string }

// breakOff notes that nothing reaches the other end any more.
func (s *stream) breakOff(err error) error {
	reason := reasonOf(err)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNABORTED) {
		reason = s.gone
	}
	if other, ok := s.to.(answering); ok {
		if said := other.answer(); said != "" {
			reason = said
		}
	}
	s.stopped, s.broken = &Stopped{s.name, reason, err}, true
	return s.stopped
}

// Close sends what is left and the ending. Where it takes too long the other end has a document that is cut off.
func (s *stream) Close(ending []byte) error {
	if s.broken {
		s.to.Close()
		return nil
	}
	if s.codec != nil && len(ending) > 0 {
		ending = s.codec.member(ending)
	}
	err := s.within(s.farewell)
	if err == nil {
		_, err = s.send(append(s.rest, ending...))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = &Stopped{s.name, "the end of the trace is missing, for the other end took nothing for too long", err}
	}
	if closing := s.to.Close(); err == nil && closing != nil {
		return &Stopped{s.name, reasonOf(closing), closing}
	}
	return err
}
