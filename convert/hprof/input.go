package hprof

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
)

// windowSize is how many bytes of the input are looked at together: the objects of a survey, and the largest record
// that is taken as a whole.
const windowSize = 1 << 20

// firstWindow is how large the window is before more is asked for. Most is read by one of this size, which the
// processor's caches hold.
const firstWindow = 128 << 10

// input is the log with a window on it that moves forward.
type input struct {
	ctx      context.Context
	in       io.Reader
	buf      []byte
	pos, end int   // of what is in the window and not yet used
	base     int64 // where in the log buf begins
	err      error // io.EOF, or what ended the reading
}

func newInput(ctx context.Context, in io.Reader) *input {
	return &input{ctx: ctx, in: in, buf: make([]byte, firstWindow)}
}

// offset is where in the log the next byte is.
func (s *input) offset() int64 { return s.base + int64(s.pos) }

// have says whether the next n bytes, at most windowSize, are in the window; else the log ends before.
func (s *input) have(n int) bool { return s.end-s.pos >= n || s.fill(n, windowSize) }

// haveWithin is have for a window that may become larger.
func (s *input) haveWithin(n, largest int) bool { return s.end-s.pos >= n || s.fill(n, largest) }

// anotherLog says whether another log begins with the next bytes.
func (s *input) anotherLog() bool {
	return s.have(1) && s.next()[0] == nextTitle[0] && s.have(len(nextTitle)) &&
		bytes.HasPrefix(s.next(), []byte(nextTitle))
}

// next are the bytes in the window.
func (s *input) next() []byte { return s.buf[s.pos:s.end] }

// fill reads until the next n bytes are in the window, which may become so large.
func (s *input) fill(n, largest int) bool {
	if s.end-s.pos < n && s.err == nil {
		s.move(n)
	}
	idle := 0
	for s.end < n && s.err == nil {
		if s.end == len(s.buf) {
			s.buf = append(s.buf, make([]byte, min(len(s.buf), largest-len(s.buf)))...)
		}
		if s.err = s.ctx.Err(); s.err != nil {
			return false
		}
		var more int
		more, s.err = s.in.Read(s.buf[s.end:])
		if s.end += more; more > 0 {
			idle = 0
		} else if idle++; idle > 100 && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return s.end-s.pos >= n
}

// move makes what is not yet used the beginning of the window, which becomes small again where so many bytes find room
// in it.
func (s *input) move(n int) {
	s.base += int64(s.pos)
	rest := s.buf[s.pos:s.end]
	if len(s.buf) > firstWindow && n <= firstWindow/2 && len(rest) <= firstWindow/2 {
		s.buf = make([]byte, firstWindow)
	}
	s.end = copy(s.buf, rest)
	s.pos = 0
}

// skip passes n bytes; false says that the log ends before.
func (s *input) skip(n int64) bool {
	for n > int64(s.end-s.pos) {
		n -= int64(s.end - s.pos)
		s.pos = s.end
		if !s.fill(1, windowSize) {
			return false
		}
	}
	s.pos += int(n)
	return true
}

// failure is what ended the reading, other than the end of the log.
func (s *input) failure() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

func u2(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func u4(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func u8(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
