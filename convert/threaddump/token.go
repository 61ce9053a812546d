package threaddump

import (
	"bufio"
	"bytes"
	"io"

	"github.com/trcx/trcx/internal/jsontext"
	"github.com/trcx/trcx/trace"
)

// tokenKind is a kind of token of JSON: its first character, or one of these.
type tokenKind byte

const (
	endOfInput tokenKind = 0
	stringKind tokenKind = '"'
	otherKind  tokenKind = 'a' // a number, true, false or null
)

// errSyntax is the error for what is no JSON; message says what would be.
type errSyntax struct {
	message string
	cut     bool // the input ended too early
}

func (e *errSyntax) Error() string { return e.message }

// tokens splits a stream of JSON into tokens. A string or number may have maxLine bytes.
type tokens struct {
	in     *bufio.Reader
	offset int64
	number int   // of the line
	begin  int64 // of the line
	text   []byte
	place  trace.Place // of the current token
}

// newTokens returns the tokens of what is left of an input from the place on, which is the beginning of a line.
func newTokens(in *bufio.Reader, at trace.Place) *tokens {
	return &tokens{in: in, offset: at.Offset, number: at.Line, begin: at.Offset}
}

func (t *tokens) here() trace.Place {
	return trace.Place{Offset: t.offset, Line: t.number, Column: int(t.offset-t.begin) + 1}
}

func (t *tokens) read() (byte, error) {
	c, err := t.in.ReadByte()
	if err != nil {
		return 0, err
	}
	t.offset++
	if c == '\n' {
		t.number++
		t.begin = t.offset
	}
	return c, nil
}

// peek is the next byte, or 0 where there is none.
func (t *tokens) peek() byte {
	next, _ := t.in.Peek(1)
	if len(next) == 0 {
		return 0
	}
	return next[0]
}

// next reads a token; what a string or another value says is in text until the next one. The error is an *errSyntax, or
// one of reading.
func (t *tokens) next() (tokenKind, error) {
	for {
		t.place = t.here()
		c, err := t.read()
		switch {
		case err == io.EOF:
			return endOfInput, nil
		case err != nil:
			return endOfInput, err
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case bytes.IndexByte([]byte("{}[]:,"), c) >= 0:
			return tokenKind(c), nil
		case c == '"':
			return stringKind, t.quoted()
		case isWordByte(c):
			return otherKind, t.word(c)
		}
		return endOfInput, &errSyntax{message: "this character begins no value of JSON"}
	}
}

func isWordByte(c byte) bool {
	return isDigit(c) || c|0x20-'a' < 26 || c == '-' || c == '+' || c == '.'
}

// word reads a number, true, false or null.
func (t *tokens) word(first byte) error {
	t.text = append(t.text[:0], first)
	for isWordByte(t.peek()) {
		c, err := t.read()
		if err != nil {
			return err
		}
		if t.text = append(t.text, c); len(t.text) > 64 {
			return &errSyntax{
				message: "this is no value of JSON, which is a number, true, false, null, or in quotation marks"}
		}
	}
	switch text := string(t.text); {
	case text == "true" || text == "false" || text == "null" || isDigit(text[0]) || text[0] == '-':
		return nil
	}
	return &errSyntax{message: "this is no value of JSON, which is a number, true, false, null, or in quotation marks"}
}

// quoted reads a string, after its first quotation mark.
func (t *tokens) quoted() error {
	t.text = t.text[:0]
	for {
		t.plainText()
		switch t.peek() {
		case '\n':
			return &errSyntax{message: "a string is not closed in its line"}
		case '\\':
			if err := t.escape(); err != nil {
				return err
			}
		default:
			c, err := t.read()
			switch {
			case err == io.EOF:
				return &errSyntax{message: "the input ends inside of a string", cut: true}
			case err != nil:
				return err
			case c == '"':
				return nil
			}
			t.text = append(t.text, c)
		}
		if len(t.text) > maxLine {
			return &errSyntax{message: "a string is longer than any of a dump"}
		}
	}
}

// plainText reads what is in the buffer of a string up to the next character that may mean something.
func (t *tokens) plainText() {
	ahead, _ := t.in.Peek(t.in.Buffered())
	n := bytes.IndexAny(ahead, "\"\\\n")
	if n < 0 {
		n = len(ahead)
	}
	n = min(n, maxLine+1-len(t.text))
	t.text = append(t.text, ahead[:n]...)
	t.skip(n)
}

// escape reads an escape.
func (t *tokens) escape() error {
	ahead, err := t.in.Peek(jsontext.MaxEscape)
	c, size, ok := jsontext.Unescape(ahead)
	switch {
	case !ok && size == len(ahead) && err == io.EOF:
		return &errSyntax{message: "the input ends inside of a string", cut: true}
	case !ok && size == len(ahead) && err != nil:
		return err
	case !ok && size == 1:
		return &errSyntax{message: "a backslash precedes a character that it cannot escape"}
	case !ok:
		return &errSyntax{message: `four hexadecimal digits must follow \u`}
	}
	t.text = jsontext.AppendRune(t.text, c)
	t.skip(size)
	return nil
}

// skip skips buffered bytes, none of which is a line end.
func (t *tokens) skip(n int) {
	t.offset += int64(n)
	t.in.Discard(n)
}

// atText reports whether text comes next, after blanks, that cannot be a part of JSON.
func (t *tokens) atText() (bool, error) {
	for {
		switch c := t.peek(); {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if _, err := t.read(); err != nil {
				return false, err
			}
		default:
			return isWordByte(c), nil
		}
	}
}

// atDocument reports whether a dump comes next, after blanks.
func (t *tokens) atDocument() bool {
	head, _ := t.in.Peek(64)
	return beginsDocument(trim(head))
}

// atPrinted reports whether a printed dump begins at the line that comes next, or at the one after it.
func (t *tokens) atPrinted() bool {
	head, _ := t.in.Peek(len("2026-11-22 07:55:08\r\n") + len(fullDump))
	if bytes.HasPrefix(head, fullDump) {
		return true
	}
	stamp, rest, _ := bytes.Cut(head, []byte{'\n'})
	_, dated := parseStamp(trim(stamp))
	return dated && bytes.HasPrefix(rest, fullDump)
}

// resume moves to the next object that begins with one of the keys, after that key, which it returns; "" where there
// is none any more, or a printed dump comes first.
func (t *tokens) resume(keys ...string) (string, error) {
	last := byte(0)
	for {
		if t.offset == t.begin && t.atPrinted() {
			return "", nil
		}
		c, err := t.read()
		if err == io.EOF {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if c == '"' && last == '{' {
			for _, key := range keys {
				if next, _ := t.in.Peek(len(key) + 1); string(next) == key+`"` {
					for range next {
						if _, err := t.read(); err != nil {
							return "", err
						}
					}
					return key, nil
				}
			}
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			last = c
		}
	}
}
