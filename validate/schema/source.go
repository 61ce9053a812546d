package schema

import (
	"context"
	"io"

	"github.com/trcx/trcx/trace"
)

// source gives the bytes of the input, and says where each stands.
type source struct {
	ctx     context.Context
	in      io.Reader
	window  []byte
	buf     []byte // a part of the window
	at      int    // buf[at] is the next byte
	counted int    // place is that of buf[counted]
	place   trace.Place
	err     error // why nothing follows buf: io.EOF, or what went wrong
}

const windowSize = 64 << 10

// emptyReads is how often in a row a reader may give neither a byte nor an error.
const emptyReads = 100

func newSource(ctx context.Context, in io.Reader, window []byte) source {
	return source{ctx: ctx, in: in, window: window, place: trace.Place{Line: 1, Column: 1}}
}

// peek gives the next byte; it is not ok at the end, and where reading failed.
func (s *source) peek() (c byte, ok bool) {
	if s.at == len(s.buf) && !s.fill() {
		return 0, false
	}
	return s.buf[s.at], true
}

// ahead gives the bytes that follow: n or more, unless the input ends before.
func (s *source) ahead(n int) []byte {
	for len(s.buf)-s.at < n && s.fill() {
	}
	return s.buf[s.at:]
}

// fill reads more into the window, behind what is not yet used. It returns whether there was more.
func (s *source) fill() bool {
	s.here()
	rest := copy(s.window, s.buf[s.at:])
	s.buf, s.at, s.counted = s.window[:rest], 0, 0
	for tries := 0; s.err == nil; tries++ {
		if s.err = s.ctx.Err(); s.err != nil {
			break
		}
		var n int
		n, s.err = s.in.Read(s.window[rest:])
		if n > 0 {
			s.buf = s.window[:rest+n]
			return true
		}
		if tries == emptyReads && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return false
}

// failure is what went wrong with reading; the end of the input is no failure.
func (s *source) failure() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// offset is that of the next byte.
func (s *source) offset() int64 { return s.place.Offset + int64(s.at-s.counted) }

// here is the place of the next byte.
func (s *source) here() trace.Place {
	for _, c := range s.buf[s.counted:s.at] {
		switch {
		case c == '\n':
			s.place.Line++
			s.place.Column = 1
		case c&0xC0 != 0x80: // not inside of a code point
			s.place.Column++
		}
	}
	s.place.Offset = s.offset()
	s.counted = s.at
	return s.place
}

// mark passes over a byte order mark, which takes no column.
func (s *source) mark() {
	const mark = "\xEF\xBB\xBF"
	if head := s.ahead(len(mark)); len(head) >= len(mark) && string(head[:len(mark)]) == mark {
		s.at += len(mark)
		s.counted = s.at
		s.place.Offset = int64(len(mark))
	}
}
