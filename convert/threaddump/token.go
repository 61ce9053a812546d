package threaddump

import (
	"bufio"
	"bytes"

	"github.com/trcx/trcx/convert/threaddump/internal/jsonscan"
	"github.com/trcx/trcx/trace"
)

// maxNumber limits the characters of a number.
const maxNumber = 64

// tokens splits a stream of JSON into tokens. A string may have maxLine bytes.
type tokens struct {
	*jsonscan.Scanner
	place trace.Place // of the current token
}

// newTokens returns the tokens of the rest of an input, which begins at the place.
func newTokens(in *bufio.Reader, at trace.Place) *tokens {
	return &tokens{Scanner: jsonscan.NewScanner(in, at)}
}

// next reads a token and returns its first character, or 0 at the end of the input. Text returns a string or another
// value. The error is a *jsonscan.SyntaxError, or one of reading.
func (t *tokens) next() (byte, error) {
	c := t.Space()
	t.place = t.Place()
	switch {
	case c == 0 && len(t.Ahead(1)) == 0:
		return 0, t.Err()
	case t.Accept("{}[]:,"):
		return c, nil
	}
	c, err := t.Scalar(maxLine)
	switch {
	case err != nil:
		return c, err
	case c == '"' && t.Cut():
		return c, t.wrong("a string is too long for a dump")
	case c != '"' && len(t.Text()) > maxNumber:
		return c, t.wrong("a number is too long for a dump")
	}
	return c, nil
}

// wrong returns an error about the current token.
func (t *tokens) wrong(message string) error {
	return &jsonscan.SyntaxError{Place: t.place, Message: message}
}

// atText reports whether text is next, after white space, that cannot be a part of JSON.
func (t *tokens) atText() bool {
	c := t.Space()
	return isDigit(c) || c|0x20-'a' < 26 || c == '-' || c == '+' || c == '.'
}

// atDocument reports whether a dump is next, after white space.
func (t *tokens) atDocument() bool {
	head := t.Ahead(64)
	return beginsDocument(trim(head[:min(len(head), 64)]))
}

// atPrinted reports whether a printed dump begins at the next line, or at the one after it.
func (t *tokens) atPrinted() bool {
	head := t.Ahead(len("2026-11-22 07:55:08\r\n") + len(fullDump))
	if bytes.HasPrefix(head, fullDump) {
		return true
	}
	stamp, rest, _ := bytes.Cut(head, []byte{'\n'})
	_, dated := parseStamp(trim(stamp))
	return dated && bytes.HasPrefix(rest, fullDump)
}

// resume skips to the next object that begins with one of the keys, and skips that key, which it returns. It returns ""
// at the end of the input, or if a printed dump comes first.
func (t *tokens) resume(keys ...string) (string, error) {
	last := byte(0)
	for {
		if t.Place().Column == 1 && t.atPrinted() {
			return "", nil
		}
		c, ok := t.Peek()
		if !ok {
			return "", t.Err()
		}
		t.Skip(1)
		if c == '"' && last == '{' {
			for _, key := range keys {
				if bytes.HasPrefix(t.Ahead(len(key)+1), []byte(key+`"`)) {
					t.Skip(len(key) + 1)
					return key, nil
				}
			}
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			last = c
		}
	}
}
