package hprof

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
)

// windowSize is the size of the window in bytes: the lookahead to detect a layout, and the largest record that is read
// as a whole.
const windowSize = 1 << 20

// input is the log with a window that moves forward.
type input struct {
	ctx      context.Context
	in       io.Reader
	buf      []byte // grows as needed
	pos, end int    // the unread bytes in buf
	base     int64  // offset of buf in the log
	err      error  // io.EOF or the error that ended the reading
}

func newInput(ctx context.Context, in io.Reader) *input {
	return &input{ctx: ctx, in: in, buf: make([]byte, 128<<10)}
}

// offset returns the offset of the next byte in the log.
func (s *input) offset() int64 { return s.base + int64(s.pos) }

// have reports whether the next n bytes, at most windowSize, are in the window; false at the end of the log.
func (s *input) have(n int) bool { return s.end-s.pos >= n || s.fill(n, windowSize) }

// haveWithin is have for a window of another maximal size.
func (s *input) haveWithin(n, largest int) bool { return s.end-s.pos >= n || s.fill(n, largest) }

// anotherLog reports whether another log begins at the next byte.
func (s *input) anotherLog() bool {
	return s.have(1) && s.window()[0] == nextTitle[0] && s.have(len(nextTitle)) &&
		bytes.HasPrefix(s.window(), []byte(nextTitle))
}

// window returns the unread bytes in the window. They are valid until the next call of have or skip.
func (s *input) window() []byte { return s.buf[s.pos:s.end] }

// fill reads until the next n bytes are in the window, which may grow up to a size.
func (s *input) fill(n, largest int) bool {
	if s.end-s.pos < n && s.err == nil { // move the unread bytes to the begin
		s.base += int64(s.pos)
		s.pos, s.end = 0, copy(s.buf, s.window())
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

// skip skips n bytes. It reports false if the log ends before.
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

// readError returns the error that ended the reading, other than the end of the log.
func (s *input) readError() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

func u2(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
func u4(b []byte) uint32 { return binary.BigEndian.Uint32(b) }
func u8(b []byte) uint64 { return binary.BigEndian.Uint64(b) }
