package threaddump

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/trcx/trcx/trace"
)

// maxNumber limits the characters of a number.
const maxNumber = 64

// tokens splits a stream of JSON into tokens; their order is up to the caller. A string may have maxLine bytes and hold
// any bytes but line ends. Lone surrogates are kept as package trace encodes them.
type tokens struct {
	in    *bufio.Reader
	after trace.Place // of the next byte
	place trace.Place // of the current token
	text  []byte      // of the last string, decoded, or of another value; valid until the next call
	err   error       // of reading; io.EOF at the end
}

// newTokens returns the tokens of the rest of an input, which begins at the place.
func newTokens(in *bufio.Reader, at trace.Place) *tokens { return &tokens{in: in, after: at} }

// syntaxError is input that is not JSON. The message names what is found, and what would be right.
type syntaxError struct {
	place     trace.Place
	message   string
	truncated bool // the input ends too early
}

func (e *syntaxError) Error() string { return e.message }

// ahead returns the buffered bytes: n or more, unless the input ends before. They are valid until the next call.
func (t *tokens) ahead(n int) []byte {
	var head []byte
	head, t.err = t.in.Peek(max(n, t.in.Buffered()))
	return head
}

// peek returns the next byte, or 0 at the end of the input or after an error.
func (t *tokens) peek() byte {
	if head := t.ahead(1); len(head) > 0 {
		return head[0]
	}
	return 0
}

// skip skips n bytes that are buffered.
func (t *tokens) skip(n int) {
	head, _ := t.in.Peek(n)
	for _, c := range head {
		switch {
		case c == '\n':
			t.after.Line++
			t.after.Column = 1
		case c&0xC0 != 0x80: // not inside a code point
			t.after.Column++
		}
	}
	t.after.Offset += int64(n)
	t.in.Discard(n)
}

// jsonSpace is the white space of JSON.
const jsonSpace = " \t\r\n"

// space skips white space. It returns the byte after it, or 0 at the end of the input.
func (t *tokens) space() byte {
	for {
		head := t.ahead(1)
		rest := bytes.TrimLeft(head, jsonSpace)
		if t.skip(len(head) - len(rest)); len(rest) > 0 {
			return rest[0]
		}
		if len(head) == 0 {
			return 0
		}
	}
}

// next reads a token and returns its first character, or 0 at the end of the input. The text of a string is decoded.
// The error is a *syntaxError, or one of reading.
func (t *tokens) next() (byte, error) {
	c := t.space()
	t.place, t.text = t.after, t.text[:0]
	switch {
	case c == 0 && len(t.ahead(1)) == 0:
		return 0, t.readError()
	case strings.IndexByte("{}[]:,", c) >= 0:
		t.skip(1)
		return c, nil
	case c == '"':
		return c, t.string()
	}
	return c, t.scalar()
}

// readError returns the error of reading, or nil at the end of the input.
func (t *tokens) readError() error {
	if t.err == io.EOF {
		return nil
	}
	return t.err
}

// wrong returns an error about the current token.
func (t *tokens) wrong(message string) error { return &syntaxError{place: t.place, message: message} }

// unexpected returns the error of an unexpected character or end of the input: a *syntaxError, or the error of reading.
func (t *tokens) unexpected(want string) error {
	head := t.ahead(utf8.UTFMax)
	if len(head) == 0 && t.readError() != nil {
		return t.err
	}
	found, _ := utf8.DecodeRune(head)
	name := fmt.Sprintf("%q is", found)
	switch {
	case len(head) == 0:
		name = "the input ends"
	case head[0] == '\n':
		name = "the line ends"
	}
	return &syntaxError{t.after, name + " where " + want + " should be", len(head) == 0}
}

// scalar reads a number or a literal name.
func (t *tokens) scalar() error {
	for {
		head := t.ahead(1)
		n := bytes.IndexAny(head, jsonSpace+`{}[]:,"`)
		if n < 0 {
			n = len(head)
		}
		t.keep(head[:n], maxNumber+1)
		if t.skip(n); n < len(head) || n == 0 {
			break
		}
	}
	switch {
	case len(t.text) > maxNumber:
		return t.wrong("a number is too long for a dump")
	case json.Valid(t.text):
		return nil
	case len(t.ahead(1)) == 0:
		return t.unexpected("the rest of a value")
	}
	return t.wrong(fmt.Sprintf("%q is where a value should be", t.text))
}

// string reads a string.
func (t *tokens) string() error {
	t.skip(1)
	for {
		head := t.ahead(1)
		n := bytes.IndexAny(head, "\"\\\n")
		if n < 0 {
			n = len(head)
		}
		t.keep(head[:n], maxLine+1)
		t.skip(n)
		switch c := t.peek(); {
		case c == '"':
			if t.skip(1); len(t.text) > maxLine {
				return t.wrong("a string is too long for a dump")
			}
			return nil
		case c == '\\':
			if err := t.escape(); err != nil {
				return err
			}
		case c == '\n' || len(t.ahead(1)) == 0:
			return t.unexpected("the rest of a string")
		}
	}
}

// keep appends to the text, up to a limit.
func (t *tokens) keep(text []byte, limit int) {
	t.text = append(t.text, text[:min(len(text), limit-min(limit, len(t.text)))]...)
}

// escape reads an escape.
func (t *tokens) escape() error {
	c, size, ok := unescape(t.ahead(maxEscape))
	t.skip(size)
	switch {
	case !ok && size == 1:
		return t.unexpected(`one of " \ / b f n r t u`)
	case !ok:
		return t.unexpected("a hexadecimal digit")
	}
	t.keep(appendRune(nil, c), maxLine+1)
	return nil
}

// atText reports whether the next text, after white space, cannot be a part of JSON.
func (t *tokens) atText() bool {
	c := t.space()
	return isDigit(c) || c|0x20-'a' < 26 || c == '-' || c == '+' || c == '.'
}

// atDocument reports whether a dump is next, after white space.
func (t *tokens) atDocument() bool {
	head := t.ahead(64)
	return beginsDocument(trim(head[:min(len(head), 64)]))
}

// atPrinted reports whether a printed dump begins at the next line or the one after it.
func (t *tokens) atPrinted() bool {
	head := t.ahead(len("2026-11-22 07:55:08\r\n") + len(fullDump))
	if bytes.HasPrefix(head, fullDump) {
		return true
	}
	stamp, rest, _ := bytes.Cut(head, []byte{'\n'})
	_, dated := parseStamp(trim(stamp))
	return dated && bytes.HasPrefix(rest, fullDump)
}

// resume skips to the next object that begins with one of the keys. It skips that key, too, and returns it, or "" at
// the end of the input or if a printed dump comes first.
func (t *tokens) resume(keys ...string) (string, error) {
	for last := byte(0); ; {
		if t.after.Column == 1 && t.atPrinted() {
			return "", nil
		}
		head := t.ahead(1)
		if len(head) == 0 {
			return "", t.readError()
		}
		c := head[0]
		t.skip(1)
		if c == '"' && last == '{' {
			for _, key := range keys {
				if bytes.HasPrefix(t.ahead(len(key)+1), []byte(key+`"`)) {
					t.skip(len(key) + 1)
					return key, nil
				}
			}
		}
		if strings.IndexByte(jsonSpace, c) < 0 {
			last = c
		}
	}
}

// maxEscape is the length in bytes of the longest escape: a surrogate pair.
const maxEscape = len(`\ud83d\ude00`)

// The characters after the backslash of short escapes, and what they are decoded to.
const (
	shortEscapes = `"\/bfnrt`
	unescaped    = "\"\\/\b\f\n\r\t"
)

// unescape decodes the escape at the beginning of b, which begins with a backslash and has maxEscape bytes unless the
// input ends. It returns the character and the length of its escape. A surrogate without its other half is returned as
// it is. If the escape is invalid (ok is false), size is the offset of the first wrong byte, or len(b) at the end.
func unescape(b []byte) (c rune, size int, ok bool) {
	const unit = len(`\u0000`)
	if len(b) < 2 {
		return 0, 1, false
	}
	if i := strings.IndexByte(shortEscapes, b[1]); i >= 0 {
		return rune(unescaped[i]), 2, true
	}
	if b[1] != 'u' {
		return 0, 1, false
	}
	c, digits := hexadecimal(b[2:min(unit, len(b))])
	if digits < 4 {
		return 0, 2 + digits, false
	}
	if rest := b[unit:]; utf16.IsSurrogate(c) && len(rest) >= unit && rest[0] == '\\' && rest[1] == 'u' {
		low, digits := hexadecimal(rest[2:unit])
		if pair := utf16.DecodeRune(c, low); digits == 4 && pair != utf8.RuneError {
			return pair, 2 * unit, true
		}
	}
	return c, unit, true
}

// hexadecimal decodes the hexadecimal digits at the beginning of b, and returns their number.
func hexadecimal(b []byte) (n rune, digits int) {
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			n = n<<4 | rune(c|0x20-'a'+10)
		default:
			return n, i
		}
	}
	return n, len(b)
}

// appendRune appends a character as UTF-8. A lone surrogate is encoded in the same way, as package trace expects it.
func appendRune(dst []byte, c rune) []byte {
	if utf16.IsSurrogate(c) {
		return append(dst, 0xE0|byte(c>>12), 0x80|byte(c>>6&0x3F), 0x80|byte(c&0x3F))
	}
	return utf8.AppendRune(dst, c)
}
