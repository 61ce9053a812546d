package builder

import (
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Lines are the lines of a log, one after the other. Of a log that grows, each is there as soon as its end is.
type Lines struct {
	// Line is the line at hand, without its end: \n, or \r\n. It is good until the next one is asked for.
	Line []byte
	// Number is the number of the line at hand, from 1 on, and Offset where it begins, in bytes.
	Number int
	Offset int64
	// Ended says that the line at hand has an end; only the last one can lack it.
	Ended bool
	// TooLong says that the line at hand has more bytes than LongestLine. Line is its beginning.
	TooLong bool

	in         io.Reader
	buffer     []byte
	begin, end int   // of what is in the buffer and still to come
	searched   int   // up to where there is no line's end
	after      int64 // the offset of begin
	err        error // of the reader
}

// LongestLine is how many bytes a line may have.
const LongestLine = 1 << 20

const linesBuffer = 256 << 10

// NewLines returns the lines of a log, before the first one.
func NewLines(in io.Reader) *Lines { return &Lines{in: in, buffer: make([]byte, linesBuffer)} }

// Next goes to the next line, and returns false where there is none. The error is one of the reader, with which the
// lines end.
func (l *Lines) Next() (bool, error) {
	for {
		if at := bytes.IndexByte(l.buffer[l.searched:l.end], '\n'); at >= 0 {
			l.line(l.searched+at, 1)
			return true, nil
		}
		l.searched = l.end
		switch {
		case l.err == io.EOF && l.begin < l.end:
			l.line(l.end, 0)
			return true, nil
		case l.err == io.EOF:
			return false, nil
		case l.err != nil:
			return false, l.err
		case l.end-l.begin > LongestLine:
			return l.skip()
		}
		l.fill()
	}
}

// line makes what is in the buffer up to the place the line at hand; so many bytes end it.
func (l *Lines) line(end, ending int) {
	l.Number++
	l.Offset, l.Ended, l.TooLong = l.after, ending > 0, end-l.begin > LongestLine
	l.Line = l.buffer[l.begin:end]
	if n := len(l.Line); n > 0 && l.Line[n-1] == '\r' {
		l.Line = l.Line[:n-1]
	}
	l.after += int64(end + ending - l.begin)
	l.begin, l.searched = end+ending, end+ending
}

// fill reads more.
func (l *Lines) fill() {
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

// skip goes over a line that is too long, and keeps its beginning.
func (l *Lines) skip() (bool, error) {
	l.Number++
	l.Line = append([]byte(nil), l.buffer[l.begin:l.begin+LongestLine]...)
	l.Offset, l.TooLong, l.Ended = l.after, true, false
	for {
		if at := bytes.IndexByte(l.buffer[l.begin:l.end], '\n'); at >= 0 {
			l.after += int64(at + 1)
			l.begin += at + 1
			l.searched, l.Ended = l.begin, true
			return true, nil
		}
		l.after += int64(l.end - l.begin)
		l.begin, l.end, l.searched = 0, 0, 0
		switch {
		case l.err == io.EOF:
			return true, nil
		case l.err != nil:
			return false, l.err
		}
		l.fill()
	}
}

// Place is that of the byte of the line at hand.
func (l *Lines) Place(at int) trace.Place {
	at = min(max(at, 0), len(l.Line))
	return trace.Place{Offset: l.Offset + int64(at), Line: l.Number, Column: utf8.RuneCount(l.Line[:at]) + 1}
}

// End is the place behind the last line.
func (l *Lines) End() trace.Place {
	if l.Number == 0 || l.Ended {
		return trace.Place{Offset: l.after, Line: l.Number + 1, Column: 1}
	}
	return trace.Place{Offset: l.after, Line: l.Number, Column: utf8.RuneCount(l.Line) + 1}
}

// quoted is how many bytes of a line a finding shows, at most.
const quoted = 120

// Quote shows the line at hand about the byte.
func (l *Lines) Quote(at int) trace.Quote {
	at = min(max(at, 0), len(l.Line))
	begin := max(0, at-quoted/2)
	end := min(len(l.Line), begin+quoted)
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
