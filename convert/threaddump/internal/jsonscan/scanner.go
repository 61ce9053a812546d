// Package jsonscan splits the JSON of thread dumps (RFC 8259) into tokens, each with its place.
//
// It accepts what JVMs write: strings may hold any bytes but line ends, and keep lone surrogates as package trace
// encodes them.
package jsonscan

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Scanner splits JSON into tokens. It leaves the order of tokens to its caller.
//
// It reads from the buffer of a bufio.Reader, and gives the rest back with Release.
type Scanner struct {
	in      *bufio.Reader
	buf     []byte // the buffered bytes
	at      int    // buf[at] is the next byte
	counted int    // place is the place of buf[counted]
	place   trace.Place
	err     error // at the end of buf: io.EOF, or one of reading
	text    []byte
	cut     bool
}

// NewScanner returns a scanner for the rest of in, which begins at the place. It needs a buffer of 64 bytes or more.
func NewScanner(in *bufio.Reader, from trace.Place) *Scanner { return &Scanner{in: in, place: from} }

// SyntaxError is input that is not JSON. The error's text names what is found, and what would be right.
type SyntaxError struct {
	Place     trace.Place
	Message   string
	Truncated bool // the input ends too early
}

func (e *SyntaxError) Error() string { return e.Message }

// Release ends the scanner's use of its bufio.Reader, which continues at the next byte.
func (s *Scanner) Release() {
	s.Place()
	s.in.Discard(s.at)
	s.buf, s.at, s.counted = nil, 0, 0
}

// Peek returns the next byte. It is not ok at the end of the input or after an error.
func (s *Scanner) Peek() (c byte, ok bool) {
	if s.at == len(s.buf) && len(s.Ahead(1)) == 0 {
		return 0, false
	}
	return s.buf[s.at], true
}

// Ahead returns the buffered bytes: n or more, unless the input ends before. They are valid until the next call.
func (s *Scanner) Ahead(n int) []byte {
	if rest := len(s.buf) - s.at; rest < n && s.err == nil {
		s.Release()
		_, s.err = s.in.Peek(n)
		s.buf, _ = s.in.Peek(s.in.Buffered())
	}
	return s.buf[s.at:]
}

// Skip skips n buffered bytes.
func (s *Scanner) Skip(n int) { s.at += n }

// Accept skips the next byte if it is one of these. It reports whether it is.
func (s *Scanner) Accept(set string) bool {
	c, ok := s.Peek()
	if !ok || strings.IndexByte(set, c) < 0 {
		return false
	}
	s.at++
	return true
}

// Space skips white space. It returns the byte after it, or 0 at the end of the input.
func (s *Scanner) Space() byte {
	for {
		c, ok := s.Peek()
		if !ok || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
		s.at++
	}
}

// Err returns the error of reading, or nil at the end of the input.
func (s *Scanner) Err() error {
	if s.err == io.EOF {
		return nil
	}
	return s.err
}

// Offset returns the offset of the next byte.
func (s *Scanner) Offset() int64 { return s.place.Offset + int64(s.at-s.counted) }

// Place returns the place of the next byte.
func (s *Scanner) Place() trace.Place {
	for _, c := range s.buf[s.counted:s.at] {
		switch {
		case c == '\n':
			s.place.Line++
			s.place.Column = 1
		case c&0xC0 != 0x80: // not inside of a code point
			s.place.Column++
		}
	}
	s.place.Offset = s.Offset()
	s.counted = s.at
	return s.place
}

// Unexpected returns the error of an unexpected character or end of the input: a SyntaxError, or the error of reading.
func (s *Scanner) Unexpected(want string) error {
	c, ok := s.Peek()
	if s.Err() != nil && !ok {
		return s.Err()
	}
	found, size := utf8.DecodeRune(s.Ahead(utf8.UTFMax))
	var name string
	switch {
	case !ok:
		name = "the input ends"
	case c == '\n':
		name = "the line ends"
	case c < ' ' || c == 0x7F:
		name = fmt.Sprintf("the control character U+%04X is", c)
	case found == utf8.RuneError && size <= 1:
		name = fmt.Sprintf("the byte 0x%02X is", c)
	default:
		name = fmt.Sprintf("%q is", found)
	}
	return &SyntaxError{Place: s.Place(), Message: name + " where " + want + " should be", Truncated: !ok}
}

// Scalar reads a string, a number or a literal name. It returns the first byte: a quotation mark, a digit, a minus
// sign, or the first letter of true, false or null.
//
// Text returns up to limit bytes of the text.
func (s *Scanner) Scalar(limit int) (first byte, err error) {
	first, _ = s.Peek()
	s.text, s.cut = s.text[:0], false
	switch {
	case first == '"':
		return first, s.String(limit)
	case first == '-' || '0' <= first && first <= '9':
		return first, s.number(limit)
	case first == 't':
		return first, s.literal("true")
	case first == 'f':
		return first, s.literal("false")
	case first == 'n':
		return first, s.literal("null")
	}
	return first, s.Unexpected("a value")
}

// Text returns the last string, decoded, or the last number or literal name. It is valid until the next call.
func (s *Scanner) Text() []byte { return s.text }

// Cut reports whether the last string or number exceeded its limit, so that Text is only its beginning.
func (s *Scanner) Cut() bool { return s.cut }

func (s *Scanner) literal(word string) error {
	s.text = append(s.text, word...)
	for i := range word {
		if !s.Accept(word[i : i+1]) {
			return s.Unexpected("the rest of " + word)
		}
	}
	return nil
}

func (s *Scanner) number(limit int) error {
	s.sign("-", limit)
	if !s.sign("0", limit) && !s.digits(limit) {
		return s.Unexpected("a digit")
	}
	if s.sign(".", limit) && !s.digits(limit) {
		return s.Unexpected("a digit")
	}
	if s.sign("eE", limit) {
		s.sign("+-", limit)
		if !s.digits(limit) {
			return s.Unexpected("a digit")
		}
	}
	return nil
}

// sign reads the next character of a number if it is one of these. It reports whether it is.
func (s *Scanner) sign(characters string, limit int) bool {
	if !s.Accept(characters) {
		return false
	}
	s.add(s.buf[s.at-1:s.at], limit)
	return true
}

// digits reads digits. It reports whether there are any.
func (s *Scanner) digits(limit int) bool {
	found := false
	for s.sign("0123456789", limit) {
		found = true
	}
	return found
}

// String reads a string. Text returns up to limit bytes of it.
func (s *Scanner) String(limit int) error {
	s.text, s.cut = s.text[:0], false
	if !s.Accept(`"`) {
		return s.Unexpected("a string")
	}
	for {
		s.keep(plainBytes(s.buf[s.at:]), limit)
		c, ok := s.Peek()
		switch {
		case ok && c == '"':
			s.at++
			return nil
		case ok && c == '\\':
			if err := s.escape(limit); err != nil {
				return err
			}
		case ok && c != '\n':
			_, size := utf8.DecodeRune(s.Ahead(utf8.UTFMax))
			s.keep(size, limit)
		default:
			return s.Unexpected("the rest of a string")
		}
	}
}

// plainBytes returns the length of the prefix that needs neither decoding nor checking.
func plainBytes(b []byte) int {
	for i, c := range b {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(b)
}

// keep reads the next n bytes of a string unchanged.
func (s *Scanner) keep(n, limit int) {
	s.at += n
	s.add(s.buf[s.at-n:s.at], limit)
}

// add appends to the text, within the limit.
func (s *Scanner) add(text []byte, limit int) {
	if left := limit - len(s.text); len(text) > left {
		text, s.cut = text[:max(left, 0)], true
	}
	s.text = append(s.text, text...)
}

// escape reads an escape.
func (s *Scanner) escape(limit int) error {
	c, size, ok := unescape(s.Ahead(maxEscape))
	s.at += size
	switch {
	case !ok && size == 1:
		return s.Unexpected(`one of " \ / b f n r t u`)
	case !ok:
		return s.Unexpected("a hexadecimal digit")
	}
	var text [utf8.UTFMax]byte
	s.add(appendRune(text[:0], c), limit)
	return nil
}
