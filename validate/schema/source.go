package schema

import (
	"context"
	"io"

	"github.com/trcx/trcx/trace"
)

// source is the input, with the place of each byte.
type source struct {
	ctx     context.Context
	in      io.Reader
	window  []byte
	buf     []byte // a part of the window
	at      int    // buf[at] is the next byte
	counted int    // place is that of buf[counted]
	place   trace.Place
	err     error // at the end of buf: io.EOF, or one of reading
}

const windowSize = 64 << 10

// maxEmptyReads limits consecutive reads without a byte or an error.
const maxEmptyReads = 100

func newSource(ctx context.Context, in io.Reader, window []byte) source {
	return source{ctx: ctx, in: in, window: window, place: trace.Place{Line: 1, Column: 1}}
}

// peek returns the next byte. It is not ok at the end of the input or after an error.
func (s *source) peek() (c byte, ok bool) {
	if s.at == len(s.buf) && !s.fill() {
		return 0, false
	}
	return s.buf[s.at], true
}

// ahead returns the next bytes: n or more, unless the input ends before.
func (s *source) ahead(n int) []byte {
	for len(s.buf)-s.at < n && s.fill() {
	}
	return s.buf[s.at:]
}

// fill reads more into the window, after the unused bytes. It reports whether the input has more.
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
		if tries == maxEmptyReads && s.err == nil {
			s.err = io.ErrNoProgress
		}
	}
	return false
}

// failure returns the error of reading, or nil at the end of the input.
func (s *source) failure() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// offset returns the offset of the next byte.
func (s *source) offset() int64 { return s.place.Offset + int64(s.at-s.counted) }

// here returns the place of the next byte. Columns count code points.
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

// mark skips a byte order mark, which has no column.
func (s *source) mark() {
	const mark = "\xEF\xBB\xBF"
	if head := s.ahead(len(mark)); len(head) >= len(mark) && string(head[:len(mark)]) == mark {
		s.at += len(mark)
		s.counted = s.at
		s.place.Offset = int64(len(mark))
	}
}
