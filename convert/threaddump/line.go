package threaddump

import (
	"bytes"

	"github.com/trcx/trcx/convert/builder"
	"github.com/trcx/trcx/trace"
)

// maxLine is how many bytes a line may have. Longer ones are left out.
const maxLine = builder.MaxLine

// maxQuoted limits the characters that a message shows of a name or line.
const maxQuoted = 60

// line is a line of the input.
type line struct {
	place trace.Place
	text  []byte // without what ends it; valid until the next line is read
	open  bool   // the input ended before the line did
}

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
