package builder

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// Lines reads the lines of a log. In a growing log, it returns a line as soon as its end is written.
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

	in   *bufio.Reader
	long []byte // the current line, if it exceeds the buffer
	next int64  // the offset of the next line
}

// MaxLine is the maximal length of a line in bytes.
const MaxLine = 1 << 20

const linesBuffer = 64 << 10

// NewLines returns a Lines before the first line.
func NewLines(in io.Reader) *Lines { return LinesFrom(in, trace.Place{Line: 1}) }

// LinesFrom returns a Lines of the rest of a log, which begins at the place. It consumes only whole lines from a
// bufio.Reader of 64 KiB or more, so the caller can continue after the current line.
func LinesFrom(in io.Reader, begin trace.Place) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, linesBuffer), Number: begin.Line - 1, Terminated: true,
		next: begin.Offset}
}

// Next reads the next line. It returns false at the end, and after an error of the reader.
func (l *Lines) Next() (bool, error) {
	size := 0
	line, err := l.in.ReadSlice('\n')
	for l.long = l.long[:0]; err == bufio.ErrBufferFull; line, err = l.in.ReadSlice('\n') {
		size += len(line)
		l.long = append(l.long, line[:min(len(line), MaxLine+2-len(l.long))]...)
	}
	if size += len(line); len(l.long) > 0 {
		line = append(l.long, line[:min(len(line), MaxLine+2-len(l.long))]...)
		l.long = line
	}
	switch {
	case err == io.EOF && size == 0:
		return false, nil
	case err != nil && err != io.EOF:
		return false, err
	}
	l.Number++
	l.Offset, l.next, l.Terminated = l.next, l.next+int64(size), err == nil
	line = bytes.TrimSuffix(line, []byte{'\n'})
	l.TooLong = len(line) > MaxLine
	l.Line = bytes.TrimSuffix(line[:min(len(line), MaxLine)], []byte{'\r'})
	return true, nil
}

// Place returns the place of a byte of the current line.
func (l *Lines) Place(at int) trace.Place {
	at = min(max(at, 0), len(l.Line))
	return trace.Place{Offset: l.Offset + int64(at), Line: l.Number, Column: utf8.RuneCount(l.Line[:at]) + 1}
}

// End returns the place after the last line.
func (l *Lines) End() trace.Place {
	if l.Terminated {
		return trace.Place{Offset: l.next, Line: l.Number + 1, Column: 1}
	}
	return trace.Place{Offset: l.next, Line: l.Number, Column: utf8.RuneCount(l.Line) + 1}
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
