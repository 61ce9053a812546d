package threaddump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// The byte order marks.
var (
	markUTF8      = []byte("\xEF\xBB\xBF")
	markUTF16     = []byte("\xFF\xFE")
	markUTF16High = []byte("\xFE\xFF")
)

// decoded returns the input as UTF-8, and reports whether it is JSON. The PowerShell of Windows redirects output to
// files as UTF-16.
func decoded(in io.Reader) (text *bufio.Reader, isJSON bool, err error) {
	source := bufio.NewReaderSize(in, 64<<10)
	head, err := source.Peek(2 * wideHead)
	if err != nil && err != io.EOF {
		return source, false, err
	}
	order, mark := encodingOf(head)
	source.Discard(mark)
	if order != nil {
		source = bufio.NewReaderSize(&units{in: source, order: order}, 64<<10)
	}
	first, _ := source.Peek(512)
	first = bytes.TrimLeft(first, " \t\r\n")
	isObject := len(first) > 1 && first[0] == '{' && first[1] != '"' // else it may be a line of a log
	return source, isObject || beginsDocument(first), nil
}

// wideHead is the number of characters by which UTF-16 without a mark is recognized.
const wideHead = 8

// encodingOf returns the byte order of UTF-16, or nil for UTF-8, and the length of the mark. Dumps begin with ASCII, so
// every second byte of UTF-16 is 0, which shows it even without a mark.
func encodingOf(head []byte) (order binary.ByteOrder, mark int) {
	switch {
	case bytes.HasPrefix(head, markUTF8):
		return nil, len(markUTF8)
	case bytes.HasPrefix(head, markUTF16):
		return binary.LittleEndian, len(markUTF16)
	case bytes.HasPrefix(head, markUTF16High):
		return binary.BigEndian, len(markUTF16High)
	case len(head) < 2*wideHead:
		return nil, 0
	}
	var zeros [2]int
	for i, c := range head[:2*wideHead] {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch zeros {
	case [2]int{0, wideHead}:
		return binary.LittleEndian, 0
	case [2]int{wideHead, 0}:
		return binary.BigEndian, 0
	}
	return nil, 0
}

// atJSON reports whether a JSON dump begins at the next line.
func atJSON(in *bufio.Reader) bool {
	head, _ := in.Peek(1)
	if len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return false
	}
	head, _ = in.Peek(64)
	return beginsDocument(head)
}

// beginsDocument reports whether a text begins with a JSON dump, or with an array of them.
func beginsDocument(text []byte) bool {
	if rest, isArray := bytes.CutPrefix(text, []byte{'['}); isArray {
		text = trim(rest)
	}
	rest, isObject := bytes.CutPrefix(text, []byte{'{'})
	return isObject && beginsWith(trim(rest), firstKeys)
}

// firstKeys are the keys that JSON dumps of jcmd and of Spring Boot's actuator begin with.
var firstKeys = [][]byte{[]byte(`"threadDump"`), []byte(`"threads"`), []byte(`"threadName"`), []byte(`"threadId"`),
	[]byte(`"blockedTime"`)}

// units reads UTF-16 as UTF-8.
type units struct {
	in    *bufio.Reader
	order binary.ByteOrder
	text  []byte
}

func (u *units) Read(p []byte) (int, error) {
	if len(u.text) == 0 {
		unit, err := u.in.Peek(2)
		if len(unit) < 2 {
			return 0, err
		}
		c := rune(u.order.Uint16(unit))
		u.in.Discard(2)
		if utf16.IsSurrogate(c) {
			second, _ := u.in.Peek(2)
			if joined := u.pair(c, second); joined != utf8.RuneError {
				c = joined
				u.in.Discard(2)
			}
		}
		u.text = utf8.AppendRune(u.text[:0], c)
	}
	n := copy(p, u.text)
	u.text = u.text[n:]
	return n, nil
}

// pair joins both halves of a surrogate pair. It returns utf8.RuneError if they do not make a character.
func (u *units) pair(first rune, second []byte) rune {
	if len(second) < 2 {
		return utf8.RuneError
	}
	return utf16.DecodeRune(first, rune(u.order.Uint16(second)))
}

// Recognises reports whether an input with this beginning can be a dump: it is JSON of one, or has the head of one or
// the line of a thread. In a log, a dump can come later.
func Recognises(head []byte) bool {
	order, mark := encodingOf(head)
	if head = head[mark:]; order != nil {
		head = bytes.ReplaceAll(head, []byte{0}, nil)
	}
	if rest := trim(head); len(rest) > 0 && rest[0] == '{' || beginsDocument(rest) {
		return beginsDocument(rest)
	}
	for _, words := range [][]byte{fullDump, javacoreTitle, jrockitHead, forcedHead} {
		if bytes.Contains(head, words) {
			return true
		}
	}
	process, rest, _ := bytes.Cut(head, []byte{'\n'})
	moment, _, more := bytes.Cut(rest, []byte{'\n'})
	if process = trim(process); more && len(process) > 0 && countDigits(process) == len(process) {
		_, ok := parseInstant(trim(moment))
		return ok
	}
	for line := range bytes.Lines(head) {
		line = trim(line)
		if len(line) > 0 && line[0] == '"' && bytes.Contains(line, []byte(" tid=0x")) &&
			bytes.Contains(line, []byte(" nid=")) || jmxHeadline().Match(line) {
			return true
		}
	}
	return false
}

// maxLine limits the bytes of a line. Longer lines are skipped.
const maxLine = builder.MaxLine

// maxQuoted limits the characters of a name or line that a message quotes.
const maxQuoted = 60

// line is a line of the input.
type line struct {
	place trace.Place
	text  []byte // without the line end; valid until the next line is read
	open  bool   // the input ended before the line did
}

// prefix is what a logger writes before each line of a dump, such as a time. Its digits match any digits.
type prefix []byte

// cut returns the line without the prefix, or as it is if it does not have it.
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
