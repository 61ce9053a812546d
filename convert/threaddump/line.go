package threaddump

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/trcx/trcx/trace"
)

// maxLine is how many bytes a line may have. Longer ones are left out.
const maxLine = 1 << 20

// maxQuoted limits the characters that a message shows of a name or line.
const maxQuoted = 60

// line is a line of the input.
type line struct {
	place trace.Place
	// text is the line without what ends it. It is good until the next line is read.
	text []byte
	// long says that there was more of it.
	long bool
	// open says that the input ended before the line did.
	open bool
}

// lines splits an input into lines.
type lines struct {
	in     *bufio.Reader
	text   []byte // of a line that is longer than the buffer
	offset int64
	number int
}

// newLines returns the lines of what is left of an input from the place on.
func newLines(in *bufio.Reader, at trace.Place) *lines {
	return &lines{in: in, offset: at.Offset, number: at.Line - 1}
}

// next reads the next line. The error is io.EOF after the last one, or one of reading.
func (l *lines) next() (line, error) {
	l.number++
	read := line{place: trace.Place{Offset: l.offset, Line: l.number, Column: 1}}
	l.text = l.text[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		l.offset += int64(len(part))
		if err == nil && len(l.text) == 0 {
			read.text = part
			break
		}
		if left := maxLine - len(l.text); left < len(part) {
			read.long = true
			part = part[:max(left, 0)]
		}
		l.text = append(l.text, part...)
		read.text = l.text
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && (len(l.text) > 0 || read.long):
			read.open = true
		case err != nil:
			return read, err
		}
		break
	}
	read.text = bytes.TrimRight(read.text, "\r\n")
	return read, nil
}

// end returns the place after the last line.
func (l *lines) end() trace.Place { return trace.Place{Offset: l.offset, Line: l.number, Column: 1} }

// prefix is what a logger puts before each line of a dump, such as a time: its digits match any digits.
type prefix []byte

// cut returns the line without the prefix, or as it is where it does not have it.
func (p prefix) cut(text []byte) []byte {
	rest := text
	for i := 0; i < len(p); {
		switch {
		case isDigit(p[i]):
			for i < len(p) && isDigit(p[i]) {
				i++
			}
			digits := countDigits(rest)
			if digits == 0 {
				return text
			}
			rest = rest[digits:]
		case len(rest) > 0 && rest[0] == p[i]:
			rest = rest[1:]
			i++
		case p[i] == ' ' && len(bytes.TrimLeft(rest, " ")) == 0: // a blank line whose end was trimmed
			return nil
		default:
			return text
		}
	}
	return rest
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// countDigits returns the number of digits that the text begins with.
func countDigits(text []byte) (n int) {
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// trim removes the white space around a text.
func trim(text []byte) []byte { return bytes.TrimSpace(text) }
