package output

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"syscall"
	"time"
)

// channel is the destination of a stream. One without deadlines returns os.ErrNoDeadline and is expected to be fast.
type channel interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
}

// stream writes to a destination whose content cannot be changed later: a pipe, a device, a socket. Its waits are
// bounded.
type stream struct {
	to           channel
	name         string
	gone         string // meaning of a broken pipe, for messages
	codec        codec  // nil if it is not compressed
	rest         []byte // of an incompletely sent line or member; sent first
	sent         int64
	max          int64
	writeTimeout time.Duration // of a Write
	closeTimeout time.Duration // of Close
	stopped      *Stopped
	broken       bool // nothing reaches the other end any more
}

const (
	// writeTimeout is the limit of a Write's wait. Meanwhile the ring buffers fill.
	writeTimeout = time.Second
	// closeTimeout is the limit of Close's wait. Meanwhile the JVM does not end.
	closeTimeout = 5 * time.Second
)

func (d *Description) stream(to channel, gone string) *stream {
	return &stream{to: to, name: d.String(), gone: gone, codec: codecFor(d.File),
		max: cmp.Or(d.MaxSize, math.MaxInt64), writeTimeout: writeTimeout, closeTimeout: closeTimeout}
}

// Write sends the lines.
func (s *stream) Write(lines []byte) error {
	if s.stopped != nil || len(lines) == 0 {
		return s.stopped.orNil()
	}
	part := lines
	if s.codec != nil {
		part = s.codec.member(lines) // before the deadline is set: otherwise a slow machine would send nothing
	}
	if err := s.within(s.writeTimeout); err != nil {
		return err
	}
	if err := s.sendRest(); err != nil {
		return err
	}
	if s.sent+int64(len(part)) > s.max {
		s.stopped = &Stopped{Name: s.name, Reason: sizeReached}
		return s.stopped.orNil()
	}
	n, err := s.send(part)
	if err != nil && s.stopped == nil {
		return &Stalled{s.keep(lines, part, n)}
	}
	return err
}

// within limits the time of the following writes.
func (s *stream) within(timeout time.Duration) error {
	err := s.to.SetWriteDeadline(time.Now().Add(timeout))
	if err != nil && !errors.Is(err, os.ErrNoDeadline) {
		return s.breakOff(err)
	}
	return nil
}

// sendRest sends the rest of an incompletely sent line or member.
func (s *stream) sendRest() error {
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

// send sends a text. The error is os.ErrDeadlineExceeded unless the stream has stopped.
func (s *stream) send(text []byte) (int, error) {
	n, err := s.to.Write(text)
	s.sent += int64(n)
	if err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	return n, s.breakOff(err)
}

// keep keeps the rest of an incompletely sent line or member, and returns the number of bytes of lines that need not be
// passed again.
func (s *stream) keep(lines, part []byte, sent int) (written int) {
	switch {
	case sent == 0:
		return 0
	case s.codec != nil:
		s.rest = append(s.rest, part[sent:]...)
		return len(lines)
	case lines[sent-1] == '\n':
		return sent
	}
	written = len(lines)
	if end := bytes.IndexByte(lines[sent:], '\n'); end >= 0 {
		written = sent + end + 1
	}
	s.rest = append(s.rest, lines[sent:written]...)
	return written
}

// answering is a channel whose other end can say why it accepts no more.
type answering interface{ answer() string }

// breakOff records that nothing reaches the other end any more.
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
	s.stopped, s.broken = &Stopped{Name: s.name, Reason: reason, Err: err}, true
	return s.stopped
}

// Close sends the rest and the ending. If that takes too long, the document at the other end is cut off.
func (s *stream) Close(ending []byte) error {
	if s.broken {
		s.to.Close()
		return nil
	}
	if s.codec != nil && len(ending) > 0 {
		ending = s.codec.member(ending)
	}
	err := s.within(s.closeTimeout)
	if err == nil {
		_, err = s.send(append(s.rest, ending...))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = &Stopped{Name: s.name, Err: err,
			Reason: "the end of the trace is missing: the other end accepted nothing for too long"}
	}
	if closing := s.to.Close(); err == nil && closing != nil {
		return &Stopped{Name: s.name, Reason: reasonOf(closing), Err: closing}
	}
	return err
}

// openPipe opens a named pipe when a reader has opened it.
func (d *Description) openPipe() (Writer, error) {
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		pipe, err := os.OpenFile(d.File, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		switch {
		case err == nil:
			return d.stream(pipe, "the pipe's reader is gone"), nil
		case !errors.Is(err, syscall.ENXIO):
			return nil, plain(err)
		case time.Since(began) > closeTimeout:
			return nil, fmt.Errorf("no program has opened this pipe for reading within %v; start its reader first",
				closeTimeout)
		}
	}
}

// standard returns a channel to the standard output, which stays open.
func standard(out io.Writer) channel {
	if file, ok := out.(*os.File); ok {
		return newShared(file)
	}
	return buffer{out}
}

// buffer is a channel that never stalls.
type buffer struct{ io.Writer }

func (buffer) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }
func (buffer) Close() error                     { return nil }
