package builder

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Lines reads the lines of a log. Of a growing log, it returns a line as soon as its end is written.
type Lines struct {
	// Line is the current line without its end, \n or \r\n. It is valid until the next call of Next.
	Line []byte
	// Number is the number of the current line, from 1 on. Offset is the offset of its first byte.
	Number int
	Offset int64
	// Terminated reports whether the current line has an end; only the last one can lack it.
	Terminated bool
	// TooLong reports whether the current line exceeds MaxLine bytes. Line is its beginning.
	TooLong bool

	in         io.Reader
	buffer     []byte
	begin, end int   // of the unread bytes in buffer
	searched   int   // the end of the bytes searched for a line's end
	offset     int64 // the offset of begin
	err        error // of the reader
}

// MaxLine is the maximal length of a line in bytes.
const MaxLine = 1 << 20

const linesBuffer = 256 << 10

// NewLines returns a Lines before the first line.
func NewLines(in io.Reader) *Lines { return &Lines{in: in, buffer: make([]byte, linesBuffer)} }

// Next reads the next line. It returns false at the end, and after an error of the reader.
func (l *Lines) Next() (bool, error) {
	for {
		if at := bytes.IndexByte(l.buffer[l.searched:l.end], '\n'); at >= 0 {
			l.setLine(l.searched+at, 1)
			return true, nil
		}
		l.searched = l.end
		switch {
		case l.err == io.EOF && l.begin < l.end:
			l.setLine(l.end, 0)
			return true, nil
		case l.err == io.EOF:
			return false, nil
		case l.err != nil:
			return false, l.err
		case l.end-l.begin > MaxLine:
			return l.skip()
		}
		l.read()
	}
}

// setLine sets the current line, up to end in the buffer; its terminator has ending bytes.
func (l *Lines) setLine(end, ending int) {
	l.Number++
	l.Offset, l.Terminated, l.TooLong = l.offset, ending > 0, end-l.begin > MaxLine
	l.Line = l.buffer[l.begin:end]
	if n := len(l.Line); n > 0 && l.Line[n-1] == '\r' {
		l.Line = l.Line[:n-1]
	}
	l.offset += int64(end + ending - l.begin)
	l.begin, l.searched = end+ending, end+ending
}

// read reads more bytes into the buffer.
func (l *Lines) read() {
	if l.begin > 0 && (l.begin == l.end || l.end == len(l.buffer)) {
		l.end = copy(l.buffer, l.buffer[l.begin:l.end])
		l.begin, l.searched = 0, l.end
	}
	if l.end == len(l.buffer) {
		l.buffer = append(l.buffer, make([]byte, len(l.buffer))...)
	}
	var n int
	n, l.err = l.in.Read(l.buffer[l.end:])
	l.end += n
}

// skip reads the rest of a line that is too long, and keeps its beginning.
func (l *Lines) skip() (bool, error) {
	l.Number++
	l.Line = append([]byte(nil), l.buffer[l.begin:l.begin+MaxLine]...)
	l.Offset, l.TooLong, l.Terminated = l.offset, true, false
	for {
		if at := bytes.IndexByte(l.buffer[l.begin:l.end], '\n'); at >= 0 {
			l.offset += int64(at + 1)
			l.begin += at + 1
			l.searched, l.Terminated = l.begin, true
			return true, nil
		}
		l.offset += int64(l.end - l.begin)
		l.begin, l.end, l.searched = 0, 0, 0
		switch {
		case l.err == io.EOF:
			return true, nil
		case l.err != nil:
			return false, l.err
		}
		l.read()
	}
}

// Place returns the place of a byte of the current line.
func (l *Lines) Place(at int) trace.Place {
	at = min(max(at, 0), len(l.Line))
	return trace.Place{Offset: l.Offset + int64(at), Line: l.Number, Column: utf8.RuneCount(l.Line[:at]) + 1}
}

// End returns the place after the last line.
func (l *Lines) End() trace.Place {
	if l.Number == 0 || l.Terminated {
		return trace.Place{Offset: l.offset, Line: l.Number + 1, Column: 1}
	}
	return trace.Place{Offset: l.offset, Line: l.Number, Column: utf8.RuneCount(l.Line) + 1}
}

// maxQuote limits the bytes of a line in a finding.
const maxQuote = 120

// Quote returns the current line around a byte.
func (l *Lines) Quote(at int) trace.Quote {
	at = min(max(at, 0), len(l.Line))
	begin := max(0, at-maxQuote/2)
	end := min(len(l.Line), begin+maxQuote)
	for begin > 0 && !utf8.RuneStart(l.Line[begin]) {
		begin--
	}
	for end < len(l.Line) && !utf8.RuneStart(l.Line[end]) {
		end--
	}
	before, after := "", ""
	if begin > 0 {
		before = "…"
	}
	if end < len(l.Line) {
		after = "…"
	}
	text := bytes.ToValidUTF8(l.Line[begin:at], []byte("\uFFFD"))
	rest := bytes.ToValidUTF8(l.Line[at:max(at, end)], []byte("\uFFFD"))
	return trace.Quote{Text: before + string(text) + string(rest) + after, Caret: utf8.RuneCountInString(before) +
		utf8.RuneCount(text)}
}

// Finding returns a finding at a byte of the current line.
func (l *Lines) Finding(rule string, severity trace.Severity, at int, message string) trace.Finding {
	return trace.Finding{Rule: rule, Severity: severity, Place: l.Place(at), Message: message, Quote: l.Quote(at)}
}
